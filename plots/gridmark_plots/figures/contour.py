"""Contours of a solved field around the points that its mask holds fixed, as lines or filled."""

from pathlib import Path

from .. import numbers
from . import contourdrawing, solved
from .model import Figure


def _spans(plane, spec):
    """The axes, where the figure gives them a meaning: what they are and where they end."""
    if not any(f"{which}_{key}" in spec for which in "xy" for key in ("title", "scale")):
        return []
    return [[axis.title, axis.span] for axis in (plane.across, plane.up)]


def _rows_of(plane, spec):
    values = plane.values
    found = [["points", f"{values.shape[1]} x {values.shape[0]}"], *_spans(plane, spec)]
    if plane.cut:
        found.append(["plane", plane.cut])
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
    around = " around a body" if plane.body is not None and plane.body.any() else ""
    cut = f" on the plane {plane.cut}" if plane.cut else ""
    low, high = (numbers.measured(float(end), 3) for end in (plane.values.min(), plane.values.max()))
    kind = "Filled contours" if spec.get("filled", False) else f"{spec.get('levels', 20)} contour lines"
    label = f", {spec['label']}," if "label" in spec else ""
    spans = " by ".join(f"{title} from {span}" for title, span in _spans(plane, spec))
    over = f", {spans}" if spans else ""
    return (
        f"{kind} of {spec['field'].strip('/')}{label}{around}{cut} on {plane.values.shape[1]} x "
        f"{plane.values.shape[0]} points{over}, values from {low} to {high}."
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
    parameters = plane.parameters
    figure.headings, figure.lines = ["what", "value"], _rows_of(plane, spec)
    where = f"The plane {plane.cut}." if plane.cut else ""
    figure.caption = " ".join(part for part in (spec.get("caption", ""), where, _state(parameters)) if part)
    if _short_of(parameters):
        figure.notes.append("The residual that was asked for was not reached.")
    figure.alt = _alt(plane, spec)
    return figure.paint(contourdrawing.painter(plane, spec), *contourdrawing.heights(plane, spec))
