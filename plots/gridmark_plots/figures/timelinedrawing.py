"""Drawing timelines: a panel for each machine, in it a lane of horizontal bars for each activity."""

import textwrap

from matplotlib.colors import to_rgba

from .. import units
from . import axes as scales
from . import palette

BAR = 0.62  # of a lane's height
SHADES = (1.0, 0.5)  # how opaque neighbouring spans are: paper of either scheme shows through


def _plot(axes, lane, place):
    """A lane's spans, those of one shade after those of the other, so that they are few paths.

    Their edges keep the full colour, so that the shortest ones show as well.
    """
    colour, every = palette.series(place), range(len(SHADES))
    spans = [(span, SHADES[shade]) for shade in every for span in lane.spans[shade :: len(SHADES)]]
    axes.broken_barh(
        [(begin, end - begin) for (begin, end), _ in spans],
        (place - BAR / 2, BAR),
        facecolors=[to_rgba(colour, shade) for _, shade in spans],
        edgecolors=colour,
        linewidth=0.5,
    )


def painter(spec, passes):
    """What draws the panels; all have the same scale, so that they compare."""
    titles, end = [one["title"] for one in spec["lanes"]], max(whole.end for whole in passes)
    name = units.after(spec.get("axis", "time from the pass's begin"), spec["unit"])

    def paint(figure, layout):
        below = scales.panels(figure, [whole.machine for whole in passes], layout)
        for axes, whole in zip(below, passes, strict=True):
            scales.from_zero(axes, "x", 0.0, end)
            axes.set_xlim(0, 1.01 * end)
            axes.locator_params(axis="x", nbins=5 if layout.narrow else 10)
            for place, lane in whole.lanes.items():
                _plot(axes, lane, place)
            names = [textwrap.fill(title, 14 if layout.narrow else 30) for title in titles]
            axes.set_yticks(range(len(titles)), names)
            axes.tick_params(axis="y", length=0)
            axes.set_ylim(len(titles) - 0.5, -0.5)
        below[-1].set_xlabel(name)

    return paint


def heights(spec, passes):
    """Inches of the wide and of the narrow drawing."""
    lanes = len(spec["lanes"])
    return tuple(0.35 + len(passes) * (0.5 + each * lanes) for each in (0.42, 0.36))
