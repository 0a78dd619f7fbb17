"""Choosing rows: a selector is a dictionary, and a row matches when every key agrees."""

MEASURED = ("ok", "estimate")


def flat(row):
    """What selectors see of a row: its variant, quantity, clock and status beside its parameters."""
    own = {key: row[key] for key in ("variant", "quantity", "clock", "status")}
    return {**row["parameters"], **own}


def measured(row):
    """Whether the row holds a number."""
    return row["status"] in MEASURED


def _equal(wanted, got):
    return wanted == got and isinstance(wanted, bool) == isinstance(got, bool)


def matches(selector, row):
    """Whether a row has every value that the selector asks for; status "measured" is ok or estimate."""
    values = flat(row)
    for key, wanted in selector.items():
        if key == "status" and wanted == "measured":
            if not measured(row):
                return False
        elif key not in values or not _equal(wanted, values[key]):
            return False
    return True


def key_of(row, names):
    """The row's values under `names`, as text: what a table's line or a figure's category is called."""
    values = flat(row)
    return tuple(plain(values[name]) if name in values else "" for name in names)


def plain(value):
    """A parameter as text: numbers without a trailing .0, booleans as yes and no, null as nothing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}" if value != int(value) else str(int(value))
    return str(value)
