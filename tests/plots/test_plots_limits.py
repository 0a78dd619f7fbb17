"""Limits beside lines: what a ceiling allows each row, in the figure's unit, once where series share it."""

import re

import pytest
import toy
from synthetic import row

from gridmark_plots.errors import InputError
from gridmark_plots.figures import lines, palette

BOTH = [{"title": one, "select": {"variant": one}} for one in ("plain", "fast")]
SPEC = {
    "id": "l", "kind": "lines", "title": "Toy lines", "select": {"quantity": "time"}, "x": "n", "unit": "us",
    "series": BOTH, "limits": True,
}  # fmt: skip
COPY, LAUNCH = "gpu_copy_bandwidth", "gpu_launch"


def limited(variant, n, value, limit=None, ceiling=COPY, **other):
    """A row of n points that takes `value` us where `limit` us are the least."""
    given = limit and {"ceiling": ceiling, "value": limit, "unit": "us", "share": limit / value}
    return row(variant, {"n": n, **other}, value, limit=given, flops=50.0 * n)


def made(rows, *more, **changes):
    return lines.make(toy.STUDY, {**SPEC, **changes}, [toy.machine("m", "Box", rows), *more])


def dotted(drawing, panel=0):
    """{colour: (x, y) of its dotted line} of a drawing's panel."""
    found = [one for one in drawing.axes[panel].lines if one.get_linestyle() == ":"]
    assert all(one.get_marker() == "None" for one in found)
    return {one.get_color(): (list(one.get_xdata()), list(one.get_ydata())) for one in found}


OWN = [
    limited("plain", 1, 8.0, 4.0, LAUNCH), limited("plain", 2, 9.0, 5.0),
    limited("fast", 1, 7.0, 2.0), limited("fast", 2, 8.0, 5.0),
]  # fmt: skip
SAME = [limited(variant, n, 9.0 - n, 3.0 * n) for variant in ("plain", "fast") for n in (1, 2)]


@pytest.mark.parametrize("place", [0, 1])
def test_each_series_has_its_rows_limits_dotted_in_its_colour(drawn, place):
    made(OWN)
    wanted = {palette.series(0): ([1, 2], [4.0, 5.0]), palette.series(1): ([1, 2], [2.0, 5.0])}
    assert dotted(drawn[place]) == wanted
    legend = drawn[place].legends[0]
    assert legend.get_title().get_text().replace("\n", " ") == (
        "dotted: limit set by GPU launch or GPU copy bandwidth"
    )
    assert [text.get_text() for text in legend.get_texts()] == ["plain", "fast"]


def test_the_table_and_the_alternative_text_tell_the_limits():
    figure = made([*OWN, limited("plain", 4, 9.0)])
    assert figure.headings[3:] == ["limit of plain, Box (µs)", "limit of fast, Box (µs)"]
    assert [line[3:] for line in figure.lines] == [
        ["4.000 (GPU launch)", "2.000 (GPU copy bandwidth)"],
        ["5.000 (GPU copy bandwidth)", "5.000 (GPU copy bandwidth)"],
        ["–", "–"],
    ]
    assert "Dotted: limit set by GPU launch or GPU copy bandwidth. The table holds" in figure.alt


def test_a_limit_becomes_a_speed_where_speeds_are_drawn_and_the_axis_reaches_it(drawn):
    figure = made([limited("plain", 1000, 8.0, 0.5), limited("plain", 2000, 8.0, 2.0)], unit="Gpoint/s")
    assert [line[-1] for line in figure.lines] == [
        "2.000 (GPU copy bandwidth)",
        "1.000 (GPU copy bandwidth)",
    ]
    assert dotted(drawn[0]) == {palette.series(0): ([1000, 2000], [2.0, 1.0])}
    assert drawn[0].axes[0].get_ylim()[1] > 2.0
    milliseconds = made([limited("plain", 1, 8.0, 4.0)], unit="ms")
    assert milliseconds.lines[0][-1] == "0.004000 (GPU copy bandwidth)"


