"""Axes: where they begin and end, what stands at their ticks, what they are called, what they refuse."""

import pytest
import toy
from matplotlib.figure import Figure
from synthetic import row

from gridmark_plots.errors import InputError
from gridmark_plots.figures import axes as scales
from gridmark_plots.figures import canvas


def scaled(scale, which, *given):
    """(kind, limits, {tick: text}) of an axis that `scale(axes, ...)` has set."""
    figure = Figure()
    axes = figure.add_subplot()
    scale(axes, *given)
    axis = getattr(axes, f"{which}axis")
    texts = {tick: axis.get_major_formatter()(tick) for tick in axis.get_major_locator()()}
    assert not list(axis.get_minor_locator()()) and axis.get_gridlines()[0].get_visible()
    return axis.get_scale(), axis.get_view_interval(), texts


@pytest.mark.parametrize("which", ["x", "y"])
def test_ticks_of_a_parameter_stand_at_its_values_in_plain_numbers(which):
    kind, limits, texts = scaled(scales.places, which, [1000, 2000, 4000], None, 12, which)
    assert (kind, list(limits)) == ("linear", [850, 4150])
    assert texts == {1000: "1\u202f000", 2000: "2\u202f000", 4000: "4\u202f000"}
    kind, limits, texts = scaled(scales.places, which, [0.5, 8, 128], "log", 12, which)
    assert kind == "log" and texts == {0.5: "0.5", 8: "8", 128: "128"}
    assert list(limits) == pytest.approx([0.5 / 256**0.05, 128 * 256**0.05])
    assert list(scaled(scales.places, which, [7], None, 12, which)[1]) == [6.5, 7.5]
    assert list(scaled(scales.places, which, [7], "log", 12, which)[1]) == pytest.approx([7 / 1.1, 7.7])


def test_longer_numbers_along_x_get_fewer_ticks():
    values = [10**6 + k for k in range(12)]
    along, up = (scaled(scales.places, which, values, None, 6, which)[2] for which in "xy")
    assert len(along) < len(up) and set(along) <= set(up) <= set(values)


@pytest.mark.parametrize(
    ("values", "kind", "scale", "limits"),
    [
        ([2.0, 6.0], None, "linear", (0, 6.72)),  # three is not more than three
        ([2.0, 6.01], None, "log", (1.6, 7.5125)),
        ([2.0, 60.0], "linear", "linear", (0, 67.2)),
        ([2.0, 3.0], "log", "log", (1.6, 3.75)),
        ([0.0, 60.0], None, "linear", (0, 67.2)),
        ([-2.0, 5.0], None, "linear", (-2.2, 5.6)),
        ([-2.0, -1.0], None, "linear", (-2.2, 1.0)),
        ([0.0, 0.0], None, "linear", (0, 1)),
    ],
)
def test_values_of_more_than_a_factor_of_three_are_logarithmic_and_others_reach_zero(
    values, kind, scale, limits
):
    found, ends, texts = scaled(scales.spread, "y", "y", values, 9, kind)
    assert (found, tuple(ends)) == (scale, pytest.approx(limits))
    assert all(
        float(text.replace("\u202f", "").replace("−", "-")) == pytest.approx(tick)
        for tick, text in texts.items()
    )


def test_an_axis_is_called_by_the_figures_own_word_or_what_it_shows():
    spec = {"select": {"quantity": "l1_hit_rate"}, "unit": "%"}
    assert scales.title_of(spec) == "l1 hit rate (%)"
    assert scales.title_of({**spec, "unit": ""}) == "l1 hit rate"
    assert scales.title_of({**spec, "unit": "GFLOP/s"}) == "speed (GFLOP/s)"
    assert scales.title_of({**spec, "unit": "us", "axis": "time of a step"}) == "time of a step (µs)"
    assert scales.title_of({"select": {"quantity": ["a", "b"]}, "unit": "s"}) == "value (s)"
    assert scales.title_of({"select": {}, "unit": "s"}) == "value (s)"
    assert scales.name_of({"x": "slab_depth"}, "x") == "slab depth"
    assert scales.name_of({"x": "slab_depth", "x_title": "depth_"}, "x") == "depth_"


def test_a_parameter_that_is_no_number_is_refused():
    for value, said in (("all", "it is 'all'"), (None, "it has none"), (True, "it is 'yes'")):
        with pytest.raises(
            InputError, match=rf"f: toy/v/n:{value}: y asks for a number under 'n', but {said}"
        ):
            scales.number(row("v", {"n": value}, 1.0), "n", "y", "f")
    assert scales.number(row("v", {"n": 0}, 1.0), "n", "y", "f") == 0


@pytest.mark.parametrize(
    ("kind", "values", "refused"), [("log", [1, 0], True), ("log", [1], False), (None, [0], False)]
)
def test_nothing_below_or_at_zero_has_a_logarithm(kind, values, refused):
    if refused:
        with pytest.raises(InputError, match=r"toy/study\.json: figures\.s\.scale\.x: 'log' cannot show"):
            scales.check_log(toy.STUDY, toy.SWEEP, "scale.x", kind, values)
    else:
        scales.check_log(toy.STUDY, toy.SWEEP, "scale.x", kind, values)


# Drawings on a page.

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9pt" height="8pt" viewBox="0 0 9 8" version="1.1">'
    '<defs><path id="i0" d="M0 0"/><clipPath id="i1"/></defs><use href="#i0"/>'
    '<g clip-path="url(#i1)" id="i10"/><use href="#_41"/></svg>'
)


def test_ids_of_each_drawing_are_its_own_on_a_page_but_letters_are_shared():
    found = canvas.inline(SVG, 3)
    assert found.startswith('<svg viewBox="0 0 9 8" aria-hidden="true" focusable="false">')
    for part in ('id="g3i0"', 'id="g3i1"', 'id="g3i10"', 'href="#g3i0"', "url(#g3i1)", 'href="#_41"'):
        assert part in found
    assert canvas.inline(SVG, 4).replace("g4i", "g3i") == found


def test_a_drawing_is_rid_of_its_makers_words_and_keeps_hundredths():
    raw = (
        '<?xml version="1.0"?>\n<svg xmlns:xlink="http://www.w3.org/1999/xlink">\n'
        ' <metadata>\nwho</metadata>\n <!-- a\n b --><g id="axes_1"><path id="DejaVuSans-41" d="M 1 2"/>'
        '<path id="m9f" d="M 1.23456 -2.999 C 0.001 1 2 3 4 5" style="stroke-width: 1.23456"/>'
        '<use xlink:href="#m9f" x="3.14159" y="2.0001"/><use xlink:href="#DejaVuSans-41"/></g></svg>'
    )
    found = canvas.clean(raw)
    assert found.startswith("<svg>") and "who" not in found and "<!--" not in found and "xlink" not in found
    assert 'd="M1.23 -3C0 1 2 3 4 5"' in found and "stroke-width: 1.23456" in found
    assert '<use href="#i0" x="3.1" y="2"/>' in found and 'id="i0"' in found
    assert '<use href="#_41"/>' in found and 'id="_41"' in found and "axes_1" not in found
