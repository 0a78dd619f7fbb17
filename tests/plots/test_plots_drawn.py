"""Sweeps and rooflines as drawn: every mark at its value, in its machine's look, below the roofs measured."""

import pytest
import toy
from matplotlib.colors import to_hex
from synthetic import CPU_CEILINGS, GPU_CEILINGS, ceiling, row

from gridmark_plots.figures import lines, palette, roofline, sweep

OLD = toy.machine("old-card", "Old card", toy.PUBLISHED, published=True)
BOX = toy.machine("m", "Box", toy.MEASURED)
BOTH = [{"title": name, "select": {"variant": name}} for name in ("plain", "fast")]


def marks(axes):
    """{place in the data: mark} of those that are points."""
    return {line.get_gid(): line for line in axes.lines if line.get_gid() and len(line.get_xdata()) == 1}


def spot(line):
    return line.get_xdata()[0], line.get_ydata()[0]


@pytest.mark.parametrize("narrow", [False, True])
def test_a_sweeps_marks_stand_beside_each_other_at_their_values(drawn, narrow):
    sweep.make(toy.STUDY, {**toy.SWEEP, "series": BOTH}, [OLD, BOX])
    axes = drawn[narrow].axes[0]
    found = {gid: spot(line)[::-1] if narrow else spot(line) for gid, line in marks(axes).items()}
    # Line 0, column 1: plain on the old card; then fast there, plain and fast on the box, plain on n = 2.
    values = {"mark:0:1:0": 40, "mark:0:2:0": 25, "mark:0:3:0": 2.5, "mark:0:4:0": 2.0, "mark:1:3:0": 5.0}
    assert {gid: value for gid, (_, value) in found.items()} == values
    places = [found[f"mark:0:{column}:0"][0] for column in (1, 2, 3, 4)]
    assert places == sorted(places) and len(set(places)) == 4 and sum(places) == pytest.approx(0)
    assert found["mark:1:3:0"][0] - 1 == pytest.approx(places[2])
    tracks = {line.get_gid(): line for line in axes.lines if len(line.get_xdata()) == 2}
    ends = tracks["mark:0:3:0"].get_xdata() if narrow else tracks["mark:0:3:0"].get_ydata()
    assert list(ends) == [2.4, 2.6] and set(tracks) == {"mark:0:3:0", "mark:0:4:0", "mark:1:3:0"}
    hollow = {gid for gid, line in marks(axes).items() if line.get_markerfacecolor() == "none"}
    assert hollow == {"mark:0:1:0", "mark:0:2:0"}
    by_machine = [{marks(axes)[f"mark:0:{k}:0"].get_marker() for k in some} for some in ((1, 2), (3, 4))]
    assert all(len(shapes) == 1 for shapes in by_machine) and by_machine[0] != by_machine[1]
    assert [to_hex(marks(axes)[f"mark:0:{k}:0"].get_color()) for k in (1, 2, 3, 4)] == [
        palette.series(0), palette.series(1),
    ] * 2  # fmt: skip


def test_a_sweeps_axes_are_named_in_both_drawings(drawn):
    rows = [row("plain", {"a_b": n, "c": "x"}, 2.0 * n) for n in (1, 2)] + [row("plain", {"a_b": 3}, 7.0)]
    sweep.make(toy.STUDY, {**toy.SWEEP, "x": ["a_b", "c"]}, [toy.machine("m", "Box", rows)])
    wide, narrow = (figure.axes[0] for figure in drawn)
    assert [tick.get_text() for tick in wide.get_xticklabels()] == ["1 /\nx", "2 /\nx", "3 /\n–"]
    assert [tick.get_text() for tick in narrow.get_yticklabels()] == ["1 / x", "2 / x", "3 / –"]
    assert (wide.get_xlabel(), wide.get_ylabel()) == ("a b / c", "time (µs)")
    assert (narrow.get_title(loc="left"), narrow.get_xlabel()) == ("a b / c", "time (µs)")
    assert narrow.yaxis.get_inverted() and not wide.yaxis.get_inverted()
    for figure in drawn:
        assert [text.get_text() for text in figure.legends[0].get_texts()] == ["plain, Box"]


def test_many_long_names_are_turned_and_stand_on_one_line(drawn):
    rows = [row("plain", {"n": f"configuration {n:02}"}, 2.0) for n in range(9)]
    sweep.make(toy.STUDY, toy.SWEEP, [toy.machine("m", "Box", rows)])
    first = drawn[0].axes[0].get_xticklabels()[0]
    assert first.get_rotation() > 0 and first.get_text() == "configuration 00"
    assert drawn[1].axes[0].get_yticklabels()[0].get_rotation() == 0


def test_lines_join_only_where_every_place_has_one_mark(drawn):
    spec = {"id": "l", "kind": "lines", "title": "L", "select": {"quantity": "time"}, "x": "n", "unit": "us"}
    rows = [row("plain", {"n": n, "k": k}, 2.0 + k) for n, k in ((1, 1), (1, 2), (2, 1))]
    lines.make(toy.STUDY, {**spec, "series": BOTH[:1]}, [toy.machine("m", "Box", rows)])
    assert {line.get_linestyle() for line in drawn[0].axes[0].lines if not line.get_gid()} == {"None"}


ROOFLINE = {
    "id": "r", "kind": "roofline", "title": "Roofs", "select": {"quantity": "time"},
    "groups": ["variant", "n"], "best": True,
}  # fmt: skip
POINTS = [
    row("plain", {"n": 1}, 4.0, bytes=8000.0, flops=4000.0),
    row("fast", {"n": 1}, 2.0, bytes=4000.0, flops=4000.0),
    row("fast", {"n": 2}, 1.0, bytes=4000.0, flops=2000.0),
    row("fast", {"n": 2}, 8.0, bytes=2000.0, flops=4000.0, clock="wall"),
]


