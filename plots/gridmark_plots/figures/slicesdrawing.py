"""Drawing slices: a picture in colours below and above 0, and the outline of the body in it."""

import numpy as np
from matplotlib.colors import Normalize

from .. import numbers
from . import palette, planedrawing

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
    bar = planedrawing.colour_bar(figure, picture, axes, label, layout)
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
        planedrawing.frame(axes, plane, layout)
        _bar(figure, picture, axes, label, layout)

    return paint


def heights(plane):
    """Inches of the wide and of the narrow drawing."""
    return planedrawing.heights(plane, True)
