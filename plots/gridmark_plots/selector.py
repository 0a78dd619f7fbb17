"""Choosing rows: a selector is a dictionary, and a row matches when every key agrees."""

MEASURED = ("ok", "estimate")
FORECAST = "forecast"


def flat(row):
    """What selectors see of a row: its variant, quantity, clock and status beside its parameters."""
    own = {key: row[key] for key in ("variant", "quantity", "clock", "status")}
    return {**row["parameters"], **own}


def measured(row):
    """Whether the row holds a number that was measured."""
    return row["status"] in MEASURED


def has_number(row):
    """Whether the row holds a number: a measured one, or one that a model made."""
    return row["status"] in (*MEASURED, FORECAST)


def _equal(wanted, got):
    return wanted == got and isinstance(wanted, bool) == isinstance(got, bool)


def _agrees(key, wanted, values):
    if isinstance(wanted, list):
        return any(_agrees(key, one, values) for one in wanted)
    if key == "status" and wanted == "measured":
        return values["status"] in MEASURED
    return _equal(wanted, values.get(key))


def matches(selector, row):
    """Whether a row has what the selector asks for under each key: a value, or one of a list of values.

    The status "measured" is ok or estimate; null is a parameter that the row does not have.
    """
    values = flat(row)
    return all(_agrees(key, wanted, values) for key, wanted in selector.items())


def key_of(row, names):
    """The row's values under `names`, as text: what a table's line or a figure's category is called."""
    values = flat(row)
    return tuple(plain(values[name]) if name in values else "" for name in names)


def _ranks(parts):
    """What the values under one name are sorted by: their number where all are numbers, else as they come."""
    if all(part.replace(".", "", 1).isdigit() for part in parts):
        return {part: float(part) for part in parts}
    return {part: rank for rank, part in enumerate(dict.fromkeys(parts))}


def in_order(keys):
    """Keys, each once: sorted by those names whose values are all numbers; as they come without any."""
    found = list(dict.fromkeys(keys))
    ranks = [_ranks([key[place] for key in found]) for place in range(len(found[0]) if found else 0)]
    if any(isinstance(rank, float) for values in ranks for rank in values.values()):
        found.sort(key=lambda key: [values[part] for values, part in zip(ranks, key, strict=True)])
    return found


def plain(value):
    """A parameter as text: numbers without a trailing .0, booleans as yes and no, null as nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if value != int(value) else str(int(value))
    return str(value)
