"""Units: times convert into each other and into speeds, everything else must already agree."""

import math

from .errors import InputError

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def _flops(row, _):
    return row["flops"]


def _points(row, file):
    """The points of a row's grid: nx * ny, and * nz where it has three dimensions; n where it has one."""
    given = row["parameters"]
    sizes = {"nx": given.get("nx"), "ny": given.get("ny"), "nz": given.get("nz", 1)}
    if "n" in given and "nx" not in given:
        sizes = {"n": given["n"]}
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int | float) or size <= 0:
            raise InputError(file, row["name"], f"Gpoint/s is asked for, but its '{name}' is no size")
    return math.prod(sizes.values())


SPEEDS = {"GFLOP/s": _flops, "Gpoint/s": _points}


def factor(row, unit, file):
    """What a row's numbers are multiplied by to be in `unit`."""
    if row["unit"] == unit:
        return 1.0
    if row["unit"] in SECONDS and unit in SECONDS:
        return float(f"{SECONDS[row['unit']] / SECONDS[unit]:.12g}")
    raise InputError(file, row["name"], f"its unit is '{row['unit']}' where '{unit}' is asked for")


def convert(row, unit, file):
    """(median, interval or None) of a measured row in `unit`; a time becomes a speed by the row's work."""
    bounds = row["interval"]
    if row["unit"] in SECONDS and unit in SPEEDS:
        work = SPEEDS[unit](row, file)
        if not work:
            raise InputError(file, row["name"], f"{unit} is asked for, but it states no flops")
        if min([row["median"], *(bounds or ())]) <= 0:
            raise InputError(file, row["name"], f"{unit} is asked for, but its time is not above 0")
        scale = work / 1e9 / SECONDS[row["unit"]]
        return scale / row["median"], bounds and (scale / bounds[1], scale / bounds[0])
    scale = factor(row, unit, file)
    return row["median"] * scale, bounds and tuple(bound * scale for bound in bounds)


def samples(row, unit):
    """The samples in `unit`, in their order, of a row whose median could be told in it."""
    return [convert({**row, "median": one, "interval": None}, unit, None)[0] for one in row["samples"]]


def seconds(row):
    """A time's median in seconds, or None when the row is no time."""
    if row["unit"] not in SECONDS or row["median"] is None:
        return None
    return row["median"] * SECONDS[row["unit"]]


def pretty(unit):
    """The unit as print shows it."""
    return "µs" if unit == "us" else unit


def after(text, unit):
    """A word with its unit in parentheses; alone where it has none."""
    return f"{text} ({pretty(unit)})" if unit else text
