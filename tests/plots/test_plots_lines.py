"""Lines over a numeric parameter: their data, their words, their panels and what they refuse."""

import re
from itertools import pairwise

import pytest
import toy
from synthetic import row

from gridmark_plots.errors import InputError
from gridmark_plots.figures import axes, lines, palette

SPEC = {
    "id": "l",
    "kind": "lines",
    "title": "Toy lines",
    "select": {"quantity": "time"},
    "x": "n",
    "unit": "us",
    "series": [{"title": "any", "select": {"variant": ["plain", "fast"]}, "best": True}],
}


def box(values, key="m", name="Box", **given):
    """A machine of `(variant, n, value)` rows."""
    other = {"interval": None} if given.get("published") else {}
    return toy.machine(key, name, [row(one, {"n": n}, value, **other) for one, n, value in values], **given)


def made(*machines, **changes):
    return lines.make(toy.STUDY, {**SPEC, **changes}, machines)


BOTH = [("plain", 2, 8.0), ("fast", 2, 9.0), ("plain", 16, 4.0), ("fast", 16, 2.0)]


def test_the_best_of_a_series_is_tabled_with_its_variant():
    figure = made(box(BOTH), x_title="threads")
    assert figure.headings == ["threads", "any, Box (µs)"]
    assert figure.lines == [
        ["2", "8.000 (7.920 to 8.080) [plain]"],
        ["16", "2.000 (1.980 to 2.020) [fast]"],
    ]
    assert (
        "Line plot of time (µs) over threads. any, Box: falls from 8.00 at threads 2 to 2.00 at 16."
        in figure.alt
    )


def test_the_best_names_its_variant_also_where_it_has_no_rival():
    assert [line[1][-7:] for line in made(box([BOTH[0], BOTH[3]])).lines] == ["[plain]", " [fast]"]


def test_the_best_is_the_fastest_also_where_speed_is_drawn():
    rows = [
        row("plain", {"n": 1, "block": b}, value, flops=1e6) for b, value in ((1, 4.0), (2, 2.0), (3, 8.0))
    ]
    figure = made(toy.machine("m", "Box", rows), unit="GFLOP/s")
    assert figure.lines == [["1", "500.0 (495.0 to 505.1) [block 2]"]]
    assert "any, Box: 500 at n 1." in figure.alt and "speed (GFLOP/s)" in figure.alt


def test_without_best_each_row_is_a_mark_and_no_line_joins_them():
    plain = [{"title": "any", "select": SPEC["series"][0]["select"]}]
    figure = made(box(BOTH), series=plain)
    assert (
        figure.lines[0][1] == "8.000 (7.920 to 8.080) [variant plain]; 9.000 (8.910 to 9.090) [variant fast]"
    )
    (line,) = lines._lines(toy.STUDY, {**SPEC, "series": plain}, [box(BOTH)])[0]
    assert [x for x, _ in line.marks] == [2, 2, 16, 16]

    joining = f"fill: none; stroke: {palette.series(0)}; stroke-width: 1.1"
    best = made(box(BOTH))
    for drawing in ("wide", "narrow"):
        assert joining in getattr(best, drawing) and joining not in getattr(figure, drawing)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((1.0, 2.0, 3.0), "rises from 1.00 at n 0 to 3.00 at 2."),
        ((3.0, 2.0, 1.0), "falls from 3.00 at n 0 to 1.00 at 2."),
        ((1.0, 5.0, 2.0), "runs from 1.00 at n 0 to 2.00 at 2, least 1.00 at 0, most 5.00 at 1."),
        ((1.0, 1.0, 2.0), "runs from 1.00 at n 0 to 2.00 at 2, least 1.00 at 0, most 2.00 at 2."),
        ((2.0, 1.0, 1.0), "runs from 2.00 at n 0 to 1.00 at 2, least 1.00 at 1, most 2.00 at 0."),
        ((2.0, 2.001, 2.0), "stays near 2.00 from n 0 to 2."),
        ((2.0,), "Box: 2.00 at n 0."),
    ],
)
def test_the_alternative_text_tells_the_trend(values, words):
    assert words in made(box([("plain", n, value) for n, value in enumerate(values)])).alt


