"""The pages in a real browser: nothing scrolls sideways, headings show, each width has its own drawing."""

import html
import json
import re
import subprocess

import chromium
import pytest

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


def measure(page, width, tmp_path, scheme=1):
    """What the browser says of a page at this width; scheme 0 is dark, 1 is light."""
    wrapper = tmp_path / "wrapper.html"
    wrapper.write_text(WRAPPER.format(page=page.as_uri(), width=width))
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files", "--dump-dom"]
    flags += [
        f"--user-data-dir={tmp_path / 'profile'}",
        "--virtual-time-budget=10000",
        "--window-size=1400,1000",
    ]
    flags += [f"--blink-settings=preferredColorScheme={scheme}"]
    done = subprocess.run(
        [chromium.program(), *flags, wrapper.as_uri()],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    said = re.search(r'<pre id="out">(.+?)</pre>', done.stdout, re.S)
    assert said, "the browser has not loaded the page"
    return json.loads(html.unescape(said[1]))


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("which", ["rendered", "gridded", "compared", "sided"])
def test_nothing_scrolls_sideways_and_every_heading_shows(which, width, request, tmp_path):
    seen = measure(request.getfixturevalue(which) / "index.html", width, tmp_path)
    assert width - 20 < seen["client"] <= width  # less a scroll bar
    assert seen["scroll"] <= seen["client"]
    assert seen["headings"] > 3 and seen["hidden"] == []
    drawn = (seen["graphs"], 0) if width > 700 else (0, seen["graphs"])
    assert seen["graphs"] > 0 and (seen["wide"], seen["narrow"]) == drawn


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_verdicts_fits_its_width(width, rendered, tmp_path):
    seen = measure(rendered / "verdicts.html", width, tmp_path)
    assert seen["scroll"] <= seen["client"] <= width
    assert seen["headings"] > 26 and seen["hidden"] == []


def test_graphs_and_page_follow_the_colour_scheme(rendered, tmp_path):
    light, dark = (measure(rendered / "index.html", 1280, tmp_path, scheme) for scheme in (1, 0))
    assert light["background"] == "rgb(253, 253, 251)" and dark["background"] == "rgb(20, 24, 28)"
    inks = ("rgb(32, 38, 45)", "rgb(228, 231, 234)")
    assert [ink in light["fills"] for ink in inks] == [True, False]
    assert [ink in dark["fills"] for ink in inks] == [False, True]
