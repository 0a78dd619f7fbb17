"""A real browser for tests, told what to do through a pipe (Chrome DevTools Protocol)."""

import base64
import json
import os
import select
import shutil
import subprocess
import time

import pytest

KEYS = {"ArrowRight": 39, "ArrowDown": 40, "Tab": 9, "Enter": 13, "Escape": 27}
SECONDS = 60  # a loaded machine may take long to start a browser

WRAPPER = """<!DOCTYPE html><body style="margin:0"><iframe id="page" src="{page}"
 style="border:0;width:{width}px;height:900px"></iframe><pre id="out"></pre><script>
page.onload = () => {{
  const inner = page.contentDocument, root = inner.documentElement;
  const titles = [...inner.querySelectorAll("h1, h2, h3, h4")];
  const shown = one => one.getBoundingClientRect().width > 0;
  out.textContent = JSON.stringify({{
    scroll: root.scrollWidth, client: root.clientWidth,
    headings: titles.length,
    hidden: titles.filter(one => !shown(one)).map(one => one.textContent),
    wide: [...inner.querySelectorAll(".graph .wide")].filter(shown).length,
    narrow: [...inner.querySelectorAll(".graph .narrow")].filter(shown).length,
    graphs: inner.querySelectorAll(".graph").length,
    background: getComputedStyle(inner.body).backgroundColor,
    fills: [...new Set([...inner.querySelectorAll(".graph svg use[href^='#_']")]
      .filter(shown).map(one => getComputedStyle(one).fill))],
    fetched: performance.getEntriesByType("resource").length
      + inner.defaultView.performance.getEntriesByType("resource").length,
  }});
}};
</script>"""


def program():
    """The browser's path; without one the test is skipped, but never in CI."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None and "CI" in os.environ:
        pytest.fail("CI must have a Chromium browser: these tests were about to be skipped")
    if found is None:
        pytest.skip("no Chromium browser (chromium, chromium-browser, google-chrome) on this machine")
    return found


class Browser:
    """One browser process; commands go in by its descriptor 3, answers and events come by 4."""

    def __init__(self, profile, *more):
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", *more]
        flags += ["--remote-debugging-pipe", f"--user-data-dir={profile}"]
        joined = f'exec "$0" "$@" 3<&{theirs_in} 4>&{theirs_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", joined, program(), *flags, "about:blank"],
            pass_fds=(theirs_in, theirs_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs_in)
        os.close(theirs_out)
        self._buffer, self._count, self.events = b"", 0, []

    def _message(self, until):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, until - time.monotonic()))
            part = os.read(self._in, 1 << 16) if ready else b""
            if not part:
                raise AssertionError("the browser gives no answer")
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def call(self, method, session=None, **given):
        """The answer to one command; events that come meanwhile are kept."""
        self._count += 1
        command = {"id": self._count, "method": method, "params": given}
        if session:
            command["sessionId"] = session
        os.write(self._out, json.dumps(command).encode() + b"\0")
        until = time.monotonic() + SECONDS
        while True:
            message = self._message(until)
            if message.get("id") == self._count:
                assert "error" not in message, f"{method}: {message.get('error')}"
                return message["result"]
            self.events.append(message)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """End the process."""
        self._process.terminate()
        self._process.wait(30)
        os.close(self._in)
        os.close(self._out)


class Page:
    """One tab; leave it by `close`."""

    def __init__(self, browser, url, width=1280, height=900, scripts=True, scheme="light"):
        self._browser = browser
        self._target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        attached = browser.call("Target.attachToTarget", targetId=self._target, flatten=True)
        self._session = attached["sessionId"]
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **metrics)
        media = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", features=media)
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        for domain in ("Page", "Network", "Log", "Runtime"):
            self.call(f"{domain}.enable")
        self.open(url)

    def call(self, method, **given):
        """A command to this tab."""
        return self._browser.call(method, self._session, **given)

    def events(self, method):
        """What this tab told of a kind so far."""
        mine = [one for one in self._browser.events if one.get("sessionId") == self._session]
        return [one["params"] for one in mine if one["method"] == method]

    def open(self, url):
        """Load an address, from nothing."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        until = time.monotonic() + SECONDS
        ready = "location.href !== 'about:blank' && document.readyState === 'complete'"
        while not self.get(ready):
            assert time.monotonic() < until, f"{url} does not load"
            time.sleep(0.02)

    def get(self, expression):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def middle(self, selector):
        """Where on the screen the middle of an element is, once it was scrolled to."""
        return self.get(
            f"(() => {{ const one = document.querySelector({json.dumps(selector)});"
            "one.scrollIntoView({block: 'center', inline: 'center'});"
            "const box = one.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )

    def hover(self, selector):
        """Move the mouse upon an element."""
        x, y = self.middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        """Press and release the mouse upon an element."""
        x, y = self.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        """A key by its name."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])
        if key == "Enter":
            self.call("Input.dispatchKeyEvent", type="char", key=key, text="\r")

    def type(self, selector, text):
        """Put text where the element takes it, in place of what is there."""
        self.get(f"document.querySelector({json.dumps(selector)}).select()")
        self.get(f"document.querySelector({json.dumps(selector)}).focus()")
        self.call("Input.insertText", text=text)

    def picture(self, path, height=None):
        """A PNG of the screen, or of that much of the page from its top."""
        given = {}
        if height:
            clip = {"x": 0, "y": 0, "width": self.get("innerWidth"), "height": height, "scale": 1}
            given = {"clip": clip, "captureBeyondViewport": True}
        shot = self.call("Page.captureScreenshot", format="png", **given)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        """Close the tab."""
        self._browser.call("Target.closeTarget", targetId=self._target)


def measured(browser, page, width, folder, scheme="light"):
    """What the browser says of a page at a width, in a colour scheme; it asks by a page put in the folder."""
    wrapper = folder / "wrapper.html"
    wrapper.write_text(WRAPPER.format(page=page.as_uri(), width=width))
    tab = Page(browser, wrapper.as_uri(), width=1400, height=1000, scheme=scheme)
    said = tab.get("out.textContent")
    tab.close()
    return json.loads(said)
