"""Contours of a solved field around the points that its mask holds fixed, as lines or filled."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from ..errors import InputError
from . import palette
from . import plane as planes
from .model import Figure
from .plane import Axis, Plane, dataset, must_be_finite, opened, parameters, twin

DIRECTIONS = ("z", "y", "x")


def _held(mask):
    """The fixed points that do not lie on the edge."""
    fixed = mask == 0
    fixed[[0, -1], :] = False
    fixed[:, [0, -1]] = False
    return fixed


def _hottest(field, axis, path, name):
    """The index along an axis of the largest value; reads one plane at a time."""
    best, place = -np.inf, 0
    for index, layer in enumerate(field):
        must_be_finite(layer, path, name)
        at = np.unravel_index(np.argmax(layer), layer.shape)
        if layer[at] > best:
            best, place = layer[at], (index, *at)[axis]
    return int(place)


def _index(field, cut, path, name):
    size = field.shape[cut["axis"]]
    if cut["at"] == "middle":
        return size // 2
    if cut["at"] == "hottest":
        return _hottest(field, cut["axis"], path, name)
    if cut["at"] >= size:
        raise InputError(path, name, f"a slice at {cut['at']} is asked for, but there are {size} planes")
    return cut["at"]


def _step(file, spec, key, path):
    """What one step of the grid is worth: 1, the number given, or that of an attribute of /parameters."""
    given = spec.get(key, 1)
    if not isinstance(given, str):
        return given
    value = np.asarray(file["parameters"].attrs.get(given) if "parameters" in file else None)
    if value.ndim or value.dtype.kind not in "iuf" or not 0 < value < np.inf:
        raise InputError(path, f"/parameters/{given}", f"'{key}' asks for a number above 0 there")
    return value.item()


def _axis(file, spec, which, name, size, path):
    places = np.arange(size) * _step(file, spec, f"{which}_scale", path)
    return Axis(spec.get(f"{which}_title", name), places)


def _read(file, spec, path):
    cut = spec.get("slice")
    field = dataset(file, spec["field"], path, 3 if cut else 2)
    mask = twin(file, spec["mask"], field, path) if "mask" in spec else None
    place, across, up, where = (), "i", "j", ""
    if cut:
        index = _index(field, cut, path, spec["field"])
        place = tuple(index if axis == cut["axis"] else slice(None) for axis in range(3))
        up, across = (name for axis, name in enumerate(DIRECTIONS) if axis != cut["axis"])
        where = f"{DIRECTIONS[cut['axis']]} = {index} of 0 to {field.shape[cut['axis']] - 1}"
    body = None if mask is None else _held(np.asarray(mask[place], dtype=float))
    values = np.asarray(field[place], dtype=float)
    sides = (
        _axis(file, spec, "x", across, values.shape[1], path),
        _axis(file, spec, "y", up, values.shape[0], path),
    )
    return Plane(values, body, parameters(file), *sides, where)


def read(path, spec):
    """The plane that a contour's declaration asks for, out of a solved field's HDF5 file."""
    with opened(path) as file:
        plane = _read(file, spec, path)
    must_be_finite(plane.values, path, spec["field"])
    return plane


def _spans(plane, spec):
    """The axes, where the figure gives them a meaning: what they are and where they end."""
    given = any(f"{which}_{key}" in spec for which in "xy" for key in ("title", "scale"))
    return plane.spans if given else []


def _state(parameters):
    """How far the field was solved: what its last sweep changed, or else the residual that is stated."""
    state = f"Solved by {parameters['iterations']} iterations" if "iterations" in parameters else "Solved"
    if "largest_last_change" in parameters:
        state += f"; the last one moved no point by more than {float(parameters['largest_last_change']):.3g}"
        return state + (f" (asked for: {parameters['residual']})." if "residual" in parameters else ".")
    return state + (f" to a residual of {parameters['residual']}." if "residual" in parameters else ".")


def _short_of(parameters):
    """Whether the last sweep still moved points by more than the residual that was asked for."""
    if "largest_last_change" not in parameters or "residual" not in parameters:
        return False
    return 0 < float(parameters["residual"]) < float(parameters["largest_last_change"])


def _alt(plane, spec):
    around = " around a body" if plane.has_body else ""
    cut = f" on the plane {plane.cut}" if plane.cut else ""
    kind = "Filled contours" if spec.get("filled", False) else f"{spec.get('levels', 20)} contour lines"
    label = f", {spec['label']}," if "label" in spec else ""
    words = plane.words(_spans(plane, spec))
    return f"{kind} of {spec['field'].strip('/')}{label}{around}{cut} {words}."


def make(study, spec, fields):
    """The contours that a study declares, from `<fields>/<experiment>-<figure id>.h5`."""
    figure = Figure(study["id"], spec["id"], spec["title"])
    path = planes.file_of(figure, spec, fields)
    if path is None:
        return figure
    plane = read(path, spec)
    parameters = plane.parameters
    figure.headings, figure.lines = ["what", "value"], plane.lines(_spans(plane, spec))
    where = f"The plane {plane.cut}." if plane.cut else ""
    figure.caption = " ".join(part for part in (spec.get("caption", ""), where, _state(parameters)) if part)
    if _short_of(parameters):
        figure.notes.append("The residual that was asked for was not reached.")
    figure.alt = _alt(plane, spec)
    return figure.paint(painter(plane, spec), *heights(plane, spec))


def _rim(body):
    """The body's outermost points, which keep their value so that lines end at its wall."""
    inside = body.copy()
    inside[1:-1, 1:-1] = (
        body[1:-1, 1:-1] & body[:-2, 1:-1] & body[2:, 1:-1] & body[1:-1, :-2] & body[1:-1, 2:]
    )
    return body & ~inside


def _filled(figure, axes, data, spec, layout):
    """Filled contours and the scale of their colours."""
    areas = axes.contourf(*data, levels=spec.get("levels", 20), cmap=palette.filled())
    areas.set_edgecolor("face")  # without it the paper shines through between two areas
    areas.set_linewidth(0.3)
    scale = planes.colour_bar(figure, areas, axes, spec.get("label", ""), layout)
    scale.locator = MaxNLocator(5 if layout.narrow else 8)
    scale.update_ticks()


def painter(plane, spec):
    """What draws a plane's contours."""
    body = plane.body

    def paint(figure, layout):
        axes, places = figure.add_subplot(), (plane.across.places, plane.up.places)
        values = plane.values if body is None else np.ma.masked_array(plane.values, body & ~_rim(body))
        if spec.get("filled", False):
            _filled(figure, axes, (*places, values), spec, layout)
        else:
            lines = axes.contour(*places, values, levels=spec.get("levels", 20), colors=palette.series(0))
            lines.set_linewidth(0.9)
        if plane.has_body:
            axes.contourf(*places, body.astype(float), levels=[0.5, 2], colors=[palette.BODY[0]])
        planes.frame(axes, plane, layout, _free(spec))

    return paint


def _free(spec):
    return spec.get("aspect", "equal") == "free"


def heights(plane, spec):
    """Inches of the wide and of the narrow drawing."""
    return planes.heights(plane, spec.get("filled", False), _free(spec))
