"""Bars: their order, their colours, their data and their words."""

import re

import pytest
import toy
from synthetic import row

from gridmark_plots.errors import InputError
from gridmark_plots.figures import bars, palette

SPEC = {
    "id": "b",
    "kind": "bars",
    "title": "Toy bars",
    "select": {"quantity": "time"},
    "groups": ["variant"],
    "unit": "us",
}
ROWS = [
    row("fast", {"n": 1}, 2.0),
    row("host", {"n": 1}, 9.0, clock="wall"),
    row("plain", {"n": 1}, 5.0, clock="step"),
    row("plain", {"n": 2}, 4.0, clock="step"),
]
BOX = toy.machine("m", "Box", ROWS)
OLD = toy.machine("o", "Old card", toy.PUBLISHED, published=True)


def made(*machines, **changes):
    return bars.make(toy.STUDY, {**SPEC, **changes}, machines)


def test_bars_stand_in_the_order_asked_for_and_the_others_behind():
    figure = made(BOX, order=["host", "never", "plain"], best=True)
    assert figure.headings == ["variant", "Box: GPU (µs)", "Box: CPU (µs)"]
    assert figure.lines == [
        ["host", "–", "9.000 (8.910 to 9.090)"],
        ["plain", "4.000 (3.960 to 4.040) [n 2]", "–"],
        ["fast", "2.000 (1.980 to 2.020) [n 1]", "–"],
    ]
    assert figure.caption.startswith("The fastest configuration of each.")


@pytest.mark.parametrize(("length", "above"), [(12, False), (13, True)])
def test_on_a_phone_longer_names_stand_above_their_bars(drawn, length, above):
    names = ["n" * length, "m"]
    made(toy.machine("m", "Box", [row(name, {"n": 1}, 2.0) for name in names]))
    wide, narrow = (figure.axes[0] for figure in drawn)
    assert ([text.get_text() for text in narrow.texts if text.get_text() in names] == names) == above
    assert not any(text.get_text() in names for text in wide.texts)


def test_without_best_each_row_has_a_bar_and_groups_tell_them_apart():
    assert made(BOX).lines[1] == ["plain", "5.000 (4.950 to 5.050) [n 1]; 4.000 (3.960 to 4.040) [n 2]", "–"]
    names = [line[:2] for line in made(BOX, groups=["variant", "n"]).lines]
    assert names == [["fast", "1"], ["plain", "1"], ["plain", "2"], ["host", "1"]]


def test_sides_differ_in_colour_and_published_bars_are_hollow():
    figure = made(OLD, BOX, toy.machine("k", "Other", ROWS))
    faces = set(re.findall(r'style="fill: (#[0-9a-f]{6}|none); stroke: (#[0-9a-f]{6})', figure.wide))
    every = [palette.series(index) for index in range(4)]
    assert {("none", every[0]), *((colour, colour) for colour in every)} <= faces
    assert figure.headings[1:] == [
        "Old card: GPU (µs)", "Box: GPU (µs)", "Box: CPU (µs)", "Other: GPU (µs)", "Other: CPU (µs)",
    ]  # fmt: skip
    assert {face for face, _ in faces} <= {light for light, _ in palette.EVERY} | {"none"}


@pytest.mark.parametrize("place", [0, 1])
def test_every_bar_ends_in_its_interval_and_its_value(drawn, place):
    guess = row("rough", {"n": 1}, 3.0, status="estimate", reason="one sample")
    made(toy.machine("o", "Old", toy.PUBLISHED[:1], published=True), toy.machine("m", "Box", [guess]))
    (axes,) = drawn[place].axes
    assert [text.get_text() for text in axes.texts if text.get_text()[0].isdigit()] == ["40", "3.000 est."]
    assert [list(line.get_xdata()) for line in axes.lines] == [pytest.approx([2.97, 3.03])]
    assert [bar.get_facecolor()[3] for bar in axes.patches] == [0, 1]
    assert [bar.get_x() + bar.get_width() for bar in axes.patches] == pytest.approx([40, 3])
    names = [text.get_text() for text in (*axes.get_yticklabels(), *axes.texts)]
    assert {"plain", "rough"} <= set(names)


def test_missing_rows_are_told():
    rows = [*ROWS, row("lost", {"n": 1}, None)]
    assert made(toy.machine("m", "Box", rows)).notes == ["Box: 1 row was skipped: no CUDA device is visible."]


def test_the_words_name_the_ends_of_each_side():
    alt = made(BOX, best=True).alt
    assert alt.startswith(
        "Bar graph of time (µs) for 3 configurations of variant. Box: GPU: from 2.00 with fast"
    )
    assert "to 4.00 with plain; Box: CPU: 9.00 with host. The table holds each value." in alt


def test_a_quantity_without_a_clock_has_no_side():
    rate = row("plain", {"n": 1}, 61.0, quantity="rate", unit="%", clock=None)
    figure = made(toy.machine("m", "Box", [rate]), select={"quantity": "rate"}, unit="%")
    assert figure.headings == ["variant", "Box (%)"] and "rate (%)" in figure.alt


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_either_scale_can_be_asked_for(scale):
    assert made(BOX, scale=scale).wide != made(BOX, scale="log" if scale == "linear" else "linear").wide


def test_nothing_measured_leaves_the_figure_out_and_a_zero_has_no_logarithm():
    figure = made(toy.machine("m", "Box", [row("plain", {"n": 1}, None)]))
    assert figure.notes[0].startswith("This figure is left out") and not figure.wide
    zero = toy.machine("m", "Box", [row("plain", {"n": 1}, 0.0)])
    with pytest.raises(InputError, match=r"toy/study.json: figures.b.scale: 'log' cannot show a value"):
        made(zero, scale="log")
    assert made(zero).wide
