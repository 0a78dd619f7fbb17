"""Paths and small worlds for the tests of the plotting package."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "plots"), str(Path(__file__).parent)]

import chromium  # noqa: E402
import gridworld  # noqa: E402
import synthetic  # noqa: E402

from gridmark_plots.__main__ import main  # noqa: E402
from gridmark_plots.figures import canvas  # noqa: E402


@pytest.fixture(scope="session")
def schema():
    return ROOT / "harness" / "result.schema.json"


@pytest.fixture(scope="session")
def rendered(tmp_path_factory):
    """The report on a made-up machine with a GPU and an incomplete one without."""
    root = tmp_path_factory.mktemp("world")
    arguments = synthetic.jacobi_world(root)
    assert main([*arguments, "--results", str(ROOT / "results"), "--out", str(root / "report")]) == 0
    return root / "report"


@pytest.fixture(scope="session")
def gridded(tmp_path_factory):
    """The report on a made-up study of a cube: lines, bars, slices and remarks."""
    root = tmp_path_factory.mktemp("cube")
    assert main([*gridworld.world(root), "--out", str(root / "report")]) == 0
    return root / "report"


@pytest.fixture(scope="session")
def compared(tmp_path_factory):
    """A made-up comparison's directory."""
    root = tmp_path_factory.mktemp("compared")
    saved = synthetic.save(root / "comparison.json", synthetic.comparison())
    assert main(["compare", "--comparison", str(saved), "--out", str(root / "out")]) == 0
    return root / "out"


@pytest.fixture(scope="session")
def sided(tmp_path_factory):
    """Two published cards, a made-up machine with a GPU and an incomplete one without, side by side."""
    root = tmp_path_factory.mktemp("sided")
    assert main([*synthetic.sided(root), "--out", str(root / "out")]) == 0
    return root / "out"


@pytest.fixture(scope="session")
def wrapped(tmp_path_factory):
    """A browser that shows scroll bars, and lets a page look into another file's."""
    with chromium.Browser(tmp_path_factory.mktemp("profile"), "--allow-file-access-from-files") as found:
        yield found


@pytest.fixture
def measure(wrapped, tmp_path):
    """Gives what that browser says of a page at a width, in a colour scheme."""
    return lambda page, width, scheme="light": chromium.measured(wrapped, page, width, tmp_path, scheme)


@pytest.fixture
def drawn(monkeypatch):
    """The drawings made from here on, whose texts and marks can still be asked for: wide, narrow, wide ..."""
    found, draw = [], canvas.draw

    def kept(layout, height, paint):
        def painted(figure, layout):
            paint(figure, layout)
            found.append(figure)

        return draw(layout, height, painted)

    monkeypatch.setattr(canvas, "draw", kept)
    return found
