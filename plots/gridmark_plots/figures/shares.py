"""Shares of each machine's own bandwidth as bars: the last column of each machine in a hardware table."""

from . import bars, palette
from .model import Figure

AXIS = "share of the machine's own bandwidth"


def _sides(table):
    """A side for each machine that has shares; measured machines come first to the colours."""
    drawn = sorted(table.groups, key=lambda group: group.machine.published)
    colours = {group.label: palette.series(rank) for rank, group in enumerate(drawn)}
    places = [column.ratio for _, column in table.columns]
    found, start = [], 0
    for group in table.groups:
        here = [place for place in range(start, start + len(group.columns)) if places[place]]
        start += len(group.columns)
        values = {key: cells[place] for key, cells in table.lines for place in here if cells[place]}
        if values:
            found.append(bars.Side(group.label, colours[group.label], group.machine.published, values))
    return found


def make(study, table):
    """The graph of a hardware table's shares."""
    title = f"{table.spec['title']}: {AXIS}"
    figure, sides = Figure(study["id"], table.spec["id"], title), _sides(table)
    if not sides:
        figure.notes.append("This figure is left out: no machine has a share of its bandwidth to show.")
        return figure
    caption = (
        "The least time of each, as a share of what its machine's memory (or link, where the table says so) "
        "could do. Hollow bars: published times against the data sheet; filled ones: measured times against "
        "measured ceilings, with their 95 % intervals. The line is at 100 %."
    )
    order = [key[0] for key, _ in table.lines]
    spec = {
        "order": order,
        "id": table.spec["id"],
        "select": {},
        "groups": table.keys,
        "unit": "%",
        "axis": AXIS,
    }
    return bars.draw(study, {**spec, "caption": caption, "mark": 100.0, "scale": "linear"}, figure, sides)
