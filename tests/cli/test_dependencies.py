"""docs/dependencies.md names every dependency with its licence, and every one is fixed."""

import re
from importlib import metadata

import pytest
from conftest import ROOT

TEXT = (ROOT / "docs" / "dependencies.md").read_text()


def listed(heading):
    """The licences in the table below a heading, by package."""
    section = TEXT.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if "| `" in line
    ]
    place = 2 if heading == "System packages" else 1
    return {row[0].strip("`"): row[place] for row in rows}


def requirements(folder="plots"):
    """Lines of the requirements without comments."""
    lines = (ROOT / folder / "requirements.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_every_system_package_is_listed():
    script = (ROOT / "scripts" / "install.sh").read_text()
    installed = set(re.findall(r"\[([a-z0-9+-]+)\]=", script))
    assert "libhdf5-dev" in installed
    assert set(listed("System packages")) == installed
    assert all(listed("System packages").values())


@pytest.mark.parametrize(("heading", "folder"), [("Python packages", "plots"), ("ReFrame", "cluster")])
def test_every_python_package_is_pinned_and_listed(heading, folder):
    pinned = requirements(folder)
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9.]+(post[0-9]+)?", line) for line in pinned)
    assert set(listed(heading)) == {line.split("==")[0] for line in pinned}
    assert all(listed(heading).values())


def test_nothing_that_a_pinned_package_needs_is_left_open():
    pinned = {re.sub("[-_.]+", "-", line.split("==")[0]).lower() for line in requirements()}
    for name in pinned:
        for need in metadata.requires(name) or []:
            if ";" not in need:  # without a condition: always installed
                wanted = re.match(r"[A-Za-z0-9_.-]+", need)[0]
                assert re.sub("[-_.]+", "-", wanted).lower() in pinned, f"{name} needs {need}"


@pytest.mark.parametrize(("name", "licence"), listed("Python packages").items())
def test_licences_are_what_the_packages_say(name, licence):
    about = metadata.metadata(name)
    said = [about.get("License-Expression") or "", about.get("License") or ""]
    said += [line for line in about.get_all("Classifier") or [] if line.startswith("License")]
    word = {"PSF-2.0": "PSF|Python Software Foundation"}.get(licence, licence.split("-")[0])
    assert re.search(word, " ".join(said)), said
