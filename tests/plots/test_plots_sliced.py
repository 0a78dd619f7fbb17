"""The kind `slice`: the middle plane of a signed field on points that need not be evenly spaced."""

import base64
import re

import h5py
import numpy as np
import pytest
import toy
from gridworld import staggered

from gridmark_plots.errors import InputError
from gridmark_plots.figures import palette, slices

SPEC = {
    "id": "s", "kind": "slice", "title": "S", "field": "/ex", "body": "/eps",
    "axis": 1, "x_axis": 2, "coordinates": {"x": "/z", "y": "/x"},
}  # fmt: skip


@pytest.fixture
def wave(tmp_path):
    """17 x 21 x 33 points, the slots after the last of which hold 1e9."""
    return staggered(tmp_path / "toy-s.h5")


def made(path, **changes):
    return slices.make(toy.STUDY, {**SPEC, **changes}, path.parent)


def pieces(drawn, place=0):
    """Axes, picture and outlines (if any) of a drawing."""
    axes = drawn[place].axes[0]
    return axes, axes.images[0], axes.collections


def changed(path, **datasets):
    """The file with these datasets in place of its own; None removes one."""
    with h5py.File(path, "a") as file:
        for name, values in datasets.items():
            if name in file:
                del file[name]
            if values is not None:
                file[name] = values
    return path