def roofed(rows=tuple(POINTS), ceilings=(*GPU_CEILINGS, *CPU_CEILINGS), **changes):
    machine = toy.machine("m", "Box", list(rows))
    machine.sets["toy"].context["ceilings"] = list(ceilings)
    return roofline.make(toy.STUDY, {**ROOFLINE, **changes}, [machine])


@pytest.mark.parametrize("place", [0, 1])
def test_every_point_lies_at_its_work_and_speed_in_its_groups_look(drawn, place):
    figure = roofed()
    gpu, cpu = drawn[place].axes
    assert [axes.get_title(loc="left") for axes in (gpu, cpu)] == ["Box: GPU", "Box: CPU"]
    found = {gid: spot(line) for axes in (gpu, cpu) for gid, line in marks(axes).items()}
    assert found == {
        "mark:0:": (0.5, pytest.approx(1.0)), "mark:1:": (1.0, pytest.approx(2.0)),
        "mark:2:": (0.5, pytest.approx(2.0)), "mark:3:": (2.0, pytest.approx(0.5)),
    }  # fmt: skip
    assert [float(line[4]) for line in figure.lines] == [0.5, 1.0, 0.5, 2.0]
    one, two, three = (marks(gpu)[f"mark:{k}:"] for k in range(3))
    assert one.get_color() != two.get_color() == three.get_color()
    assert one.get_marker() == two.get_marker() != three.get_marker()
    assert marks(cpu)["mark:3:"].get_marker() not in (one.get_marker(), three.get_marker())
    words = [text.get_text() for text in drawn[place].legends[0].get_texts()]
    assert words == ["plain", "fast", "1, kernel", "2, kernel", "2, wall"]


@pytest.mark.parametrize("place", [0, 1])
def test_roofs_rise_to_the_peak_and_lie_flat_beyond_the_fastest_memory(drawn, place):
    roofed()
    axes = drawn[place].axes[0]
    low, high = axes.get_xlim()
    roofs = [list(zip(*line.get_data(), strict=True)) for line in axes.lines if not line.get_gid()]
    slopes, flats = roofs[:2], roofs[2:]
    for (start, end), speed in zip(slopes, (4190.0, 9200.0), strict=True):
        assert start == pytest.approx((low, speed * low)) and end == pytest.approx((61500 / speed, 61500))
    for (start, end), peak in zip(flats, (61500.0, 30700.0), strict=True):
        assert start == pytest.approx((peak / 9200, peak)) and end == pytest.approx((high, peak))
    words = [text.get_text() for text in axes.texts]
    assert words == ["memory 4.19 TB/s", "L2 9.2 TB/s", "float 61.5 TFLOP/s", "double 30.7 TFLOP/s"]
    floor, top = axes.get_ylim()
    assert floor < min(1.0, 4190 * low) and top > 61500 and low < 0.5 and high > 61500 / 4190
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_a_roof_of_a_thousand_is_told_in_the_next_unit():
    assert roofline.Roof("a", 1000.0, True).text == "a 1 TB/s"
    assert roofline.Roof("a", 1000.0, False).text == "a 1 TFLOP/s"
    roofs, _ = roofline.of({"ceilings": [{**CPU_CEILINGS[0], "value": 999.4}, CPU_CEILINGS[1]]}, "CPU")
    assert [roof.text for roof in roofs] == ["memory 999 GB/s", "float 1.65 TFLOP/s"]
    assert [roof.at(2.0) for roof in roofs] == pytest.approx([1998.8, 1650.0])


def test_bandwidths_are_slopes_and_peaks_are_flat():
    for where, names in roofline.NAMES.items():
        given = [ceiling(name, 8.0, "GFLOP/s" if "peak" in name else "GB/s", "") for name in names]
        roofs, missing = roofline.of({"ceilings": given}, where)
        assert missing == [] and len(roofs) == len(given)
        assert sorted(roof.title for roof in roofs if not roof.slope) == ["double", "float"]
        assert all(roof.text.endswith("8 GB/s" if roof.slope else "8 GFLOP/s") for roof in roofs)


@pytest.mark.parametrize(
    ("copy", "triad", "best"), [(400, 500, 500), (500, 400, 500), (None, 400, 400), (300, None, 300)]
)
def test_the_faster_of_copy_and_triad_is_the_memorys_roof(copy, triad, best):
    given = [
        ceiling(f"gpu_{name}_bandwidth", value, "GB/s", "")
        for name, value in (("copy", copy), ("triad", triad))
    ]
    roofs, _ = roofline.of({"ceilings": given}, "GPU")
    assert [(roof.title, roof.value) for roof in roofs] == [("memory", best)]


def test_a_row_without_work_is_no_point_and_a_machine_without_any_says_so():
    lacking = [{**POINTS[0], key: None} for key in ("bytes", "flops")] + [row("plain", {"n": 1}, None)]
    figure = roofed(lacking)
    assert not figure.wide and figure.notes[1:] == ["Box: no measured row states its time, bytes and flops."]
    assert len(roofed([*lacking, POINTS[0]]).lines) == 1


def test_without_best_every_row_is_a_point():
    slow = {**POINTS[0], "median": 9.0, "name": "slow"}
    assert [line[-1] for line in roofed([slow, POINTS[0]], best=False).lines] == ["slow", POINTS[0]["name"]]
    assert [line[-1] for line in roofed([slow, POINTS[0]]).lines] == [POINTS[0]["name"]]
    assert [line[-1] for line in roofed([POINTS[0], slow]).lines] == [POINTS[0]["name"]]
