"""Contours of a solved field around the points that its mask holds fixed."""

from pathlib import Path

import h5py
import numpy as np

from .. import numbers
from ..errors import InputError
from ..selector import plain
from . import palette
from .model import Figure


def _dataset(file, name, path):
    key = name.strip("/")
    if key not in file or not isinstance(file[key], h5py.Dataset):
        raise InputError(path, name, "no such dataset")
    values = np.asarray(file[key][()], dtype=float)
    if values.ndim != 2 or min(values.shape) < 2:
        raise InputError(path, name, f"must have two dimensions, has shape {list(values.shape)}")
    return values


def _parameters(file):
    if "parameters" not in file:
        return {}
    return {name: _text(value) for name, value in sorted(file["parameters"].attrs.items())}


def _text(value):
    value = value.item() if hasattr(value, "item") and np.ndim(value) == 0 else value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return f"{value:.6g}" if isinstance(value, float) else plain(value)


def read(path, spec):
    """(field, mask or None, parameters as text) of a solved field's HDF5 file."""
    try:
        with h5py.File(path, "r") as file:
            field = _dataset(file, spec["field"], path)
            mask = _dataset(file, spec["mask"], path) if "mask" in spec else None
            parameters = _parameters(file)
    except OSError as error:
        raise InputError(path, None, f"not a readable HDF5 file: {error}") from None
    if mask is not None and mask.shape != field.shape:
        raise InputError(
            path, spec["mask"], f"shape {list(mask.shape)} differs from the field's {list(field.shape)}"
        )
    if not np.isfinite(field).all():
        raise InputError(path, spec["field"], "holds values that are not finite")
    return field, mask, parameters


def _inner(mask):
    """The fixed points that do not lie on the edge: the body."""
    fixed = mask == 0
    fixed[[0, -1], :] = False
    fixed[:, [0, -1]] = False
    return fixed


def _painter(field, mask, spec):
    body = None if mask is None else _inner(mask)

    def paint(figure, layout):
        axes = figure.add_subplot()
        values = field if body is None else np.ma.masked_array(field, body & ~_rim(body))
        lines = axes.contour(values, levels=spec.get("levels", 20), colors=palette.series(0))
        lines.set_linewidth(0.9)
        if body is not None and body.any():
            axes.contourf(body.astype(float), levels=[0.5, 2], colors=[palette.BODY[0]])
        axes.set_aspect("equal")
        axes.set_xlabel("i")
        axes.set_ylabel("j", rotation=0, labelpad=6)
        for side in ("top", "right"):
            axes.spines[side].set_visible(True)
        if layout.narrow:
            axes.locator_params(nbins=5)

    return paint


def _rim(body):
    """The body's outermost points, which keep their value so that lines end at its wall."""
    inside = body.copy()
    inside[1:-1, 1:-1] = (
        body[1:-1, 1:-1] & body[:-2, 1:-1] & body[2:, 1:-1] & body[1:-1, :-2] & body[1:-1, 2:]
    )
    return body & ~inside


def _rows_of(field, parameters):
    found = [["points", f"{field.shape[1]} x {field.shape[0]}"]]
    found += [["least value", f"{field.min():.6g}"], ["largest value", f"{field.max():.6g}"]]
    return found + [[name, value] for name, value in parameters.items()]


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


def make(study, spec, fields):
    """The contours that a study declares, from `<fields>/<experiment>-<figure id>.h5`."""
    figure = Figure(study["id"], spec["id"], spec["title"])
    path = Path(fields, f"{study['id']}-{spec['id']}.h5") if fields else None
    if path is None or not path.exists():
        solve = spec.get("solve", {}).get("variant", "a solved field")
        figure.notes.append(f"This figure is left out: its field ({solve}) has not been solved in this run.")
        return figure
    field, mask, parameters = read(path, spec)
    figure.headings, figure.lines = ["what", "value"], _rows_of(field, parameters)
    figure.caption = " ".join(part for part in (spec.get("caption", ""), _state(parameters)) if part)
    if _short_of(parameters):
        figure.notes.append("The residual that was asked for was not reached.")
    around = " around a body" if mask is not None and _inner(mask).any() else ""
    figure.alt = (
        f"{spec.get('levels', 20)} contour lines of {spec['field'].strip('/')}{around} on {field.shape[1]} x "
        f"{field.shape[0]} points, values from {numbers.measured(float(field.min()), 3)} to "
        f"{numbers.measured(float(field.max()), 3)}."
    )
    shape = field.shape[0] / field.shape[1]
    return figure.paint(_painter(field, mask, spec), 0.7 + 6.6 * shape, 0.65 + 2.8 * shape)
