"""Fields that the binary solves, each once; planes cut from them, and contours with their colours' scale."""

import h5py
import numpy as np
import pytest
import toy
from gridworld import field
from matplotlib.colors import to_hex

from gridmark_plots import fields
from gridmark_plots.errors import InputError
from gridmark_plots.figures import canvas, contour, palette

SPEC = {"id": "c", "kind": "contour", "title": "C", "field": "/t"}


@pytest.fixture
def cube(tmp_path):
    """A field hottest at z 12, y 25, x 30 of 40."""
    return field(tmp_path / "toy-c.h5")


def made(path, **changes):
    return contour.make(toy.STUDY, {**SPEC, **changes}, path.parent)


@pytest.mark.parametrize(
    ("axis", "hottest", "names"), [(0, 12, ("x", "y")), (1, 25, ("x", "z")), (2, 30, ("y", "z"))]
)
def test_a_slice_is_the_plane_asked_for_with_its_axes(cube, axis, hottest, names):
    with h5py.File(cube) as file:
        whole = file["t"][()]
    for at, index in (("hottest", hottest), ("middle", 20), (3, 3)):
        plane = contour.read(cube, {**SPEC, "slice": {"axis": axis, "at": at}})
        assert np.array_equal(plane.values, whole.take(index, axis)), at
        assert (plane.across.title, plane.up.title) == names
        assert plane.cut == f"{'zyx'[axis]} = {index} of 0 to 39"


def test_the_mask_is_cut_at_the_same_plane(cube):
    mask = np.ones((40, 40, 40))
    mask[12, 5:9, 5:9] = 0
    with h5py.File(cube, "a") as file:
        file["mask"] = mask
    cuts = [made(cube, mask="/mask", slice={"axis": 0, "at": at}).alt for at in ("hottest", "middle")]
    assert ["around a body" in alt for alt in cuts] == [True, False]


def test_the_words_say_where_the_plane_lies_and_what_is_drawn(cube):
    figure = made(cube, slice={"axis": 1, "at": "hottest"}, filled=True, label="temperature (°C)")
    assert figure.alt == (
        "Filled contours of t, temperature (°C), on the plane y = 25 of 0 to 39 on 40 x 40 points, "
        "values from 20.0 to 100."
    )
    assert figure.caption == "The plane y = 25 of 0 to 39. Solved by 500 iterations."
    assert ["plane", "y = 25 of 0 to 39"] in figure.lines


@pytest.mark.parametrize("place", [0, 1])
def test_the_axes_and_the_scale_of_colours_are_named(cube, drawn, place):
    made(cube, slice={"axis": 1, "at": "middle"}, filled=True, label="temperature (°C)")
    axes, scale = drawn[place].axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "z")
    assert "temperature (°C)" in (scale.get_xlabel(), scale.get_ylabel())


@pytest.mark.parametrize("levels", [8, 100])
def test_filled_contours_hold_no_picture_and_keep_their_colours_in_the_dark(cube, levels):
    figure = made(cube, slice={"axis": 0, "at": "middle"}, filled=True, levels=levels, label="t")
    map_colours = {to_hex(colour) for colour in palette.filled().colors}
    assert not map_colours & {light for light, _ in palette.EVERY}
    for svg in (figure.wide, figure.narrow):
        assert "<image" not in svg
        assert sum(f"fill: {colour}" in svg for colour in map_colours) > 5
    lines = made(cube, slice={"axis": 0, "at": "middle"}, levels=levels)
    assert not any(f"fill: {colour}" in lines.wide for colour in map_colours)
    assert palette.series(0) in lines.wide and palette.series(0) not in figure.wide
    assert canvas.standalone(figure.wide, "t").count("<svg") == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, r"must have two dimensions, has shape \[40, 40, 40\]"),
        ({"slice": {"axis": 0, "at": 40}}, "a slice at 40 is asked for, but there are 40 planes"),
        (
            {"field": "/flat", "slice": {"axis": 0, "at": "middle"}},
            r"three dimensions for a slice, has shape \[4, 4\]",
        ),
        ({"mask": "/small", "slice": {"axis": 0, "at": 0}}, r"shape \[2, 2, 2\] differs from the field's"),
        ({"field": "/hole", "slice": {"axis": 2, "at": "hottest"}}, "holds values that are not finite"),
    ],
)
def test_a_slice_that_cannot_be_cut_is_refused_in_one_line(cube, changes, reason):
    with h5py.File(cube, "a") as file:
        file["flat"], file["small"] = np.zeros((4, 4)), np.zeros((2, 2, 2))
        file["hole"] = np.zeros((3, 3, 3))
        file["hole"][1, 1, 1] = np.nan
    with pytest.raises(InputError, match=f"toy-c.h5: /.*: .*{reason}"):
        made(cube, **changes)


# Solved again only when what is asked for changes.

SOLVE = {"variant": "plain", "set": {"n": 4, "on": True}, "residual": 1e-6}
SOLVED = {"id": "c", "kind": "contour", "title": "C", "field": "/psi", "solve": SOLVE}


def study(**changes):
    return [{**toy.STUDY, "figures": [toy.SWEEP, {**SOLVED, **changes}]}]


def binary(folder, script):
    made = folder / "gridmark"
    made.write_text(f"#!/bin/sh\n{script}\n")
    made.chmod(0o755)
    return made


def test_the_binary_is_asked_once_for_what_the_study_declares(tmp_path):
    solve = binary(tmp_path, f'echo "$@" >> {tmp_path}/asked; for last; do :; done; echo field > "$last"')
    out = tmp_path / "fields"
    for _ in range(2):
        assert fields.make(study(), solve, out) == [out / "toy-c.h5"]
    asked = f"solve toy --variant plain --set n=4 --set on=true --set residual=1e-06 --out {out}/toy-c.h5\n"
    assert (tmp_path / "asked").read_text() == asked
    fields.make(study(solve={**SOLVE, "residual": 1e-3}), solve, out)
    assert (tmp_path / "asked").read_text().count("\n") == 2


@pytest.mark.parametrize(("kind", "asked"), [("contour", True), ("slice", True), ("bars", False)])
def test_only_kinds_that_draw_a_field_are_solved(kind, asked):
    assert (fields.command(toy.STUDY, {**SOLVED, "kind": kind}, "gridmark", "f.h5") is not None) == asked


def test_a_failed_solve_is_told_and_leaves_no_field(tmp_path, capsys):
    solve = binary(tmp_path, 'for last; do :; done; echo half > "$last"; echo "gridmark: no GPU" >&2; exit 2')
    assert fields.make(study(), solve, tmp_path) == []
    assert capsys.readouterr().err == "gridmark_plots: toy-c.h5: not solved: gridmark: no GPU\n"
    assert not (tmp_path / "toy-c.h5").exists()
