"""What a column may show of a row instead of its value: how near it comes to its limits, and its kernel."""


def _share(row, name):
    limit = row.get(name)
    return None if limit is None else 100 * limit["share"]


def _of_kernel(row, name):
    kernel = row.get("kernel")
    return None if kernel is None else kernel.get(name)


def _occupancy(row):
    """Earlier files have none."""
    share = _of_kernel(row, "occupancy")
    return None if share is None else 100 * share


def _stepwise(row):
    """A row that does one step at a time has one limit, its own."""
    return _share(row, "stepwise_limit" if row.get("stepwise_limit") else "limit")


# By the word in study.json: unit, and how a row is asked; None where it has no such number.
SHOWN = {
    "share": ("%", lambda row: _share(row, "limit")),
    "stepwise": ("%", _stepwise),
    "registers": ("", lambda row: _of_kernel(row, "registers")),
    "blocks": ("", lambda row: _of_kernel(row, "blocks_per_multiprocessor")),
    "occupancy": ("%", _occupancy),
}


def unit_of(word):
    """The unit of what is shown."""
    return SHOWN[word][0]


def number(row, word):
    """What is shown of a row, or None."""
    return SHOWN[word][1](row)
