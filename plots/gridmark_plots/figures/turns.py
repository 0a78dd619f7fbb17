"""What other GPUs are forecast to make of each claim's ratio: a row a claim, a column a card."""

import math
import textwrap

import numpy as np
from matplotlib.patches import Rectangle

from .. import numbers
from ..numbers import count
from . import palette
from .model import Figure

FULL = math.log(4)  # a ratio of 4, or of a quarter, has the full colour


def _cards(judged):
    """{(year, name): ratio} of one verdict."""
    return {(card["year"], card["machine"]): card["ratio"] for card in judged.cards}


def make(machine, judged):
    """The graph of one machine's [(claim, its verdict)] that have ratios on other cards; None without any."""
    judged = [(claim, one) for claim, one in judged if one.cards]
    if not judged:
        return None
    columns = sorted({key for _, one in judged for key in _cards(one)})
    figure = Figure("generations", f"turns-{machine.key}", f"{machine.name}: where each claim would turn")
    figure.headings = ["claim", machine.name, *(f"{name} ({year})" for year, name in columns)]
    values = []
    for claim, one in judged:
        cards = _cards(one)
        values.append([one.turns["ratio"], *(cards.get(key) for key in columns)])
        cells = [numbers.DASH if value is None else numbers.measured(value, 3) for value in values[-1]]
        figure.lines.append([f"{claim.spec['id']}. {one.turns['pair']}", *cells])
    turned = sum(
        1 for line in values for value in line[1:] if value is not None and (value > 1) != (line[0] > 1)
    )
    figure.caption = (
        f"The ratio that decides each claim: first as measured on {machine.name}, then as the model "
        "forecasts it for other cards by their data sheets, oldest first. Forecasts are hatched: nobody "
        "measured them. Orange is above 1, blue below. A claim turns where the colour does. Of several pairs "
        "of rows the one that turns most easily stands here."
    )
    figure.alt = (
        f"Grid of {count(len(values), 'claim')} by {count(len(columns), 'card')}: "
        f"{turned} of the forecast ratios lie on the other side of 1 than the measured one. "
        "The table holds each value."
    )
    names = [claim.spec["id"] for claim, _ in judged]
    return figure.paint(painter(names, values, ["measured", *columns]), *heights(names))


def _shade(value):
    return max(-1.0, min(1.0, math.log(value) / FULL))


def _heading(column, narrow):
    if column == "measured":
        return column
    year, name = column
    short = name.removeprefix("NVIDIA ").removeprefix("GeForce ").split(" (")[0].split("-SXM")[0]
    return str(year) if narrow else "\n".join([*textwrap.wrap(short, 10), str(year)])


def painter(names, values, columns):
    """What draws the grid of these lines of values; the first column was measured."""

    def paint(figure, layout):
        axes = figure.add_subplot()
        shades = np.ma.masked_invalid(
            [[math.nan if value is None else _shade(value) for value in line] for line in values]
        )
        axes.pcolormesh(shades, cmap=palette.diverging(), vmin=-1, vmax=1)
        for line, cells in enumerate(values):
            for column, value in enumerate(cells):
                if value is None:
                    continue
                if column > 0:
                    look = {"fill": False, "hatch": "///", "edgecolor": palette.GRID[0], "linewidth": 0}
                    axes.add_patch(Rectangle((column, line), 1, 1, **look))
                if not layout.narrow:
                    where = {"ha": "center", "va": "center", "fontsize": layout.points * 0.8}
                    axes.text(column + 0.5, line + 0.5, numbers.measured(value, 3), **where)
        axes.axvline(1, color=palette.INK[0], linewidth=1.2)
        axes.set_ylim(len(values), 0)
        axes.set_yticks([line + 0.5 for line in range(len(names))], names)
        axes.set_xticks(
            [column + 0.5 for column in range(len(columns))],
            [_heading(column, layout.narrow) for column in columns],
            rotation=60 if layout.narrow else 0,
            fontsize=layout.points * 0.75,
        )
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.grid(False)
        for spine in axes.spines.values():
            spine.set_visible(False)

    return paint


def heights(names):
    """Inches of the wide and of the narrow drawing."""
    return 0.75 + 0.24 * len(names), 0.75 + 0.2 * len(names)
