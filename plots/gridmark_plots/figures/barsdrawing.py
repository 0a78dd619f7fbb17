"""Drawing bars: categories from top to bottom, each with its bars and the values at their ends."""

import textwrap

from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from . import axes as scales
from . import palette

BAR, GAP, NAME = 1.0, 0.6, 0.95  # in bars' heights


def _above(bars, layout):
    """Whether names stand above their bars: on a phone there is no room beside them."""
    return layout.narrow and max(len(name) for name, _ in bars) > 12


def _places(bars, above):
    """(each category's top, the whole height), in bars' heights."""
    tops, at = [], 0.0
    for _, some in bars:
        tops.append(at + (NAME if above else 0))
        at = tops[-1] + BAR * len(some) + GAP
    return tops, at - GAP


def _limits(axes, layout):
    """Room for the values to the right of the bars; where a bar begins."""
    low, high = axes.get_xlim()
    room = 0.24 if layout.narrow else 0.12
    if axes.get_xscale() == "log":
        axes.set_xlim(low, high * (high / low) ** room)
        return low
    axes.set_xlim(low, high + (high - low) * room)
    return 0.0


def _bar(axes, layout, side, value, at, start):
    axes.barh(
        at,
        value.value - start,
        0.82 * BAR,
        left=start,
        facecolor="none" if side.hollow else side.colour,
        edgecolor=side.colour,
        linewidth=1.1,
    )
    if value.interval:
        axes.plot(value.interval, [at, at], color=palette.INK[0], linewidth=1.0, solid_capstyle="butt")
    axes.annotate(
        value.text + (" est." if value.estimate else ""),
        (max(value.ends), at),
        (3, 0),
        textcoords="offset points",
        va="center",
        fontsize=layout.points * 0.9,
        path_effects=[withStroke(linewidth=2.5, foreground=palette.PAPER[0])],
    )


def _names(axes, layout, bars, tops, above):
    if not above:
        middles = [top + BAR * len(some) / 2 for top, (_, some) in zip(tops, bars, strict=True)]
        axes.set_yticks(middles, [textwrap.fill(name, 34) for name, _ in bars])
        axes.tick_params(axis="y", length=0)
        return
    axes.set_yticks([])
    for top, (name, _) in zip(tops, bars, strict=True):
        where = {"transform": axes.get_yaxis_transform(), "va": "bottom", "fontsize": layout.points * 0.95}
        axes.text(0.01, top - 0.02, name, **where)


def painter(spec, bars, sides, ends):
    """What draws [(name, [(side, value)])] of these sides."""

    def paint(figure, layout):
        axes, above = figure.add_subplot(), _above(bars, layout)
        tops, height = _places(bars, above)
        scales.spread(axes, "x", ends, 6 if layout.narrow else 9, spec.get("scale"))
        start = _limits(axes, layout)
        if "mark" in spec:
            axes.axvline(spec["mark"], color=palette.MUTED[0], linewidth=1.0)
        for top, (_, some) in zip(tops, bars, strict=True):
            for place, (side, value) in enumerate(some):
                _bar(axes, layout, side, value, top + BAR * (place + 0.5), start)
        axes.set_ylim(height + 0.3, -0.3)
        _names(axes, layout, bars, tops, above)
        axes.set_xlabel(scales.title_of(spec))
        handles = [
            Patch(
                facecolor="none" if side.hollow else side.colour,
                edgecolor=side.colour,
                label=textwrap.fill(side.label, 46 if layout.narrow else 90),
            )
            for side in sides
        ]
        columns = 2 if not layout.narrow and max(len(side.label) for side in sides) < 46 else 1
        figure.legend(handles=handles, loc="outside lower left", ncols=columns)

    return paint


def heights(bars, sides):
    """Inches of the wide and of the narrow drawing."""
    number = sum(len(some) for _, some in bars)
    between, names = GAP * len(bars), NAME * len(bars)
    wide = 0.75 + 0.2 * (number + between) + 0.19 * len(sides)
    return wide, 0.85 + 0.2 * (number + between + names) + 0.19 * sum(
        1 + (len(side.label) > 46) for side in sides
    )
