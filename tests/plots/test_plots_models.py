"""Predictions beside measured lines: rows without an interval, dashed curves, rings around least values."""

import pytest
import toy
from synthetic import row, save

from gridmark_plots import binary
from gridmark_plots.errors import InputError
from gridmark_plots.figures import lines, palette

SPEC = {
    "id": "l", "kind": "lines", "title": "Toy lines", "select": {}, "x": "n", "unit": "us", "axis": "time",
    "series": [
        {"title": "measured", "select": {"quantity": "time"}, "mark": "least"},
        {"title": "predicted", "select": {"quantity": "model"}, "style": "dashed", "mark": "least"},
    ],
}  # fmt: skip


def derived(n, value, **other):
    """A row that a model gives for a measured machine."""
    made = row("plain", {"n": n}, value, quantity="model", clock=None, interval=None, samples=[], **other)
    return {**made, "name": f"{made['name']}/model"}


ROWS = [row("plain", {"n": n}, value) for n, value in ((1, 8.0), (2, 5.0), (4, 6.0))]
ROWS += [derived(n, value) for n, value in ((1, 7.0), (2, 6.0), (4, 4.0))]


def made(*rows, more=(), **changes):
    return lines.make(toy.STUDY, {**SPEC, **changes}, [toy.machine("m", "Box", rows or ROWS), *more])


def unmarked(*which):
    """The series without this key."""
    return [{key: value for key, value in one.items() if key not in which} for one in SPEC["series"]]


def test_a_row_without_an_interval_is_tabled_and_drawn_without_one(drawn):
    figure = made()
    assert [line[1:] for line in figure.lines] == [
        ["8.000 (7.920 to 8.080)", "7.000"],
        ["5.000 (4.950 to 5.050)", "6.000"],
        ["6.000 (5.940 to 6.060)", "4.000"],
    ]
    bars = [one for one in drawn[0].axes[0].lines if one.get_linewidth() == 1.6]
    assert {one.get_color() for one in bars} == {palette.series(0)} and len(bars) == 3


def test_a_row_without_an_interval_has_its_mark_without_a_style(drawn):
    made(series=unmarked("style", "mark"))
    joined = [one for one in drawn[0].axes[0].lines if one.get_linewidth() == 1.1]
    assert [(one.get_marker(), one.get_linestyle()) for one in joined] == [("o", "-"), ("o", "-")]
    assert list(joined[1].get_ydata()) == [7.0, 6.0, 4.0]


@pytest.mark.parametrize("place", [0, 1])
def test_a_dashed_series_has_no_marks_here_and_in_the_legend(drawn, place):
    made(series=unmarked("mark"))
    (axes,) = drawn[place].axes
    curves = [[one for one in axes.lines if one.get_linewidth() == 1.1], drawn[place].legends[0].get_lines()]
    for measured, predicted in curves:
        assert (measured.get_marker(), measured.get_linestyle()) == ("o", "-")
        assert (predicted.get_marker(), predicted.get_linestyle()) == ("None", "--")
        assert predicted.get_color() == palette.series(1)


def test_it_stays_dashed_in_the_legend_of_several_panels(drawn):
    made(more=[toy.machine("k", "Other", ROWS)])
    styles = [(one.get_marker(), one.get_linestyle()) for one in drawn[0].legends[0].get_lines()]
    assert styles == [("None", "-"), ("None", "--")]


@pytest.mark.parametrize("rows", [ROWS[3:4], [ROWS[3], {**ROWS[4], "parameters": {"n": 1}}]])
def test_predictions_that_nothing_joins_are_dashes(drawn, rows):
    made(*rows, series=unmarked("mark")[1:])
    (one,) = [one for one in drawn[0].axes[0].lines if one.get_linewidth() == 1.1]
    assert one.get_marker() == "_" and len(one.get_xdata()) == len(rows)


def rings(axes):
    found = [one for one in axes.lines if one.get_markersize() == 11]
    assert all(one.get_markerfacecolor() == "none" for one in found)
    return [(one.get_color(), *one.get_xdata(), *one.get_ydata()) for one in found]


@pytest.mark.parametrize("place", [0, 1])
def test_a_ring_is_around_the_least_value_of_each_marked_series(drawn, place):
    other = [row("plain", {"n": n}, 3.0 + n) for n in (1, 2)]
    figure = made(more=[toy.machine("k", "Other", other)])
    assert [rings(axes) for axes in drawn[place].axes] == [
        [(palette.series(0), 2, 5.0), (palette.series(1), 4, 4.0)],
        [(palette.series(0), 1, 4.0)],
    ]
    assert figure.caption.endswith(" A ring is around the least value of its line.")


