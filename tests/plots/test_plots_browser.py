"""The pages in a real browser: nothing scrolls sideways, headings show, each width has its own drawing."""

import pytest


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("which", ["rendered", "gridded", "compared", "sided"])
def test_nothing_scrolls_sideways_and_every_heading_shows(which, width, request, measure):
    seen = measure(request.getfixturevalue(which) / "index.html", width)
    assert width - 20 < seen["client"] <= width  # less a scroll bar
    assert seen["scroll"] <= seen["client"]
    assert seen["headings"] > 3 and seen["hidden"] == []
    drawn = (seen["graphs"], 0) if width > 700 else (0, seen["graphs"])
    assert seen["graphs"] > 0 and (seen["wide"], seen["narrow"]) == drawn


@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_verdicts_fits_its_width(width, rendered, measure):
    seen = measure(rendered / "verdicts.html", width)
    assert seen["scroll"] <= seen["client"] <= width
    assert seen["headings"] > 26 and seen["hidden"] == []


def test_graphs_and_page_follow_the_colour_scheme(rendered, measure):
    light, dark = (measure(rendered / "index.html", 1280, scheme) for scheme in ("light", "dark"))
    assert light["background"] == "rgb(253, 253, 251)" and dark["background"] == "rgb(20, 24, 28)"
    inks = ("rgb(32, 38, 45)", "rgb(228, 231, 234)")
    assert [ink in light["fills"] for ink in inks] == [True, False]
    assert [ink in dark["fills"] for ink in inks] == [False, True]