def test_published_lines_are_hollow_and_dashed_and_measured_ones_neither():
    old = box(BOTH[::2], "old-card", "Old card", published=True)
    both, alone = made(old, box(BOTH)), made(box(BOTH))
    assert "stroke-dasharray" in both.wide and "stroke-dasharray" not in alone.wide
    hollow = f"fill-opacity: 0; stroke: {palette.series(0)}"
    assert hollow in both.wide and hollow not in alone.wide
    assert both.headings == ["n", "any, Old card (µs)", "any, Box (µs)"]
    assert both.lines[0] == ["2", "8", "8.000 (7.920 to 8.080) [plain]"]


def test_each_measured_machine_has_its_panel_unless_there_is_one_series():
    two = [{"title": one, "select": {"variant": one}} for one in ("plain", "fast")]
    old, one, other = box(BOTH, "o", "Old", published=True), box(BOTH), box(BOTH, "k", "Other")

    def panels(machines, series):
        found, _ = lines._lines(toy.STUDY, {**SPEC, "series": series}, machines)
        return [(title, [line.label for line in some]) for title, some in lines.panels_of(found)]

    assert panels([old, one, other], two[:1]) == [("", ["plain, Old", "plain, Box", "plain, Other"])]
    assert panels([old, one, other], two) == [
        ("Box", ["plain, Old", "fast, Old", "plain, Box", "fast, Box"]),
        ("Other", ["plain, Old", "fast, Old", "plain, Other", "fast, Other"]),
    ]
    assert panels([old], two) == [("", ["plain, Old", "fast, Old"])]
    assert len(made(old, one, other, series=two).notes) == 0


def test_missing_rows_are_told_and_no_row_at_all_leaves_the_figure_out():
    rows = [row("plain", {"n": 1}, None), row("fast", {"n": 2}, 1.0)]
    assert made(toy.machine("m", "Box", rows)).notes == ["Box: 1 row was skipped: no CUDA device is visible."]
    figure = made(toy.machine("m", "Box", rows[:1]))
    assert figure.notes[0].startswith("This figure is left out") and not figure.wide and not figure.lines


@pytest.mark.parametrize(
    ("given", "changes", "reason"),
    [
        ({"n": "all"}, {}, "m/toy.json: toy/plain/n:all: x asks for a number under 'n', but it is 'all'"),
        ({"k": 1}, {}, "toy/plain/k:1: x asks for a number under 'n', but it has none"),
        (
            {"n": 0},
            {"scale": {"x": "log"}},
            "figures.l.scale.x: 'log' cannot show a value that is not above 0",
        ),
        ({"n": 1}, {"scale": {"y": "log"}, "value": 0.0}, "figures.l.scale.y: 'log' cannot show a value"),
        ({"n": 1}, {"row": {"unit": "%"}, "unit": "%"}, "'best' needs times, its unit is '%'"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(given, changes, reason):
    one = row("plain", given, changes.pop("value", 1.0), **changes.pop("row", {}))
    with pytest.raises(InputError, match=re.escape(reason)):
        made(toy.machine("m", "Box", [one]), **changes)


def test_ticks_stand_at_the_data_as_far_as_there_is_room():
    sizes = [32, 64, 128, 256, 512]
    assert axes._apart(sizes[::-1], axes.math.log, 7) == sizes
    assert axes._apart([1, 2, 4, 8, 16], float, 7) == [1, 4, 8, 16]
    assert axes._apart([5], float, 7) == [5]


def test_long_numbers_below_a_narrow_graph_leave_each_other_room(drawn):
    sizes = [1024 * 4**step for step in range(8)]
    rows = [row("plain", {"n": n}, 2.0) for n in sizes]
    spec = {**toy.SWEEP, "kind": "lines", "x": "n", "scale": {"x": "log"}, "published": []}
    lines.make(toy.STUDY, spec, [toy.machine("m", "Box", rows)])
    for figure, least in ((drawn[0], 4), (drawn[1], 3)):
        figure.canvas.draw()
        boxes = [label.get_window_extent() for label in figure.axes[0].get_xticklabels()]
        assert len(boxes) >= least
        assert all(left.x1 + 2 < right.x0 for left, right in pairwise(boxes))
