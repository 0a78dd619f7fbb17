"""Drawing maps: a panel for each machine, its cells coloured by powers of ten, curves across them."""

import math
import textwrap
from itertools import pairwise

import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.lines import Line2D

from . import axes as scales
from . import palette, planedrawing

STYLES = ("-", "--", ":", "-.")


def edges(values, kind):
    """Where cells meet: half way between neighbours, on a logarithmic scale by their ratio."""
    places = [math.log(value) for value in values] if kind == "log" else [float(value) for value in values]
    middle = [(low + high) / 2 for low, high in pairwise(places)]
    first, last = (middle[0], middle[-1]) if middle else (places[0] + 0.5, places[0] - 0.5)
    middle = [2 * places[0] - first, *middle, 2 * places[-1] - last]
    return [math.exp(place) for place in middle] if kind == "log" else middle


def decades(sheets):
    """The powers of ten around all values above 0, at most about ten steps of them."""
    values = [value for sheet in sheets for value in sheet.cells.values() if value > 0] or [1.0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    step = max(1, math.ceil((high - low) / 10))
    return list(range(low, high + step, step))


def _cells(sheet, powers):
    """log10 of the cells, none where there is none; 0 is as low as any."""
    values = np.ma.masked_all((len(sheet.rows), len(sheet.columns)))
    for (x, y), value in sheet.cells.items():
        power = math.log10(value) if value > 0 else powers[0]
        values[sheet.rows.index(y), sheet.columns.index(x)] = power
    return values


def _panel(axes, spec, sheet, powers, layout):
    scale = spec.get("scale", {})
    sides = [edges(values, scale.get(which)) for which, values in (("x", sheet.columns), ("y", sheet.rows))]
    colours = palette.filled()
    norm = BoundaryNorm(powers, colours.N)
    mesh = axes.pcolormesh(*sides, _cells(sheet, powers), cmap=colours, norm=norm)
    mesh.set_edgecolor("face")
    mesh.set_linewidth(0.3)
    for place, curve in enumerate(sheet.curves.values()):
        # Paper around ink: legible upon every colour.
        points = list(zip(*sorted(curve.items()), strict=True))
        axes.plot(*points, color=palette.PAPER[0], linewidth=3.2)
        axes.plot(*points, color=palette.INK[0], linewidth=1.4, linestyle=STYLES[place % len(STYLES)])
    for which, values in (("x", sheet.columns), ("y", sheet.rows)):
        scales.places(axes, values, scale.get(which), 7 if layout.narrow else 12, which)
        getattr(axes, f"set_{which}lim")(*sides["xy".index(which)][:: len(values)])
        getattr(axes, f"set_{which}label")(scales.name_of(spec, which))
    axes.grid(False)
    return mesh


def painter(spec, sheets):
    """What draws the panels; all have the same colours, so that they compare."""
    powers = decades(sheets)

    def paint(figure, layout):
        below = scales.panels(figure, [sheet.machine for sheet in sheets], layout)
        for axes, sheet in zip(below, sheets, strict=True):
            mesh = _panel(axes, spec, sheet, powers, layout)
        bar = planedrawing.colour_bar(figure, mesh, below, spec.get("label", scales.title_of(spec)), layout)
        shown = powers[:: 2 if layout.narrow else 1]
        bar.set_ticks(shown, labels=[f"1e{power}" for power in shown])
        titles = list(dict.fromkeys(title for sheet in sheets for title in sheet.curves))
        if titles:
            entries = [
                Line2D([], [], color=palette.INK[0], linewidth=1.4, linestyle=STYLES[place % len(STYLES)],
                       label=textwrap.fill(title, 44))
                for place, title in enumerate(titles)
            ]  # fmt: skip
            figure.legend(handles=entries, loc="outside lower left", ncols=1 if layout.narrow else 3)

    return paint


def heights(sheets):
    """Inches of the wide and of the narrow drawing."""
    curves = max(len(sheet.curves) for sheet in sheets)
    return 0.6 + 3.1 * len(sheets) + 0.2, 1.3 + 2.6 * len(sheets) + 0.18 * curves