def test_without_the_mark_there_is_no_ring(drawn):
    figure = made(series=unmarked("mark"))
    assert rings(drawn[0].axes[0]) == [] and "ring" not in figure.caption


def test_the_alternative_text_tells_the_least_of_marked_series_only():
    said = "measured, Box: runs from 8.00 at n 1 to 6.00 at 4, least 5.00 at 2, most 8.00 at 1; "
    assert f"{said}predicted, Box: falls from 7.00 at n 1 to 4.00 at 4, least 4.00 at 4. " in made().alt
    assert f"{said}predicted, Box: falls from 7.00 at n 1 to 4.00 at 4. " in made(series=unmarked("mark")).alt
    assert "time (µs)" in made().alt
    flat = [derived(n, 2.0) for n in (1, 2)]
    assert "predicted, Box: stays near 2.00 from n 1 to 2, least 2.00 at 1." in made(*flat).alt
    assert "predicted, Box: 2.00 at n 1, least 2.00 at 1." in made(*flat[:1]).alt


def test_a_quantity_without_a_unit_has_no_empty_parentheses():
    rows = [derived(n, value, unit="") for n, value in ((1, 0.5), (2, 0.25))]
    figure = made(*rows, unit="", axis="share", series=unmarked()[1:])
    assert figure.headings == ["n", "predicted, Box"]
    assert figure.alt.startswith("Line plot of share over n. ")


CHOSEN = {"quantity": "best", "clock": None}
BOTH_MARKS = [{**SPEC["series"][0], "mark": "least and chosen"}, SPEC["series"][1]]


def choice(n, **other):
    """A row that names an n."""
    return {**derived(n, float(n)), "quantity": "best", "parameters": {}, "unit": "steps", **other}


def squares(axes):
    found = [one for one in axes.lines if one.get_marker() == "s" and one.get_markersize() == 13]
    assert all(one.get_markerfacecolor() == "none" for one in found)
    return [(one.get_color(), *one.get_xdata(), *one.get_ydata()) for one in found]


@pytest.mark.parametrize("place", [0, 1])
def test_a_square_is_around_the_value_that_a_row_names(drawn, place):
    figure = made(*ROWS, choice(4), series=BOTH_MARKS, chosen=CHOSEN)
    (axes,) = drawn[place].axes
    assert squares(axes) == [(palette.series(0), 4, 6.0)]
    assert rings(axes) == [(palette.series(0), 2, 5.0), (palette.series(1), 4, 4.0)]
    assert figure.caption.endswith(" of its line. A square is around the chosen one.")
    assert "least 5.00 at 2, most 8.00 at 1, chosen 6.00 at 4; " in figure.alt


@pytest.mark.parametrize("more", [[], [choice(3)], [choice(4, status="skipped", median=None)]])
def test_without_a_choice_that_was_measured_there_is_no_square(drawn, more):
    figure = made(*ROWS, *more, series=BOTH_MARKS, chosen=CHOSEN)
    assert squares(drawn[0].axes[0]) == [] and "square" not in figure.caption and "chosen" not in figure.alt


def test_two_choices_are_refused():
    with pytest.raises(InputError, match="a series' choice takes one row"):
        made(*ROWS, choice(4), choice(2, name="another"), series=BOTH_MARKS, chosen=CHOSEN)


def test_each_machine_has_its_own_choice(drawn):
    other = toy.machine("k", "Other", [*ROWS[:3], choice(1)])
    made(*ROWS, choice(4), more=[other], series=BOTH_MARKS, chosen=CHOSEN)
    assert [squares(axes) for axes in drawn[0].axes] == [
        [(palette.series(0), 4, 6.0)],
        [(palette.series(0), 1, 8.0)],
    ]


def test_rows_that_the_binary_derives_join_their_set(tmp_path):
    machine, other = (toy.machine(key, key, list(ROWS)) for key in ("m", "k"))
    new, elsewhere = choice(4), choice(2, experiment="elsewhere")
    told = {"directory": "results/m", "tables": [], "derived": [new, elsewhere]}
    given = binary.ratios([machine, other], None, [save(tmp_path / "ratios.json", told)])
    assert given == {"m": {}}
    assert machine.rows("toy") == [*ROWS, new]
    assert other.rows("toy") == ROWS
