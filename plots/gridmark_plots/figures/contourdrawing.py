"""Drawing contours: lines or filled areas, with the body in front of them."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from . import palette, planedrawing


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
    scale = planedrawing.colour_bar(figure, areas, axes, spec.get("label", ""), layout)
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
        planedrawing.frame(axes, plane, layout, _free(spec))

    return paint


def _free(spec):
    return spec.get("aspect", "equal") == "free"


def heights(plane, spec):
    """Inches of the wide and of the narrow drawing."""
    return planedrawing.heights(plane, spec.get("filled", False), _free(spec))
