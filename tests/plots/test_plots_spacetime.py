"""Contours whose axes have different meanings, as in a picture of space and time."""

import h5py
import numpy as np
import pytest
import toy
from gridworld import waves

from gridmark_plots.errors import InputError
from gridmark_plots.figures import contour

SPEC = {"id": "c", "kind": "contour", "title": "C", "field": "/w"}
NAMED = {"x_title": "place (mm)", "x_scale": 0.5, "y_title": "time (s)", "y_scale": "frame_time"}


@pytest.fixture
def field(tmp_path):
    """24 frames of 160 points."""
    return waves(tmp_path / "toy-c.h5")


def made(path, **changes):
    return contour.make(toy.STUDY, {**SPEC, **changes}, path.parent)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("changes", [{}, {"filled": True}, {"filled": True, "label": "height"}])
def test_free_axes_fill_a_drawing_of_a_little_over_half_its_width(field, drawn, place, changes):
    made(field, aspect="free", **changes, **NAMED)
    figure = drawn[place]
    box, (across, up) = figure.axes[0].get_position(), figure.get_size_inches()
    assert 0.5 < box.height * up / (box.width * across) < 0.6
    assert box.width > (0.75 if changes and place == 0 else 0.8)


@pytest.mark.parametrize("filled", [False, True])
def test_a_scale_of_the_file_or_a_number_says_what_a_step_is_worth(field, drawn, filled):
    made(field, aspect="free", filled=filled, **NAMED)
    axes = drawn[0].axes[0]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 79.5), (0, 57.5))
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("place (mm)", "time (s)")
    assert axes.yaxis.label.get_rotation() == 90


def test_without_them_the_axes_count_points_and_keep_their_scale(field, drawn):
    assert "from 0" not in made(field).alt
    axes = drawn[0].axes[0]
    assert (axes.get_xlim(), axes.get_ylim(), axes.get_aspect()) == ((0, 159), (0, 23), 1)
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.yaxis.label.get_rotation()) == ("i", "j", 0)


def test_a_drawing_of_one_scale_is_as_high_as_its_steps_make_it(field, drawn):
    for step in (1, 2):
        made(field, y_scale=step)
    flat, high = (drawing.get_size_inches()[1] for drawing in drawn[::2])
    assert high - flat == pytest.approx(6.6 * 24 / 160)


def test_the_words_and_the_table_say_what_the_axes_are(field):
    figure = made(field, aspect="free", **NAMED)
    assert (
        "on 160 x 24 points, place (mm) from 0 to 79.5 by time (s) from 0 to 57.5, values from -"
        in figure.alt
    )
    assert figure.lines[1:3] == [["place (mm)", "0 to 79.5"], ["time (s)", "0 to 57.5"]]
    assert ["frame_time", "2.5"] in figure.lines


def test_the_body_lies_where_the_scaled_axes_have_it(field, drawn):
    mask = np.ones((24, 160))
    mask[8:12, 40:60] = 0
    with h5py.File(field, "a") as file:
        file["mask"] = mask
    made(field, mask="/mask", aspect="free", **NAMED)
    ends = drawn[0].axes[0].collections[-1].get_paths()[0].get_extents()
    assert ends.x0 == pytest.approx(20, abs=0.5) and ends.x1 == pytest.approx(29.5, abs=0.5)
    assert ends.y0 == pytest.approx(20, abs=2.5) and ends.y1 == pytest.approx(27.5, abs=2.5)


@pytest.mark.parametrize("value", [None, "soon", [1.0, 2.0], 0.0, -1, np.nan, np.inf, True])
def test_a_scale_that_is_no_number_of_the_file_is_refused_in_one_line(tmp_path, value):
    path = waves(tmp_path / "toy-c.h5", **({} if value is None else {"worth": value}))
    said = "toy-c.h5: /parameters/worth: 'x_scale' asks for a number above 0 there$"
    with pytest.raises(InputError, match=said):
        made(path, x_scale="worth")


def test_a_file_without_parameters_has_no_scale(field):
    with h5py.File(field, "a") as file:
        del file["parameters"]
    with pytest.raises(InputError, match="/parameters/frame_time: 'y_scale' asks for a number"):
        made(field, **NAMED)
