"""A table as CSV: full precision, one line per row, intervals and marks in columns of their own."""

import csv
import io
import re

from .numbers import exact


def _heading(group, column):
    unit = f" [{column.unit}]" if column.unit else ""
    return f"{group.label}: {column.title}{unit}"


def _fields(group, cell):
    values = "; ".join(exact(value.value) for value in cell)
    if group.machine.published:
        return [values]
    bounds = ["; ".join(exact(value.interval[end]) for value in cell if value.interval) for end in (0, 1)]
    marks = "; ".join("estimate" if value.estimate else "ok" for value in cell)
    notes = [f" ({value.note})" for value in cell if value.note]
    shares = [f", {value.share}" for value in cell if value.share]
    return [values, *bounds, marks + "".join(notes + shares)]


def _one_kind_of_break(cell):
    """A text whose line breaks are all newlines: csv sets no quotes around others."""
    return re.sub(r"\r\n|\r", "\n", cell) if isinstance(cell, str) else cell


def write(headings, lines):
    """Lines of text as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows(map(_one_kind_of_break, line) for line in [headings, *lines])
    return out.getvalue()


def render(table):
    """The table as CSV text."""
    headings = list(table.keys)
    for group, column in table.columns:
        name = _heading(group, column)
        headings.append(name)
        if not group.machine.published:
            headings += [f"{name} low", f"{name} high", f"{name} status"]
    lines = []
    for key, cells in table.lines:
        fields = [
            field
            for (group, _), cell in zip(table.columns, cells, strict=True)
            for field in _fields(group, cell)
        ]
        lines.append([*key, *fields])
    return write(headings, lines)
