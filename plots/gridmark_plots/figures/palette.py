"""Colours as (light, dark) pairs. A graph is drawn in the light ones; rules swap them in the dark.

Each has at least 4.5:1 (text) or 3:1 (marks) against its background, and no two light ones are equal, so
that a rule can find a colour by its value.
"""

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap, to_rgb

INK = ("#20262d", "#e4e7ea")
MUTED = ("#5a6570", "#a4afba")
GRID = ("#d9dee3", "#343c45")
BODY = ("#c3cbd3", "#4d5863")
PAPER = ("#fdfdfb", "#14181c")
SERIES = (
    ("#0b5cad", "#74b6f5"),
    ("#b04a0a", "#f2a268"),
    ("#1a7547", "#63cb97"),
    ("#8638ad", "#cf9cea"),
    ("#ad1f4e", "#f58cab"),
    ("#66650a", "#cfcc62"),
    ("#0a6f78", "#5cc8d2"),
)
DIVERGING = ("#2b7bd1", "#d0661f")  # below and above 0, in both schemes
DIVERGING_STEPS = 41  # odd: what is next to nothing has no colour
EVERY = (INK, MUTED, GRID, BODY, PAPER, *SERIES)


def series(index):
    """The light colour of the n-th series."""
    return SERIES[index % len(SERIES)][0]


def filled():
    """The colours of filled contours, the same in both schemes: dark is low, and no end is paper or ink."""
    return ListedColormap(colormaps["plasma"](np.linspace(0.08, 0.95, 256)), "filled")


def diverging():
    """The colours of values below and above 0, from one end to the other: the closer to 0, the more of the
    paper shines through them, so that they are the same in both schemes.
    """  # fmt: skip
    share = np.linspace(-1, 1, DIVERGING_STEPS)
    below, above = (to_rgb(colour) for colour in DIVERGING)
    return ListedColormap([(*(below if part < 0 else above), abs(part)) for part in share], "diverging")


def in_the_dark(style):
    """The parts of a style that have another colour in the dark, with that; empty where none has."""
    found = []
    for part in ("fill", "stroke"):
        for light, dark in EVERY:
            if f"{part}: {light}" in style.split("; "):
                found.append(f"{part}:{dark}")
    return ";".join(found)
