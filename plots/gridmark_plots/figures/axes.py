"""Axes shared by the figures: a logarithmic scale with plain numbers on it."""

import math

from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .. import numbers


def _plain(value, _=None):
    return numbers.published(value, 3)


def ticks_between(low, high, most=9):
    """Round numbers from low to high: as many steps between the powers of ten as there is room for."""
    if high / low < 3:
        return [
            float(f"{tick:.12g}")
            for tick in MaxNLocator(most - 1).tick_values(low, high)
            if low <= tick <= high
        ]
    powers = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    for steps in ((1, 2, 3, 4, 5, 6, 8), (1, 2, 3, 5), (1, 2, 5), (1, 3), (1,)):
        found = [step * 10.0**power for power in powers for step in steps]
        found = [tick for tick in found if low * 0.999 <= tick <= high * 1.001]
        if len(found) <= most:
            return found
    return found[:: math.ceil(len(found) / most)]


def logarithmic(axes, which, low, high, most=9):
    """Make the x or y axis logarithmic from low to high."""
    getattr(axes, f"set_{which}scale")("log")
    getattr(axes, f"set_{which}lim")(low, high)
    axis = getattr(axes, f"{which}axis")
    axis.set_major_locator(FixedLocator(ticks_between(low, high, most)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(_plain))
    axis.grid(True)


def spread(axes, which, values, most=9):
    """Scale an axis for these values: logarithmic over a span of more than three, else from zero."""
    low, high = min(values), max(values)
    if low > 0 and high / low > 3:
        logarithmic(axes, which, low / 1.25, high * 1.25, most)
        return
    getattr(axes, f"set_{which}lim")(min(0.0, low * 1.1), high * 1.12 if high > 0 else 1.0)
    axis = getattr(axes, f"{which}axis")
    axis.set_major_formatter(FuncFormatter(_plain))
    axis.grid(True)
