"""Speed-ups then and now: a line for each claim, the published number above each machine's."""

import math
from dataclasses import dataclass

from .. import numbers
from ..numbers import count
from . import palette, speedupsdrawing
from .model import Figure


@dataclass(frozen=True)
class Mark:
    """A value with its interval, or a range without a middle."""

    label: str
    colour: str
    hollow: bool
    value: float | None
    ends: tuple | None

    @property
    def reach(self):
        """Everything that the axis has to reach."""
        return [end for end in (self.value, *(self.ends or ())) if end is not None]

    @property
    def middle(self):
        """Where a line to it ends."""
        return math.sqrt(self.ends[0] * self.ends[1]) if self.value is None else self.value


def _marks(one, colours):
    low, value, high = one.published
    ends = (low, high) if low is not None and high is not None else None
    found = [Mark("published", palette.MUTED[0], True, value if ends is None else None, ends)]
    for judged in one.judged:
        if judged.value is not None or judged.interval is not None:
            colour = colours[judged.machine.key]
            found.append(Mark(judged.label, colour, False, judged.value, judged.interval))
    return [mark for mark in found if mark.reach and min(mark.reach) > 0]


def _said(mark):
    if mark.value is None:
        return f"{numbers.interval(mark.ends, 3)}"
    return numbers.published(mark.value, 3) if mark.hollow else numbers.measured(mark.value, 3)


def make(view):
    """The graph of a view of generations, over all its studies."""
    figure = Figure("generations", "speedups", "Published speed-ups, then and now")
    colours = {machine.key: palette.series(rank) for rank, machine in enumerate(view.machines)}
    rows = [(one, _marks(one, colours)) for one in view.speedups]
    rows = [(one, marks) for one, marks in rows if any(not mark.hollow for mark in marks)]
    if not rows:
        figure.notes.append("This figure is left out: no machine measured any of the published speed-ups.")
        return figure
    figure.headings = ["claim", "year", "published", *(machine.label() for machine in view.machines)]
    texts = []
    for one, marks in rows:
        said = {mark.label: _said(mark) for mark in marks}
        cells = [said.get(machine.label(one.study["id"]), numbers.DASH) for machine in view.machines]
        name = f"{one.claim.spec['id']}. {one.label}"
        figure.lines.append([name, one.year or "not known", said.get("published", numbers.DASH), *cells])
        texts.append(f"{name}: {', '.join(f'{label} {text}' for label, text in said.items())}")
    figure.alt = (
        f"Dot plot of {count(len(rows), 'speed-up')} on a logarithmic axis, published and measured. "
        f"{'; '.join(texts)}. The table holds each value."
    )
    figure.caption = (
        "Hollow: published, with the year of the hardware; filled: measured. Thick bars are ranges, printed "
        "or over several pairs of rows; thin ones are 95 % intervals. At the line, nothing is gained."
    )
    return figure.paint(speedupsdrawing.painter(rows), *speedupsdrawing.heights(rows))
