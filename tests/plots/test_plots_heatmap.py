"""Maps: cells over two parameters, curves across them, their numbers, their words and what they refuse."""

import pytest
import toy
from derived import constant, errors

from gridmark_plots.errors import InputError
from gridmark_plots.figures import heatmap

SPEC = {
    "id": "e", "kind": "map", "title": "Errors", "select": {"quantity": "error"},
    "x": "height", "y": "padding", "unit": "", "label": "largest error", "scale": {"x": "log", "y": "log"},
    "lines": [{"title": "theory, 1e-6", "select": {"quantity": "padding", "tolerance": "1e-6"}}],
}  # fmt: skip
ROWS = [
    constant("error", value, height=height, padding=padding)
    for height, padding, value in ((1, 2, 1e-3), (1, 8, 0.0), (4, 2, 0.2))
]
CURVE = [constant("padding", y, height=h, tolerance="1e-6") for h, y in ((1, 3), (4, 6))]


def made(rows=(*ROWS, *CURVE), *more, **changes):
    return heatmap.make(toy.STUDY, {**SPEC, **changes}, [toy.machine("m", "Box", list(rows)), *more])


def test_the_table_holds_each_cell_and_the_curve():
    figure = made()
    assert figure.headings == ["machine", "height", "padding 2", "padding 8", "theory, 1e-6: padding"]
    assert figure.lines == [["Box", "1", "1.0e-03", "0", "3"], ["Box", "4", "2.0e-01", "–", "6"]]
    assert made(x_title="height h", y_title="padding p").headings[1:3] == ["height h", "padding p 2"]


def test_the_alternative_text_tells_the_range_and_the_curve():
    assert made().alt == (
        "Map of largest error over height and padding. Box: from 0 (height 1, padding 8) to 2.0e-01 "
        "(height 4, padding 2); theory, 1e-6: padding 3 at height 1, 6 at 4. The table holds each cell."
    )


def test_cells_meet_half_way_between_their_places():
    assert heatmap.edges([1, 3, 4], "linear") == [0, 2, 3.5, 4.5]
    assert heatmap.edges([1, 4, 16], "log") == pytest.approx([0.5, 2, 8, 32])
    assert heatmap.edges([5], None) == [4.5, 5.5]


def sheet(*values):
    return heatmap.Sheet("Box", {(k, 1): value for k, value in enumerate(values)}, {})


def test_colours_are_powers_of_ten():
    assert heatmap.decades([sheet(2e-3, 0.5)]) == [-3, -2, -1, 0]
    assert heatmap.decades([sheet(0.0)]) == [0, 1]
    steps = heatmap.decades([sheet(3e-16, 0.3)])
    assert steps[0] == -16 and steps[-1] >= 0 and len(steps) <= 11


@pytest.mark.parametrize("place", [0, 1])
def test_each_cell_has_the_colour_of_its_power(drawn, place):
    made()
    axes = drawn[place].axes[0]
    (mesh,) = axes.collections
    values = mesh.get_array()
    assert values.shape == (2, 2)
    assert values[0, 0] == pytest.approx(-3) and values[0, 1] == pytest.approx(-0.69897)
    assert values[1, 0] == -3 and values.mask[1, 1]  # 0 is as low as any; nothing is no cell
    curve = axes.lines[-1]
    assert list(curve.get_xdata()) == [1, 4] and list(curve.get_ydata()) == [3, 6]
    assert axes.get_xscale() == axes.get_yscale() == "log"
    assert axes.get_xlim() == pytest.approx((0.5, 8)) and axes.get_ylim() == pytest.approx((1, 16))


def test_a_map_of_many_cells_is_drawn_alike_each_time():
    first, second = made(errors()), made(errors())
    assert first.wide == second.wide and "<svg" in first.narrow
    assert len(first.lines) == 7 and first.lines[0].count("–") == 2


def test_every_machine_has_a_panel(drawn):
    figure = made([*ROWS, *CURVE], toy.machine("o", "Other", [*ROWS, *CURVE]))
    assert [axes.get_title(loc="left") for axes in drawn[0].axes[:2]] == ["Box", "Other"]
    assert [line[0] for line in figure.lines] == ["Box", "Box", "Other", "Other"]


@pytest.mark.parametrize(
    "rows", [[constant("error", 1.0, height=1, padding=3), *CURVE], ROWS], ids=["cells", "curves"]
)
def test_a_machine_of_other_places_or_curves_is_drawn_and_told(drawn, rows):
    figure = made([*ROWS, *CURVE], toy.machine("o", "Other", rows))
    assert [line[0] for line in figure.lines] == ["Box", "Box"] and "Other: from" in figure.alt
    assert figure.notes == ["Other has other values of padding: it is drawn and not tabled."]
    assert [len(axes.collections) for axes in drawn[0].axes[:2]] == [1, 1]


def test_each_curve_has_its_own_dashes_on_paper_and_in_the_legend(drawn):
    second = [constant("padding", y, height=h, tolerance="1e-12") for h, y in ((4, 8), (1, 5))]
    titles = ["theory, 1e-6", "theory, 1e-12"]
    given = [{"title": t, "select": {"quantity": "padding", "tolerance": t.split(", ")[1]}} for t in titles]
    figure = made([*ROWS, *CURVE, *second], lines=given)
    assert [line[-2:] for line in figure.lines] == [["3", "5"], ["6", "8"]]
    for drawing in drawn:
        ink = drawing.axes[0].lines[1::2]
        assert [one.get_linestyle() for one in ink] == ["-", "--"]
        assert list(ink[1].get_xdata()) == [1, 4] and list(ink[1].get_ydata()) == [5, 8]
        legend = drawing.legends[0]
        assert [one.get_linestyle() for one in legend.get_lines()] == ["-", "--"]
        assert [text.get_text() for text in legend.get_texts()] == titles
        bar = drawing.axes[-1]
        assert "largest error" in (bar.get_xlabel(), bar.get_ylabel())
    ticks = [[tick.get_text() for tick in drawing.axes[-1].get_yticklabels()] for drawing in drawn[:1]]
    assert ticks == [["1e-3", "1e-2", "1e-1", "1e0"]]


def test_nothing_measured_is_said():
    figure = made([])
    assert figure.notes[0].startswith("This figure is left out") and not figure.wide


@pytest.mark.parametrize(
    "rows, words",
    [
        ([constant("error", 1.0, height="high", padding=1)], "x asks for a number under 'height'"),
        ([constant("error", 1.0, height=1)], "y asks for a number under 'padding', but it has none"),
        ([constant("error", -1.0, height=1, padding=1)], "logarithmic, and its value is below 0"),
        (
            [constant("error", 1.0, height=1, padding=1, seed=k) for k in (1, 2)],
            "a cell takes one row",
        ),
        (
            [*ROWS, *(constant("padding", 1.0, height=1, tolerance="1e-6", seed=k) for k in (1, 2))],
            "the line 'theory, 1e-6' takes one row",
        ),
        ([constant("error", 1.0, height=0, padding=1)], "'log' cannot show"),
    ],
)
def test_what_is_refused_is_named(rows, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")):
        made(rows)