@pytest.mark.parametrize("rows", [SAME, SAME[:3], SAME[1:]])
def test_series_that_share_a_limit_have_one_line_of_no_series_colour(drawn, rows):
    figure = made(rows)
    assert dotted(drawn[0]) == {palette.MUTED[0]: ([1, 2], [3.0, 6.0])}
    assert figure.headings[3:] == ["limit of plain and fast, Box (µs)"]


def test_series_that_never_meet_or_differ_somewhere_keep_their_own(drawn):
    made([*SAME[:2], limited("fast", 4, 5.0, 12.0), limited("fast", 5, 5.0, 15.0)])
    assert set(dotted(drawn[0])) == {palette.series(0), palette.series(1)}


def test_a_series_that_differs_from_one_of_those_that_agree_keeps_its_own(drawn):
    rows = [limited("plain", 1, 8.0, 4.0), limited("fast", 1, 7.0, 4.0), limited("fast", 2, 8.0, 5.0)]
    rows += [limited("third", 1, 9.0, 4.0), limited("third", 2, 9.0, 6.0)]
    third = [*BOTH, {"title": "third", "select": {"variant": "third"}}]
    figure = made(rows, series=third)
    assert dotted(drawn[0]) == {
        palette.MUTED[0]: ([1, 2], [4.0, 5.0]),
        palette.series(2): ([1, 2], [4.0, 6.0]),
    }
    assert figure.headings[4:] == ["limit of plain and fast, Box (µs)", "limit of third, Box (µs)"]


def test_machines_keep_their_own_limits_in_their_panels(drawn):
    figure = made(SAME, toy.machine("k", "Other", SAME[:3]))
    for panel in (0, 1):
        assert dotted(drawn[0], panel) == {palette.MUTED[0]: ([1, 2], [3.0, 6.0])}
    assert figure.headings[5:] == ["limit of plain and fast, Box (µs)", "limit of plain and fast, Other (µs)"]


@pytest.mark.parametrize("place", [0, 1])
def test_the_drawing_grows_by_the_words_about_dotted_lines(drawn, place):
    for limits in (False, True):
        made(OWN, limits=limits)
    without, beside = (drawing.get_size_inches()[1] for drawing in drawn[place::2])
    lines_of_text = drawn[place + 2].legends[0].get_title().get_text().count("\n") + 1
    assert beside - without == pytest.approx(0.18 * lines_of_text)


def test_the_limit_beside_the_best_is_that_of_the_chosen_row(drawn):
    best = [{"title": "any", "select": {}, "best": True}]
    made(
        [limited("plain", n, 5.0, 4.0) for n in (1, 2)] + [limited("fast", n, 4.0, 1.0) for n in (1, 2)],
        series=best,
    )
    assert dotted(drawn[0]) == {palette.series(0): ([1, 2], [1.0, 1.0])}


def test_rows_at_one_place_have_one_limit_or_are_refused():
    rows = [limited("plain", 1, 5.0, 4.0, block=1), limited("plain", 1, 6.0, 4.0, block=2)]
    assert made(rows).lines[0][-1] == "4.000 (GPU copy bandwidth)"
    rows.append(limited("plain", 1, 6.0, 3.0, block=3))
    said = "m/toy.json: toy/plain/n:1/block:1: 'limits' asks for one at each x, this has 2"
    with pytest.raises(InputError, match=re.escape(said)):
        made(rows)


def test_a_lone_limit_is_a_dash_since_no_line_would_show(drawn):
    made([limited("plain", 1, 5.0, 4.0)])
    (dash,) = (one for one in drawn[0].axes[0].lines if one.get_marker() == "_")
    assert (list(dash.get_xdata()), list(dash.get_ydata())) == ([1], [4.0])


def test_without_limits_or_beside_published_numbers_nothing_is_dotted(drawn):
    old = toy.machine("o", "Old", [{**one, "interval": None} for one in OWN], published=True)
    bare = [limited("plain", n, 5.0) for n in (1, 2)]
    plain = [made(OWN, limits=False), made(bare), made(bare, old)]
    assert all(not dotted(drawing) and not drawing.legends[0].get_title().get_text() for drawing in drawn)
    assert all("limit" not in " ".join([*figure.headings, figure.alt]) for figure in plain)
    assert made(bare).wide == made(bare, limits=False).wide
