"""A slice: the middle plane of a solved field of three dimensions, coloured below and above 0."""

from . import datasets, sliced, slicesdrawing
from .model import Figure


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
    path = datasets.file_of(figure, spec, fields)
    if path is None:
        return figure
    plane = sliced.read(path, spec)
    figure.headings, figure.lines = ["what", "value"], plane.lines(plane.spans)
    figure.caption = spec.get("caption", "Blue is below 0, orange above.")
    figure.alt = _alt(plane, spec)
    return figure.paint(slicesdrawing.painter(plane, spec), *slicesdrawing.heights(plane))
