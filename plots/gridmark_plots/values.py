"""Values: what stands in a table's cell or at a figure's mark, or is shown of a row instead of its value."""

from dataclasses import dataclass, field, replace

from . import numbers, units
from .selector import flat, has_number, measured, plain


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


def unit_shown(word):
    """The unit of what is shown."""
    return SHOWN[word][0]


def number_shown(row, word):
    """What is shown of a row, or None."""
    return SHOWN[word][1](row)


@dataclass(frozen=True)
class Value:
    """One number in a cell; `note` tells it from others in the same cell. A count is whole.

    A median of samples has its `row`, and the `unit` in which it is told.
    """

    value: float
    interval: tuple | None = None
    estimate: bool = False
    published: bool = False
    note: str = ""
    share: str = ""
    count: bool = False
    row: dict | None = field(default=None, compare=False, repr=False)
    unit: str = ""

    @property
    def text(self):
        """The number as print shows it."""
        if self.count:
            return numbers.exact(self.value)
        return (numbers.published if self.published else numbers.measured)(self.value)

    @property
    def interval_text(self):
        """The interval as print shows it, empty without one and where a value is exact."""
        return (
            "" if self.interval and self.interval[0] == self.interval[1] else numbers.interval(self.interval)
        )

    @property
    def ends(self):
        """Everything that an axis has to reach."""
        return (*(self.interval or ()), self.value)


def differing(rows):
    """The names of the parameters in which rows differ, but for their status."""
    every = [flat(row) for row in rows]
    names = sorted({name for values in every for name in values} - {"status"})
    return [name for name in names if len({plain(values.get(name)) for values in every}) > 1]


def _notes_of(rows):
    """For rows that share a cell: the parameters in which they differ."""
    names = differing(rows)
    return [", ".join(f"{name} {plain(flat(row).get(name)) or 'none'}" for name in names) for row in rows]


def share_of(row):
    """How near a row comes to its limit, in words."""
    if row["limit"] is None:
        return ""
    return f"{100 * row['limit']['share']:.3g} % of {row['limit']['ceiling']}"


def whole_samples(rows):
    """Rows whose numbers are those of one sample, not of one of its iterations; some state no iterations."""
    return [
        {
            **row,
            "median": row["median"] * row["iterations"],
            "interval": row["interval"] and [bound * row["iterations"] for bound in row["interval"]],
            "samples": [sample * row["iterations"] for sample in row["samples"]],
        }
        for row in rows
        if measured(row) and row["iterations"]
    ]


def shown_of(rows, word, published):
    """What a column with that `shows` has to say of the measured ones among rows of one cell."""
    rows = [row for row in rows if measured(row) and number_shown(row, word) is not None]
    return tuple(
        Value(
            number_shown(row, word),
            estimate=row["status"] == "estimate",
            published=published,
            note=note,
            count=not unit_shown(word),
        )
        for row, note in zip(rows, _notes_of(rows), strict=True)
    )


def values_of(rows, unit, published, file, share=False):
    """Those with a number among rows of one cell, in the asked unit and with the share if asked."""
    rows = [row for row in rows if has_number(row)]
    found = []
    for row, note in zip(rows, _notes_of(rows), strict=True):
        value, bounds = units.convert(row, unit, file)
        estimate = row["status"] == "estimate"
        limit = share_of(row) if share else ""
        one = Value(value, bounds, estimate, published, note, limit)
        if len(row["samples"]) > 1:
            one = replace(one, row=row, unit=unit)
        found.append(one)
    return tuple(found)
