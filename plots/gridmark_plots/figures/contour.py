"""Contours of a solved field around the points that its mask holds fixed, as lines or filled."""

from pathlib import Path

import numpy as np
from matplotlib.ticker import MaxNLocator

from .. import numbers
from . import palette, solved
from .model import Figure


def _inner(mask):
    """The fixed points that do not lie on the edge: the body."""
    fixed = mask == 0
    fixed[[0, -1], :] = False
    fixed[:, [0, -1]] = False
    return fixed


def _filled(figure, axes, values, spec, layout):
    """Filled contours and the scale of their colours; below the graph where that is narrow."""
    areas = axes.contourf(values, levels=spec.get("levels", 20), cmap=palette.filled())
    areas.set_edgecolor("face")  # without it the paper shines through between two areas
    areas.set_linewidth(0.3)
    side = {"orientation": "horizontal", "aspect": 30} if layout.narrow else {"aspect": 25}
    scale = figure.colorbar(areas, ax=axes, label=spec.get("label", ""), **side)
    scale.solids.set_edgecolor("face")
    scale.solids.set_rasterized(False)  # many colours would become a picture within the drawing
    scale.locator = MaxNLocator(5 if layout.narrow else 8)
    scale.update_ticks()


def _painter(plane, spec):
    body = None if plane.mask is None else _inner(plane.mask)

    def paint(figure, layout):
        axes = figure.add_subplot()
        values = plane.values if body is None else np.ma.masked_array(plane.values, body & ~_rim(body))
        if spec.get("filled", False):
            _filled(figure, axes, values, spec, layout)
        else:
            lines = axes.contour(values, levels=spec.get("levels", 20), colors=palette.series(0))
            lines.set_linewidth(0.9)
        if body is not None and body.any():
            axes.contourf(body.astype(float), levels=[0.5, 2], colors=[palette.BODY[0]])
        axes.set_aspect("equal")
        axes.set_xlabel(plane.across)
        axes.set_ylabel(plane.up, rotation=0, labelpad=11)
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


def _rows_of(plane):
    values = plane.values
    found = [["points", f"{values.shape[1]} x {values.shape[0]}"]] + (
        [["plane", plane.cut]] if plane.cut else []
    )
    found += [["least value", f"{values.min():.6g}"], ["largest value", f"{values.max():.6g}"]]
    return found + [[name, value] for name, value in plane.parameters.items()]


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
    around = " around a body" if plane.mask is not None and _inner(plane.mask).any() else ""
    cut = f" on the plane {plane.cut}" if plane.cut else ""
    low, high = (numbers.measured(float(end), 3) for end in (plane.values.min(), plane.values.max()))
    kind = "Filled contours" if spec.get("filled", False) else f"{spec.get('levels', 20)} contour lines"
    label = f", {spec['label']}," if "label" in spec else ""
    return (
        f"{kind} of {spec['field'].strip('/')}{label}{around}{cut} on {plane.values.shape[1]} x "
        f"{plane.values.shape[0]} points, values from {low} to {high}."
    )


def make(study, spec, fields):
    """The contours that a study declares, from `<fields>/<experiment>-<figure id>.h5`."""
    figure = Figure(study["id"], spec["id"], spec["title"])
    path = Path(fields, f"{study['id']}-{spec['id']}.h5") if fields else None
    if path is None or not path.exists():
        solve = spec.get("solve", {}).get("variant", "a solved field")
        figure.notes.append(f"This figure is left out: its field ({solve}) has not been solved in this run.")
        return figure
    plane = solved.read(path, spec)
    values, parameters = plane.values, plane.parameters
    figure.headings, figure.lines = ["what", "value"], _rows_of(plane)
    where = f"The plane {plane.cut}." if plane.cut else ""
    figure.caption = " ".join(part for part in (spec.get("caption", ""), where, _state(parameters)) if part)
    if _short_of(parameters):
        figure.notes.append("The residual that was asked for was not reached.")
    figure.alt = _alt(plane, spec)
    shape, scale = values.shape[0] / values.shape[1], 0.7 if spec.get("filled", False) else 0
    return figure.paint(_painter(plane, spec), min(0.7 + 6.6 * shape, 5.2), 0.65 + 2.8 * shape + scale)
