"""Contours of a solved field around the points that its mask holds fixed, as lines or filled."""

from . import contourdrawing, datasets, solved
from .model import Figure


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
    path = datasets.file_of(figure, spec, fields)
    if path is None:
        return figure
    plane = solved.read(path, spec)
    parameters = plane.parameters
    figure.headings, figure.lines = ["what", "value"], plane.lines(_spans(plane, spec))
    where = f"The plane {plane.cut}." if plane.cut else ""
    figure.caption = " ".join(part for part in (spec.get("caption", ""), where, _state(parameters)) if part)
    if _short_of(parameters):
        figure.notes.append("The residual that was asked for was not reached.")
    figure.alt = _alt(plane, spec)
    return figure.paint(contourdrawing.painter(plane, spec), *contourdrawing.heights(plane, spec))
