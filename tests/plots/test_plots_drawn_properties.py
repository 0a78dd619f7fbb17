"""What holds for any drawing: axes, maps, paths and the figures' own arithmetic."""

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from draw import digits_of, for_any

from gridmark_plots.figures import axes, compact, contour, heatmap, ratios, slices, timeline
from gridmark_plots.figures.plane import Axis, Plane

# Axes.


@for_any
def test_ticks_are_round_rise_and_lie_on_the_axis(draw):
    low, most = draw.size(), draw.randint(4, 12)
    high = low * 10.0 ** draw.uniform(1, 7)
    found = axes.ticks_between(low, high, most)
    assert 2 <= len(found) <= most or (len(found) == 1 and high < 11 * low)
    assert found == sorted(set(found))
    assert low * 0.998 <= found[0] and found[-1] <= high * 1.002
    assert all(digits_of(f"{tick:.12g}".split("e")[0].rstrip("0")) <= 1 for tick in found)


@for_any
def test_every_cell_of_a_map_lies_around_its_place_and_meets_the_next_half_way(draw):
    values, kind = sorted({*draw.some(lambda: draw.randint(1, 400), 1, 9)}), draw.choice(["log", "linear"])
    found, place = heatmap.edges(values, kind), math.log if kind == "log" else float
    assert all(low < value < high for value, (low, high) in zip(values, pairwise(found), strict=True))
    for (low, high), edge in zip(pairwise(values), found[1:-1], strict=True):
        assert place(edge) == pytest.approx((place(low) + place(high)) / 2)
    for outer, at, inner in ((found[0], values[0], found[1]), (found[-1], values[-1], found[-2])):
        assert place(outer) + place(inner) == pytest.approx(2 * place(at))


@for_any
def test_the_colours_of_a_map_reach_around_all_its_values_in_about_ten_steps(draw):
    values = draw.some(lambda: draw.choice([0.0, draw.size()]), 1, 9)
    steps = heatmap.decades([heatmap.Sheet("Box", {(k, 1): one for k, one in enumerate(values)}, {})])
    above = [math.log10(value) for value in values if value > 0]
    assert 2 <= len(steps) <= 11 and len({high - low for low, high in pairwise(steps)}) == 1
    if above:
        assert (
            steps[0] <= min(above) < steps[0] + 1 and steps[-2] < max(max(above), steps[0] + 1) <= steps[-1]
        )


# Drawings.

TAKES = {"M": 1, "L": 1, "Q": 2, "C": 3}


def corners_of(data):
    """Every corner of path data, absolute or in steps."""
    found, here, start = [], (0.0, 0.0), (0.0, 0.0)
    for command, text in re.findall(r"([MLQCzlqc])([^A-Za-z]*)", data):
        if command == "z":
            here = start
            continue
        values = [float(value) for value in re.findall(r"-?[\d.]+", text)]
        pairs = list(zip(values[::2], values[1::2], strict=True))
        takes = TAKES[command.upper()]
        for at in range(0, len(pairs), takes):
            some = pairs[at : at + takes]
            if command.islower():
                some = [(here[0] + x, here[1] + y) for x, y in some]
            found += some
            here = some[-1]
        start = here if command == "M" else start
    return found


def corner(draw):
    return f"{draw.randint(-300, 300) / 7:.2f} {draw.randint(-300, 300) / 7:.2f}"


@for_any
def test_straight_lines_keep_each_corner_within_a_tenth_of_a_point(draw):
    lines = draw.some(lambda: draw.some(lambda: corner(draw), 1), 1, 3)
    data = "".join(f"M {' L '.join(corners)} {draw.choice(['', 'z '])}" for corners in lines)
    small = compact.compact(f'<path d="{data}" style="fill: none"/>')
    found = corners_of(re.search(' d="([^"]*)"', small)[1])
    assert [end for one in found for end in one] == pytest.approx(
        [end for one in corners_of(data) for end in one], abs=0.0501
    )


