"""Every file of every program and test, read by Debian 13's compiler and with its headers: what does not
compile there is seen here. g++ runs by its own loader and C library, and stops before it makes code."""

import json
import platform
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "trixie"
FOLDER = ROOT / f"build-{RELEASE}"
COMMANDS = ROOT / "build" / "compile_commands.json"
MACHINE = platform.machine()


def groups():
    """Files in C++ that one command can read, by a name: those of a folder that are compiled alike, and all
    kernels of a study for the host executor. One instruction set is enough: only its name differs."""
    if not COMMANDS.exists():
        return {}
    found = {}
    for entry in reversed(json.loads(COMMANDS.read_text())):
        file = Path(entry["file"])
        if file.suffix == ".cu":
            continue
        words = shlex.split(entry["command"])
        # What is chosen for this processor, and by this compiler alone, says nothing of that one.
        flags = tuple(
            word for word in words[1 : words.index("-o")] if not word.startswith(("-O", "-m", "-W"))
        )
        unnamed = tuple(word for word in flags if not word.startswith("-DGRIDMARK_ISA="))
        alike = "" if file.match("*.host.cpp") else unnamed
        place = file if file.parent.name == "Unity" else file.parent  # those are several already
        found.setdefault((place, alike), (entry["directory"], flags, set()))[2].add(str(file))
    named = {}
    for (place, _), group in found.items():
        name = str(place.relative_to(ROOT))
        while name in named:
            name += "+"
        named[name] = group
    return named


def packages():
    """Of those that scripts/install.sh asks for, what holds headers; of most without what they depend on."""
    text = (ROOT / "scripts" / "install.sh").read_text()
    listed = re.search(r"^packages=\((.*?)\)", text, re.M | re.S).group(1).split()
    headers = [name for name in [*listed, "libopenmpi-dev"] if name.endswith("-dev")]
    whole = "libboost-context-dev"  # names a version of Boost, whose headers another package has
    return ["g++", whole, *(f"alone:{name}" for name in headers if name != whole)]


@pytest.fixture(scope="session")
def compiler():
    """The words that start it."""
    about = platform.freedesktop_os_release()
    if about.get("ID") != "debian":
        pytest.skip("Debian's archive is signed by keys that Debian has")
    if about.get("VERSION_CODENAME") == RELEASE:
        pytest.skip("this is that release: the build itself is the test")
    FOLDER.mkdir(exist_ok=True)
    sources = FOLDER / "sources.list"
    keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
    sources.write_text(f"deb [signed-by={keys}] http://deb.debian.org/debian {RELEASE} main\n")
    architecture = subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
    unpacked = subprocess.run(
        ["env", f"SOURCES={sources}", ROOT / "scripts/unpack.sh", FOLDER / "root", architecture, *packages()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert unpacked.returncode == 0, unpacked.stderr
    root = FOLDER / "root"
    libraries = root / "usr/lib" / f"{MACHINE}-linux-gnu"
    (loader,) = libraries.glob("ld-linux-*.so.*")
    by_loader = [str(loader), "--library-path", str(libraries)]
    driver = root / "usr/bin" / f"{MACHINE}-linux-gnu-g++"
    return [
        *by_loader,
        "--argv0",
        str(driver),
        str(driver),
        "-wrapper",
        ",".join(by_loader),
        f"--sysroot={root}",
    ]


def there(word):
    """A folder of this system's headers is one of that release's."""
    path = Path(word)
    return (
        str(FOLDER / "root" / path.relative_to("/"))
        if path.is_relative_to("/usr") and not is_ours(path)
        else word
    )


def is_ours(path):
    """CUDA's headers, which no release of Debian brings."""
    return "cuda" in str(path)


@pytest.mark.parametrize("name", sorted(groups()))
def test_files_compile_on_debian_13(compiler, name):
    directory, flags, files = groups()[name]
    kept = [there(word) for word in flags if not word.endswith(("/c++", "/g++"))]
    done = subprocess.run(
        [*compiler, *kept, "-w", "-fsyntax-only", "-x", "c++", "-"],
        cwd=directory,
        input="".join(f'#include "{file}"\n' for file in sorted(files)),
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in done.stderr.splitlines() if "error: " in line]
    assert done.returncode == 0, "\n".join(errors[:20]) or done.stderr[-2000:]