@pytest.mark.parametrize(("axis", "x_axis"), [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)])
def test_a_slice_is_the_middle_plane_with_the_axes_asked_for(wave, axis, x_axis):
    upward = 3 - axis - x_axis
    names = {"x": "/" + "xyz"[x_axis], "y": "/" + "xyz"[upward]}
    plane = slices.read(wave, {**SPEC, "axis": axis, "x_axis": x_axis, "coordinates": names})
    with h5py.File(wave) as file:
        whole = file["ex"][:-1, :-1, :-1]
        assert np.array_equal(plane.across.places, file["xyz"[x_axis]])
        assert np.array_equal(plane.up.places, file["xyz"[upward]])
    middle = whole.take(whole.shape[axis] // 2, axis)
    assert np.array_equal(plane.values, middle if upward < x_axis else middle.T)
    assert (plane.across.title, plane.up.title) == ("xyz"[x_axis], "xyz"[upward])
    assert plane.cut == f"index {(8, 10, 16)[axis]} of 0 to {(17, 21, 33)[axis]} along dimension {axis}"


def test_a_slot_without_a_point_is_left_out_and_one_with_a_point_is_not(wave):
    assert np.abs(slices.read(wave, SPEC).values).max() < 2
    longer = changed(wave, z=np.arange(34.0))
    assert slices.read(longer, SPEC).values.shape == (17, 34)
    assert slices.read(longer, SPEC).values.max() == 1e9


def test_what_lies_outside_the_picture_may_be_anything(wave):
    with h5py.File(wave, "a") as file:
        file["ex"][:, 3], file["ex"][-1], file["eps"][..., -1] = np.nan, np.inf, np.nan
    assert made(wave).wide


@pytest.mark.parametrize("place", [0, 1])
def test_values_stand_where_their_points_are_however_these_are_spaced(wave, drawn, place):
    z, slots = np.geomspace(1, 50, 33), np.ones((18, 22, 34))
    made(changed(wave, z=z, ex=slots * np.append(z, 0)), body="/ex")
    axes, picture, _ = pieces(drawn, place)
    shown = np.asarray(picture.get_array())
    left, right, low, high = picture.get_extent()
    assert (left, right, low, high) == pytest.approx((1, 50, -3, 3))
    assert (axes.get_xlim(), axes.get_ylim()) == ((left, right), (low, high))
    pixels = left + (np.arange(shown.shape[1]) + 0.5) / shown.shape[1] * (right - left)
    assert shown == pytest.approx(np.broadcast_to(pixels, shown.shape))


def test_up_is_up(wave, drawn):
    x = np.append(np.linspace(-3, 3, 17), 0)
    made(changed(wave, ex=np.ones((18, 22, 34)) * x[:, None, None]))
    _, picture, _ = pieces(drawn)
    shown = np.asarray(picture.get_array())
    assert picture.origin == "lower" and shown[0].max() < -2.9 < 2.9 < shown[-1].min()


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("largest", [0.25, -4.0, 0.0])
def test_colours_reach_as_far_below_0_as_above_and_the_scale_says_how_far(wave, drawn, place, largest):
    values = np.zeros((18, 22, 34))
    values[4, 10, 7], values[5, 10, 8] = largest, -largest / 2
    made(changed(wave, ex=values), label="electric field")
    _, picture, _ = pieces(drawn, place)
    reach = abs(largest) or 1.0
    assert picture.get_clim() == (-reach, reach)
    bar = drawn[place].axes[1]
    said = {0.25: "0.250", -4.0: "4.00", 0.0: "1.00"}[largest]
    assert f"electric field, ±{said} at the ends" in (bar.get_xlabel(), bar.get_ylabel())
    ramp = np.asarray(bar.images[0].get_array()).ravel()
    assert ramp[[0, -1]].tolist() == [-reach, reach] and bar.images[0].get_clim() == (-reach, reach)


def test_the_body_is_outlined_where_it_is_not_the_smallest_value(wave, drawn):
    assert ", with the outline of a body, on" in made(wave).alt
    (rim,) = pieces(drawn)[2]
    assert rim.get_edgecolor()[0] == pytest.approx(
        [*(int(palette.INK[0][i : i + 2], 16) / 255 for i in (1, 3, 5)), 1]
    )
    box = rim.get_paths()[0].get_extents()
    assert [box.x0, box.y0, box.x1, box.y1] == pytest.approx([-1.2, -1.2, 1.2, 1.2], abs=0.2)


@pytest.mark.parametrize("unused", [0.0, 9.0])
def test_slots_at_the_edges_make_no_body(wave, drawn, unused):
    eps = np.pad(np.ones((16, 20, 32)), 1, constant_values=unused)
    assert "outline" not in made(changed(wave, eps=eps)).alt
    assert not pieces(drawn)[2]


def test_a_body_may_reach_the_edge(wave, drawn):
    eps = np.ones((18, 22, 34))
    eps[:, :, 20:] = 4.0
    made(changed(wave, eps=eps, z=np.arange(33.0)))
    box = pieces(drawn)[2][0].get_paths()[0].get_extents()
    assert (box.x0, box.x1, box.y0, box.y1) == pytest.approx((19.5, 19.5, -3, 3))


def test_without_a_body_nothing_is_outlined(wave, drawn):
    spec = {key: value for key, value in SPEC.items() if key != "body"}
    figure = slices.make(toy.STUDY, spec, wave.parent)
    assert figure.wide and "outline" not in figure.alt and not pieces(drawn)[2]


def test_the_words_and_the_table_say_what_is_drawn(wave):
    figure = made(wave, label="electric field", axis_title="y", x_title="along", caption="A wave.")
    assert figure.alt == (
        "Slice of ex, electric field, at index 10 of 0 to 21 along y, with the outline of a body, on "
        "33 x 17 points, along from -5 to 5 by x from -3 to 3, values from -1.60 to 1.60; "
        "blue below 0, orange above, paler towards 0."
    )
    assert figure.caption == "A wave." and figure.notes == []
    assert figure.headings == ["what", "value"]
    assert figure.lines[:4] == [
        ["points", "33 x 17"], ["along", "-5 to 5"], ["x", "-3 to 3"],
        ["plane", "index 10 of 0 to 21 along y"],
    ]  # fmt: skip
    assert figure.lines[-1] == ["steps", "300"]
    assert made(wave).caption == "Blue is below 0, orange above."


def test_the_picture_is_small_and_the_same_each_time(wave):
    figure, again = made(wave), made(wave)
    assert (figure.wide, figure.narrow) == (again.wide, again.narrow)
    for svg in (figure.wide, figure.narrow):
        pictures = re.findall(r'<image [^>]*href="data:image/png;base64,\s*([^"]+)"', svg)
        assert len(pictures) == 2 and len(svg) < 150_000
        for picture in pictures:
            chunks = set(
                re.findall(
                    rb"(?:IHDR|PLTE|tRNS|pHYs|IDAT|tEXt|iTXt|zTXt|tIME|eXIf)", base64.b64decode(picture)
                )
            )
            assert chunks <= {b"IHDR", b"IDAT"}


def test_colours_fade_into_the_paper_of_both_schemes():
    colours = palette.diverging().colors
    assert len(colours) % 2 == 1 and colours[len(colours) // 2][3] == 0
    assert colours[0][3] == colours[-1][3] == 1
    strength = [colour[3] for colour in colours]
    assert strength == pytest.approx(strength[::-1]) and strength[:21] == sorted(strength[:21], reverse=True)
    assert len({colour[:3] for colour in colours[:20]}) == len({colour[:3] for colour in colours[21:]}) == 1


def test_a_field_that_is_not_there_leaves_the_figure_out(tmp_path):
    for fields in (None, tmp_path):
        figure = slices.make(toy.STUDY, {**SPEC, "solve": {"variant": "cpu_openmp"}}, fields)
        assert not figure.wide and figure.notes == [
            "This figure is left out: its field (cpu_openmp) has not been solved in this run."
        ]


def test_a_file_that_is_no_field_is_refused(tmp_path):
    (tmp_path / "toy-s.h5").write_text("no field")
    with pytest.raises(InputError, match=r"toy-s\.h5: not a readable HDF5 file: "):
        made(tmp_path / "toy-s.h5")


@pytest.mark.parametrize(
    ("datasets", "changes", "reason"),
    [
        ({"ex": None}, {}, "/ex: no such dataset"),
        ({"ex": np.ones((18, 34))}, {}, r"/ex: must have three dimensions for a slice, has shape \[18, 34\]"),
        ({"ex": np.full((18, 22, 34), np.nan)}, {}, "/ex: holds values that are not finite"),
        ({"ex": np.full((18, 22, 34), b"1")}, {}, "/ex: holds no numbers"),
        ({"eps": None}, {}, "/eps: no such dataset"),
        ({"eps": np.ones((18, 22, 33))}, {}, r"/eps: shape \[18, 22, 33\] differs from the field's"),
        ({"eps": np.full((18, 22, 34), np.inf)}, {}, "/eps: holds values that are not finite"),
        ({"z": None}, {}, "/z: no such dataset"),
        ({"z": np.ones((33, 2))}, {}, r"/z: must have one dimension, has shape \[33, 2\]"),
        ({"z": np.arange(32.0)}, {}, "/z: holds 32 positions for 34 values of /ex along 'x'"),
        ({"x": np.arange(19.0)}, {}, "/x: holds 19 positions for 18 values of /ex along 'y'"),
        (
            {},
            {"coordinates": {"x": "/x", "y": "/z"}},
            "/x: holds 17 positions for 34 values of /ex along 'x'",
        ),
        ({"x": np.append(np.arange(16.0), np.nan)}, {}, "/x: holds values that are not finite"),
        ({"x": np.arange(17.0)[::-1]}, {}, "/x: holds positions that do not rise"),
        ({"x": np.append(np.arange(16.0), 15.0)}, {}, "/x: holds positions that do not rise"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(wave, datasets, changes, reason):
    with pytest.raises(InputError, match=f"toy-s.h5: {reason}"):
        made(changed(wave, **datasets), **changes)