@for_any
def test_a_letters_shape_in_steps_has_every_corner(draw):
    data = "M 5 -7 "
    for command in draw.some(lambda: draw.choice("LQCz")):
        values = [draw.randint(-90, 90) for _ in range(2 * TAKES.get(command, 0))]
        data += f"{command} {' '.join(map(str, values))} "
    data += "z M -1 2 L 3 4 z "
    (small,) = compact.letters(compact.compact(f'<path id="{compact.LETTER}41" d="{data}"/>')).values()
    assert corners_of(re.search(' d="([^"]*)"', small)[1]) == corners_of(data)


def groups(draw, deep=4):
    inner = draw.some(lambda: groups(draw, deep - 1), 0, 3) if deep else []
    if not inner:
        return draw.choice(["<path/>", '<g id="i0"/>', "a"])
    return draw.choice(["<g>", '<g class="l0">']) + "".join(inner) + "</g>"


@for_any
def test_groups_that_go_take_nothing_with_them(draw):
    text = groups(draw)
    found = compact.without_idle_groups(text)
    ElementTree.fromstring(f"<svg>{found}</svg>")
    assert "<g>" not in found and found.count('class="l0"') == text.count('class="l0"')
    assert re.sub('<g>|<g class="l0">|</g>', "", found) == re.sub('<g>|<g class="l0">|</g>', "", text)


@for_any
def test_names_in_a_comparison_lose_no_part(draw):
    names = draw.some(lambda: draw.some(lambda: draw.choice("abcd"), 1, 4), 1, 4)
    shared, own = ratios.names_of(
        [{"experiment": "toy", "name": "/".join(["toy", *parts])} for parts in names]
    )
    for parts, rest in zip(names, own, strict=True):
        assert rest and {part for part in f"{shared}/{rest}".split("/") if part} == set(parts)


# Figures' own arithmetic, against slower ways.


@for_any
def test_a_lane_is_busy_where_any_of_its_spans_is(draw):
    spans = [(begin, begin + draw.randint(0, 9)) for begin in draw.some(lambda: draw.randint(0, 40))]
    lane = timeline.Lane("a", sorted(spans), False)
    assert lane.busy == len({moment for begin, end in spans for moment in range(begin, end)})
    assert lane.end == max((end for _, end in spans), default=0)
    assert lane.longest == max((end - begin for begin, end in spans), default=0)


def some_points(draw):
    """A few points of a small plane."""
    wide = draw.randint(3, 7)
    return np.array([draw.choices([False, True], [1, 3], k=wide) for _ in range(draw.randint(3, 7))])


@for_any
def test_a_bodys_rim_is_what_has_a_neighbour_outside(draw):
    body = np.pad(some_points(draw), 1)  # it does not reach the edge
    rim = contour._rim(body)
    for y, x in np.argwhere(body):
        assert rim[y, x] != all((body[y - 1, x], body[y + 1, x], body[y, x - 1], body[y, x + 1]))
    assert not (rim & ~body).any()


@for_any
def test_only_fixed_points_off_the_edge_are_a_body(draw):
    free = some_points(draw)
    held = contour._held(free.astype(float))
    assert not held[[0, -1]].any() and not held[:, [0, -1]].any()
    assert (held[1:-1, 1:-1] == ~free[1:-1, 1:-1]).all()


@for_any
def test_a_field_that_rises_evenly_does_so_in_its_picture_however_its_points_are_spaced(draw):
    a, b, c = (draw.uniform(-3, 3) for _ in range(3))
    x, y = (np.cumsum([0.25 + draw.random() for _ in range(draw.randint(2, 5))]) for _ in range(2))
    plane = Plane(a + b * x[None, :] + c * y[:, None], None, {}, Axis("x", x), Axis("y", y))
    picture = slices._raster(plane)
    across, up = (
        side[0] + (np.arange(many) + 0.5) / many * (side[-1] - side[0])
        for side, many in ((x, picture.shape[1]), (y, picture.shape[0]))
    )
    assert max(picture.shape) == slices.PIXELS
    assert np.allclose(picture, a + b * across[None, :] + c * up[:, None])
