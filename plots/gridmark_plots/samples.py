"""The samples behind a page's numbers, each row's once, as text that is small and that a script reads."""

import json
import math
from itertools import takewhile

from . import units

DIGITS = 4  # significant digits of a sample, as many as its median is printed with
SIGNS = "".join(chr(code) for code in range(35, 127) if chr(code) not in "&<>'\\`")  # digits, from 0 on


def packed(samples, median):
    """(power, least, width, text): the samples in units of 10**power, rounded.

    The text holds each less the least as `width` digits of SIGNS, the most significant first.
    """
    power = math.floor(math.log10(abs(median))) - DIGITS + 1 if median else 0
    whole = [round(one / 10.0**power) for one in samples]
    least, base = min(whole), len(SIGNS)
    width, largest = 1, max(whole) - least
    while base**width <= largest:
        width += 1
    signs = (SIGNS[(one - least) // base**place % base] for one in whole for place in reversed(range(width)))
    return power, least, width, "".join(signs)


class Samples:
    """The samples of the rows that one page's tables show; cells refer to them by numbers."""

    def __init__(self):
        self._rows, self._places, self._last = [], {}, ""

    def places(self, cell):
        """The numbers of those of a cell's values that have samples."""
        return [self._place(value) for value in cell if value.row is not None]

    def _place(self, value):
        row = value.row
        key = (row["name"], value.unit, tuple(row["samples"]))
        if key not in self._places:
            self._places[key] = len(self._rows)
            alike = takewhile(lambda pair: pair[0] == pair[1], zip(self._last, row["name"], strict=False))
            shared = sum(1 for _ in alike)
            self._last = row["name"]
            told = packed(units.samples(row, value.unit), value.value)
            processes = row.get("process_samples") or [len(row["samples"])]
            self._rows.append([shared, row["name"][shared:], units.pretty(value.unit), *told, processes])
        return self._places[key]

    def text(self):
        """All of them as JSON that may stand in a page; a name tells what it shares with the one before."""
        if not self._rows:
            return ""
        every = {"signs": SIGNS, "rows": self._rows}
        return json.dumps(every, separators=(",", ":")).replace("<", "\\u003c")
