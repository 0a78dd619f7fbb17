"""Axes shared by the figures: scales with plain numbers, what they are called, where rows stand."""

import math
import textwrap

from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from .. import numbers, units
from ..errors import InputError
from ..selector import plain


def number(row, name, axis, file):
    """The row's parameter of this name, for the axis that asks for it."""
    value = row["parameters"].get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        said = "it has none" if value is None else f"it is '{plain(value)}'"
        raise InputError(file, row["name"], f"{axis} asks for a number under '{name}', but {said}")
    return value


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


def from_zero(axes, which, low, high):
    """Make the x or y axis linear, with 0 in it and room above the highest."""
    getattr(axes, f"set_{which}lim")(min(0.0, low * 1.1), high * 1.12 if high > 0 else 1.0)
    axis = getattr(axes, f"{which}axis")
    axis.set_major_formatter(FuncFormatter(_plain))
    axis.grid(True)


def spread(axes, which, values, most=9, kind=None):
    """Scale an axis as asked, else logarithmically over a span of more than three and from zero below."""
    low, high = min(values), max(values)
    if kind == "log" or (kind is None and low > 0 and high / low > 3):
        logarithmic(axes, which, low / 1.25, high * 1.25, most)
    else:
        from_zero(axes, which, low, high)


def places(axes, values, kind, most, which="x"):
    """Scale an axis for marks at these values, and put its ticks there as far as there is room.

    There is room for `most` ticks of up to five characters, along x for fewer longer ones.
    """
    low, high = min(values), max(values)
    if which == "x":
        most = 5 * most / max(5, *(len(_plain(value, 0)) for value in values))
    axis = getattr(axes, f"{which}axis")
    if kind == "log":
        margin = max(1.1, (high / low) ** 0.05)
        logarithmic(axes, which, low / margin, high * margin)
        axis.set_major_locator(FixedLocator(_apart(values, math.log, most)))
        return
    margin = 0.05 * (high - low) or 0.5
    getattr(axes, f"set_{which}lim")(low - margin, high + margin)
    axis.set_major_locator(FixedLocator(_apart(values, float, most)))
    axis.set_major_formatter(FuncFormatter(_plain))
    axes.grid(True)


def _apart(values, place, most):
    """The values whose places on the axis leave room for their numbers."""
    values = sorted(values)
    room = (place(values[-1]) - place(values[0])) / most
    kept = values[:1]
    for value in values[1:]:
        if place(value) - place(kept[-1]) >= room * 0.999:
            kept.append(value)
    return kept


def title_of(spec):
    """What an axis of values is called: the figure's own word, else speed or the quantity, with the unit."""
    quantity = spec["select"].get("quantity", "value")
    word = "speed" if spec["unit"] in units.SPEEDS else quantity if isinstance(quantity, str) else "value"
    return units.after(spec.get("axis", word), spec["unit"]).replace("_", " ")


def name_of(spec, which):
    """What the axis of a parameter is called: the figure's own word, else the parameter's."""
    return spec.get(f"{which}_title", spec[which].replace("_", " "))


def panels(figure, titles, layout):
    """Axes below each other, one for each title."""
    found = list(figure.subplots(len(titles), 1, squeeze=False)[:, 0])
    for axes, title in zip(found, titles, strict=True):
        axes.set_title(textwrap.fill(title, 40 if layout.narrow else 90), fontsize=layout.points, loc="left")
    return found


def check_log(study, spec, key, kind, values):
    """Refuse a logarithmic scale for values that have none."""
    if kind == "log" and min(values) <= 0:
        raise InputError(
            study["file"], f"figures.{spec['id']}.{key}", "'log' cannot show a value that is not above 0"
        )
