"""Limits beside lines: the least time, or the most speed, that a measured ceiling allows each row."""

from dataclasses import dataclass

from .. import numbers, sentences, units
from ..errors import InputError
from . import palette

_INITIALS = ("cpu", "gpu", "fma", "l2")


@dataclass(frozen=True)
class Limit:
    """The (limit, ceiling) by x of one series, or of several of a machine that would overdraw each other."""

    label: str
    colour: str
    by_x: dict

    @property
    def marks(self):
        """Every (x, limit), from left to right."""
        return [(x, self.by_x[x][0]) for x in sorted(self.by_x)]

    def cell(self, x):
        """What the table of the data says at x."""
        if x not in self.by_x:
            return numbers.DASH
        value, ceiling = self.by_x[x]
        return f"{numbers.measured(value)} ({_words(ceiling)})"


def at(places, unit, file):
    """{x: (limit in `unit`, its ceiling)} of {x: rows}, without the x whose rows have none."""
    found = {}
    for x, rows in places.items():
        limits = {_of(row, unit, file) for row in rows if row["limit"]}
        if len(limits) > 1:
            raise InputError(
                file, rows[0]["name"], f"'limits' asks for one at each x, this has {len(limits)}"
            )
        if limits:
            found[x] = limits.pop()
    return found


def _of(row, unit, file):
    limit = row["limit"]
    time = {**row, "median": limit["value"], "unit": limit["unit"], "interval": None}
    return units.convert(time, unit, file)[0], limit["ceiling"]


def shared(lines):
    """The limits drawn beside lines: one of no series' colour for those that agree wherever they meet."""
    groups = []
    for line in lines:
        if line.limits:
            twins = (group for group in groups if all(_agree(line, other) for other in group))
            found = next(twins, None)
            if found is None:
                groups.append([line])
            else:
                found.append(line)
    return [_joined(group) for group in groups]


def _agree(one, other):
    common = one.limits.keys() & other.limits.keys()
    return (
        bool(common)
        and one.machine == other.machine
        and all(one.limits[x] == other.limits[x] for x in common)
    )


def _joined(lines):
    label = f"limit of {sentences.listed([line.title for line in lines])}, {lines[0].machine}"
    colour = lines[0].colour if len(lines) == 1 else palette.MUTED[0]
    return Limit(label, colour, {x: limit for line in lines for x, limit in line.limits.items()})


def sentence(lines):
    """What a dotted line is, with the ceilings that occur; empty where no line has a limit."""
    names = dict.fromkeys(_words(line.limits[x][1]) for line in lines for x in sorted(line.limits))
    return f"dotted: limit set by {sentences.listed(list(names), 'or')}" if names else ""


def _words(ceiling):
    return " ".join(part.upper() if part in _INITIALS else part for part in ceiling.split("_"))
