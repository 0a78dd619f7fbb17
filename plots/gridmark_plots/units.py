"""Units: times convert into each other, everything else must already agree."""

from .errors import InputError

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def factor(row, unit, file):
    """What a row's numbers are multiplied by to be in `unit`."""
    if row["unit"] == unit:
        return 1.0
    if row["unit"] in SECONDS and unit in SECONDS:
        return float(f"{SECONDS[row['unit']] / SECONDS[unit]:.12g}")
    raise InputError(file, row["name"], f"its unit is '{row['unit']}' where '{unit}' is asked for")


def seconds(row):
    """A time's median in seconds, or None when the row is no time."""
    if row["unit"] not in SECONDS or row["median"] is None:
        return None
    return row["median"] * SECONDS[row["unit"]]


def pretty(unit):
    """The unit as print shows it."""
    return "µs" if unit == "us" else unit
