"""Drawing contours: lines or filled areas, with the body in front of them."""

import numpy as np
from matplotlib.ticker import MaxNLocator

from . import palette

FREE = 0.55  # of its width is the height of a drawing whose axes share no scale


def _rim(body):
    """The body's outermost points, which keep their value so that lines end at its wall."""
    inside = body.copy()
    inside[1:-1, 1:-1] = (
        body[1:-1, 1:-1] & body[:-2, 1:-1] & body[2:, 1:-1] & body[1:-1, :-2] & body[1:-1, 2:]
    )
    return body & ~inside


def _filled(figure, axes, data, spec, layout):
    """Filled contours and the scale of their colours; below the graph where that is narrow."""
    areas = axes.contourf(*data, levels=spec.get("levels", 20), cmap=palette.filled())
    areas.set_edgecolor("face")  # without it the paper shines through between two areas
    areas.set_linewidth(0.3)
    side = {"orientation": "horizontal", "aspect": 30} if layout.narrow else {"aspect": 25}
    scale = figure.colorbar(areas, ax=axes, label=spec.get("label", ""), **side)
    scale.solids.set_edgecolor("face")
    scale.solids.set_rasterized(False)  # many colours would become a picture within the drawing
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
        if body is not None and body.any():
            axes.contourf(*places, body.astype(float), levels=[0.5, 2], colors=[palette.BODY[0]])
        axes.set_aspect("auto" if _free(spec) else "equal")
        axes.set_xlabel(plane.across.title)
        upright = {"rotation": 0, "labelpad": 11} if len(plane.up.title) == 1 else {}
        axes.set_ylabel(plane.up.title, **upright)
        for side in ("top", "right"):
            axes.spines[side].set_visible(True)
        if layout.narrow:
            axes.locator_params(nbins=5)

    return paint


def _free(spec):
    return spec.get("aspect", "equal") == "free"


def heights(plane, spec):
    """Inches of the wide and of the narrow drawing."""
    filled = spec.get("filled", False)
    if _free(spec):
        return 0.5 + FREE * (6.1 if filled else 7.0), 0.47 + FREE * 2.95 + (0.5 if filled else 0)
    shape = plane.up.size * plane.up.step / (plane.across.size * plane.across.step)
    return min(0.7 + 6.6 * shape, 5.2), 0.65 + 2.8 * shape + (0.7 if filled else 0)
