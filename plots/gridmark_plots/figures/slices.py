"""A slice: the middle plane of a solved field of three dimensions, coloured below and above 0."""

import numpy as np
from matplotlib.colors import Normalize

from .. import numbers
from ..errors import InputError
from . import palette
from . import plane as planes
from .model import Figure
from .plane import Axis, Plane, dataset, must_be_finite, opened, parameters, twin


def _finite(values, path, name):
    values = np.asarray(values, dtype=float)
    must_be_finite(values, path, name)
    return values


def _axis(file, spec, which, slots, path):
    """Positions along a dimension, whose last slot may have none: staggered arrays leave one unused."""
    name = spec["coordinates"][which]
    places = _finite(dataset(file, name, path, 1), path, name)
    if not slots - 1 <= len(places) <= slots:
        raise InputError(
            path, name, f"holds {len(places)} positions for {slots} values of {spec['field']} along '{which}'"
        )
    if (np.diff(places) <= 0).any():
        raise InputError(path, name, "holds positions that do not rise")
    return Axis(spec.get(f"{which}_title", name.strip("/")), places)


def _outlined(values):
    """Where a body is: its value is not the smallest one. The slots at the edges, of which staggered arrays
    leave some unused, are as their neighbours.
    """  # fmt: skip
    if min(values.shape) > 2:
        values = np.pad(values[1:-1, 1:-1], 1, mode="edge")
    return values > values.min()


def _read(file, spec, path):
    field = dataset(file, spec["field"], path, 3)
    body = twin(file, spec["body"], field, path) if "body" in spec else None
    cut, right = spec["axis"], spec["x_axis"]
    upward = 3 - cut - right
    across, up = (
        _axis(file, spec, which, field.shape[dimension], path)
        for which, dimension in (("x", right), ("y", upward))
    )
    last = field.shape[cut] - 1
    place = [slice(None)] * 3
    place[cut] = last // 2  # the middle of those before the last
    place[right], place[upward] = slice(len(across.places)), slice(len(up.places))

    def plane(source, name):
        values = _finite(source[tuple(place)], path, name)
        return values if upward < right else values.T

    where = f"index {last // 2} of 0 to {last} along {spec.get('axis_title', f'dimension {cut}')}"
    return Plane(
        plane(field, spec["field"]),
        None if body is None else _outlined(plane(body, spec["body"])),
        parameters(file),
        across,
        up,
        where,
    )


def read(path, spec):
    """The plane that a slice's declaration asks for, out of a solved field's HDF5 file."""
    with opened(path) as file:
        return _read(file, spec, path)


def _alt(plane, spec):
    label = f", {spec['label']}," if "label" in spec else ""
    outline = ", with the outline of a body," if plane.has_body else ""
    return (
        f"Slice of {spec['field'].strip('/')}{label} at {plane.cut}{outline} {plane.words(plane.spans)}; "
        "blue below 0, orange above, paler towards 0."
    )


def make(study, spec, fields):
    """The slice that a study declares, from `<fields>/<experiment>-<figure id>.h5`."""
    figure = Figure(study["id"], spec["id"], spec["title"])
    path = planes.file_of(figure, spec, fields)
    if path is None:
        return figure
    plane = read(path, spec)
    figure.headings, figure.lines = ["what", "value"], plane.lines(plane.spans)
    figure.caption = spec.get("caption", "Blue is below 0, orange above.")
    figure.alt = _alt(plane, spec)
    return figure.paint(painter(plane, spec), *heights(plane))


PIXELS = 600  # along the longer side


def _raster(plane):
    """The values at evenly spaced pixels between the outermost points, interpolated linearly."""
    longest = max(plane.across.length, plane.up.length)
    sides = []
    for axis in (plane.across, plane.up):
        count = max(2, round(PIXELS * axis.length / longest))
        first, last = axis.places[[0, -1]]
        sides.append(first + (np.arange(count) + 0.5) / count * (last - first))
    rows = np.array([np.interp(sides[0], plane.across.places, row) for row in plane.values])
    return np.array([np.interp(sides[1], plane.up.places, column) for column in rows.T]).T


def _picture(axes, values, extent, norm):
    return axes.imshow(
        values, extent=extent, norm=norm, cmap=palette.diverging(), origin="lower", interpolation="none"
    )


def _bar(figure, picture, axes, label, layout):
    """The scale of the colours, which are half transparent: one picture too, as cells would overlap."""
    bar = planes.colour_bar(figure, picture, axes, label, layout)
    bar.solids.set_visible(False)
    ends = picture.get_clim()
    ramp = np.linspace(*ends, palette.DIVERGING_STEPS)
    values, extent = (ramp[None, :], (*ends, 0, 1)) if layout.narrow else (ramp[:, None], (0, 1, *ends))
    _picture(bar.ax, values, extent, picture.norm).axes.set_aspect("auto")


def painter(plane, spec):
    """What draws a slice; its colours reach as far below 0 as above."""
    largest = float(np.abs(plane.values).max()) or 1.0
    name = spec.get("label", spec["field"].strip("/"))
    label = f"{name}, \u00b1{numbers.measured(largest, 3)} at the ends"
    values = _raster(plane)

    def paint(figure, layout):
        axes, places = figure.add_subplot(), (plane.across.places, plane.up.places)
        extent = [end for side in places for end in side[[0, -1]]]
        picture = _picture(axes, values, extent, Normalize(-largest, largest))
        if plane.has_body:
            rim = axes.contour(*places, plane.body.astype(float), levels=[0.5], colors=[palette.INK[0]])
            rim.set_linewidth(0.8)
        planes.frame(axes, plane, layout)
        _bar(figure, picture, axes, label, layout)

    return paint


def heights(plane):
    """Inches of the wide and of the narrow drawing."""
    return planes.heights(plane, True)
