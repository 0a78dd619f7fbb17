"""Graphs of sizes of the user's own: which there are, what each shows, and what a page tells of the rest."""

import re

import pytest
import toy
from synthetic import NO_GPU, row

from gridmark_plots import own
from gridmark_plots.errors import InputError


def machine(rows, *keys):
    """A machine whose run had these axes."""
    made = toy.machine("m", "Box", rows)
    made.sets["toy"].context["axes"] = {"axes": [{"key": key, "values": []} for key in keys]}
    return made


def specs(rows, *keys):
    return {one["id"]: one for one in own.specs(machine(rows, *keys).sets["toy"])}


def timed(variant, value, clock="wall", **parameters):
    return row(variant, parameters, value, clock=clock)


def series(spec):
    return [(one["title"], one["select"]) for one in spec["series"]]


def test_each_axis_and_each_clock_has_its_graph_with_a_line_for_each_rest():
    rows = [
        timed(variant, 2.0, clock, nx=nx, ny=ny)
        for variant in ("plain", "fast")
        for clock in ("wall", "kernel")
        for nx, ny in ((64, 5), (128, 5), (64, 6))
    ]
    found = specs(rows, "nx", "ny")
    assert list(found) == ["nx-wall", "nx-kernel", "ny-wall", "ny-kernel"]
    kernel = found["nx-kernel"]
    assert kernel["title"] == "toy: time of a step over nx (kernel)"
    assert kernel["select"] == {"clock": "kernel", "launch": None, "quantity": "time"}
    assert kernel["unit"] == "us" and kernel["x"] == kernel["x_title"] == "nx"
    told = series(kernel)
    assert [title for title, _ in told] == ["plain 5", "plain 6", "fast 5", "fast 6"]
    rest = {"clock": "kernel", "launch": None, "cache": None}
    assert told[1][1] == {"variant": "plain", **rest, "ny": 6}


def test_launches_are_kept_apart_and_lines_are_named_by_what_differs():
    rows = [timed("plain", 2.0, "step", n=n, launch=how) for how in ("graph", "stream") for n in (1, 2)]
    found = specs(rows, "n")
    assert list(found) == ["n-step-graph", "n-step-stream"]
    assert found["n-step-graph"]["title"].endswith("(step, graph)")
    assert [title for title, _ in series(found["n-step-graph"])] == ["plain"]


def test_an_edge_is_drawn_over_its_first_side_where_rows_have_sides():
    rows = [timed("plain", 2.0, nx=n, ny=n, nz=n) for n in (8, 16)]
    (spec,) = specs(rows, "n").values()
    assert (spec["x"], spec["x_title"]) == ("nx", "n")
    assert series(spec) == [("plain", {"variant": "plain", "clock": "wall", "launch": None, "cache": None})]


@pytest.mark.parametrize(
    ("sizes", "values", "scale"),
    [
        ((1, 8), (1.0, 8.0), {}),
        ((4, 31), (0.5, 3.0), {}),
        ((1, 9), (1.0, 2.0), {"x": "log"}),
        ((1, 2), (1.0, 9.0), {"y": "log"}),
        ((0, 99), (0.0, 9.0), {}),  # 0 has no place on a logarithmic axis
    ],
)
def test_an_axis_is_logarithmic_beyond_a_factor_of_eight(sizes, values, scale):
    rows = [timed("plain", value, n=n) for n, value in zip(sizes, values, strict=True)]
    assert [spec["scale"] for spec in specs(rows, "n").values()] == [scale]


def test_one_size_and_words_and_other_quantities_are_no_graph():
    rows = [timed("plain", 2.0, n=1), timed("plain", 3.0, n="all"), timed("plain", None, n=2)]
    rows += [row("plain", {"n": n}, 5.0, quantity="error", clock=None) for n in (1, 2)]
    rows += [timed("plain", 2.0, n=True)]
    assert specs(rows, "n") == {}


def test_the_page_has_every_row_in_a_graph_or_a_table(tmp_path):
    rows = [timed("plain", 2.0, n=1), timed("plain", 4.0, n=2), timed("fast", 3.0, "kernel", n=1)]
    rows += [timed("fast", None, "kernel", n=2), timed("bare", 6.0, "step", n=1)]
    rows[-1]["interval"] = None
    written = own.write(tmp_path, machine(rows, "n"))
    assert [path.name for path in written] == ["toy-n-wall.svg", "index.html"]
    page = re.sub(r"<wbr>", "", (tmp_path / "index.html").read_text())
    parts = re.split(r'<section class="part" id="(?:toy-n-wall|alone|skipped)"', page)
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", part, re.S) for part in parts]
    assert "2.000 (1.980 to 2.020)" in parts[1] and "4.000 (3.960 to 4.040)" in parts[1]
    text = [re.sub("<[^>]*>", "", cell) for cell in cells[2]]
    assert text[5:] == [
        *("toy/fast/n:1", "3.000", "2.970 to 3.030", "us", "ok"),
        *("toy/bare/n:1", "6.000", "–", "us", "ok"),
    ]
    assert [re.sub("<[^>]*>", "", cell) for cell in cells[3]][2:] == ["toy/fast/n:2", NO_GPU]


@pytest.mark.parametrize("value", [1.0, None])
def test_a_folder_without_such_a_run_is_refused_and_one_row_is_enough(tmp_path, value):
    with pytest.raises(InputError, match="holds no run of sizes of your own"):
        own.write(tmp_path, toy.machine("m", "Box", toy.MEASURED))
    assert own.write(tmp_path, machine([timed("plain", value, n=1)], "n")) == [tmp_path / "index.html"]
