"""Speed-ups then and now: a line for each claim, the published number above each machine's."""

import math
import textwrap
from dataclasses import dataclass

from .. import numbers
from ..numbers import count
from . import axes as scales
from . import compact, palette
from .model import Figure


@dataclass(frozen=True)
class Mark:
    """A value with its interval, or a range without a middle."""

    label: str
    colour: str
    hollow: bool
    value: float | None
    ends: tuple | None
    shape: str = "o"
    column: tuple = ()  # the machine's key and the reading; none of what was published

    @property
    def reach(self):
        """Everything that the axis has to reach."""
        return [end for end in (self.value, *(self.ends or ())) if end is not None]

    @property
    def middle(self):
        """Where a line to it ends."""
        return math.sqrt(self.ends[0] * self.ends[1]) if self.value is None else self.value


SHAPES = {"": "o", "as published": "o", "best for best": "D"}


def _measured_marks(one, colours):
    reading = one.claim.reading
    for judged in one.judged:
        if judged.value is not None or judged.interval is not None:
            key = judged.machine.key
            label = f"{judged.label}, {reading}" if reading else judged.label
            column = (key, reading)
            yield Mark(label, colours[key], False, judged.value, judged.interval, SHAPES[reading], column)


def _marks(readings, colours):
    """The marks of one speed-up, given its readings: they have one published number."""
    low, value, high = readings[0].published
    ends = (low, high) if low is not None and high is not None else None
    found = [Mark("published", palette.MUTED[0], True, value if ends is None else None, ends)]
    for one in readings:
        found += _measured_marks(one, colours)
    return [mark for mark in found if mark.reach and min(mark.reach) > 0]


def _by_claim(speedups):
    """[the readings of one speed-up]: a claim M1 and its twin M1-best."""
    found = {}
    for one in speedups:
        name = one.claim.spec["id"].removesuffix("-best") if one.claim.reading else one.claim.spec["id"]
        found.setdefault((one.study["id"], name), []).append(one)
    return list(found.values())


def _said(mark):
    if mark.value is None:
        return f"{numbers.interval(mark.ends, 3)}"
    return numbers.published(mark.value, 3) if mark.hollow else numbers.measured(mark.value, 3)


def _cell(mark):
    """What is said of a mark, with its interval where it has both."""
    both = mark.value is not None and mark.ends and mark.ends[0] < mark.ends[1]
    return f"{_said(mark)} ({numbers.interval(mark.ends, 3)})" if both else _said(mark)


def _columns(view, rows):
    """{(machine's key, reading): heading} of what was measured, machine by machine."""
    there = {mark.column for _, marks in rows for mark in marks}
    return {
        (machine.key, reading): f"{machine.label()}, {reading}" if reading else machine.label()
        for machine in view.machines
        for reading in SHAPES
        if (machine.key, reading) in there
    }


def make(view):
    """The graph of a view of generations, over all its studies."""
    figure = Figure("generations", "speedups", "Published speed-ups, then and now")
    colours = {machine.key: palette.series(rank) for rank, machine in enumerate(view.machines)}
    rows = [(readings[0], _marks(readings, colours)) for readings in _by_claim(view.speedups)]
    rows = [(one, marks) for one, marks in rows if any(not mark.hollow for mark in marks)]
    if not rows:
        figure.notes.append("This figure is left out: no machine measured any of the published speed-ups.")
        return figure
    columns = _columns(view, rows)
    figure.keys = 2
    figure.headings = ["claim", "year", "published", *columns.values()]
    texts = []
    for one, marks in rows:
        said = {mark.column: _said(mark) for mark in marks}
        told = {mark.column: _cell(mark) for mark in marks}
        cells = [told.get(column, numbers.DASH) for column in ((), *columns)]
        name = f"{one.claim.spec['id']}. {one.label}"
        figure.lines.append([name, one.year or "not known", *cells])
        texts.append(f"{name}: {', '.join(f'{mark.label} {said[mark.column]}' for mark in marks)}")
    figure.alt = (
        f"Dot plot of {count(len(rows), 'speed-up')} on a logarithmic axis, published and measured. "
        f"{'; '.join(texts)}. The table holds each value."
    )
    figure.caption = (
        "Hollow: published, with the year of the hardware; filled: measured, a diamond where the best is "
        "compared with the best. Thick bars are ranges, printed or over several pairs of rows; thin ones are "
        "90 % intervals. At the line, nothing is gained."
    )
    return figure.paint(painter(rows, [(), *columns]), *heights(rows))


LANE, NAME, STUDY, GAP = 0.13, 0.21, 0.27, 0.1  # inches
WIDTHS = {False: 96, True: 54}  # characters of a name


def _name(one, narrow):
    year = f" ({one.year})" if one.year else ""
    return textwrap.wrap(f"{one.claim.spec['id']}  {one.label}{year}", WIDTHS[narrow])


def _places(rows, narrow):
    """([(study, its place)], [(one, marks, the name's place, the first mark's place)], the whole height)."""
    studies, claims, at, last = [], [], 0.0, None
    for one, marks in rows:
        if one.study["id"] != last:
            at += STUDY + (GAP if last else 0)
            studies.append((one.study["id"].replace("_", " "), at))
            last = one.study["id"]
        name = at + NAME * len(_name(one, narrow))
        claims.append((one, marks, name, name + LANE))
        at = name + LANE * (len(marks) + 0.4) + GAP
    return studies, claims, at


def _mark(axes, mark, at, data):
    face = palette.PAPER[0] if mark.hollow else mark.colour
    if mark.value is None:
        low, high = mark.ends
        look = {"facecolor": face, "edgecolor": mark.colour, "linewidth": 1.1, "zorder": 2}
        compact.mark(axes.barh(at, high - low, 0.5 * LANE, left=low, **look)[0], *data)
        return
    if mark.ends:
        track = axes.plot(mark.ends, [at, at], color=mark.colour, linewidth=1.4, solid_capstyle="butt")
        compact.mark(track[0], *data)
    dot = axes.plot(mark.value, at, mark.shape, color=mark.colour, markerfacecolor=face, markersize=5.5)
    compact.mark(dot[0], *data)


def _handle(axes, mark):
    face = palette.PAPER[0] if mark.hollow else mark.colour
    return axes.plot([], [], mark.shape, color=mark.colour, markerfacecolor=face, markersize=5.5)[0]


def _legend_columns(labels, narrow):
    """As many columns as the page has room for."""
    if narrow:
        return 1
    return 3 if max(map(len, labels)) <= 30 else 2


def painter(rows, columns):
    """What draws [(speed-up, its marks)], whose values have these columns in the figure's data."""
    reach = [end for _, marks in rows for mark in marks for end in mark.reach] + [1.0]

    def paint(figure, layout):
        axes = figure.add_subplot()
        # The line at 1 keeps clear of where names begin.
        low = min(*reach, 0.6)
        scales.logarithmic(axes, "x", low / 1.15, max(reach) * 1.15, 5 if layout.narrow else 9)
        axes.axvline(1, color=palette.INK[0], linewidth=0.9)
        studies, claims, height = _places(rows, layout.narrow)
        where = {"transform": axes.get_yaxis_transform(), "va": "bottom"}
        for title, at in studies:
            compact.halo(axes.text(0, at, title, fontsize=layout.points, fontweight="bold", **where))
        for line, (one, marks, name, first) in enumerate(claims):
            text = "\n".join(_name(one, layout.narrow))
            look = {"fontsize": layout.points * 0.9, "color": palette.MUTED[0]}
            compact.halo(axes.text(0, name, text, **look, **where))
            for lane, mark in enumerate(marks):
                at = first + LANE * lane
                between = [marks[0].middle, mark.middle]
                axes.plot(between, [first, at], color=palette.BODY[0], linewidth=1.0, zorder=1)
                _mark(axes, mark, at, (line, 2 + columns.index(mark.column)))
        axes.set_ylim(height, 0)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("times as fast")
        legend = {mark.label: mark for _, marks in rows for mark in marks}
        figure.legend(
            [_handle(axes, mark) for mark in legend.values()],
            [textwrap.fill(label, 44 if layout.narrow else 90) for label in legend],
            loc="outside lower left",
            ncols=_legend_columns(legend, layout.narrow),
        )

    return paint


def heights(rows):
    """Inches of the wide and of the narrow drawing."""
    labels = {mark.label for _, marks in rows for mark in marks}

    def lines(narrow):
        return math.ceil(len(labels) / _legend_columns(labels, narrow))

    return tuple(_places(rows, narrow)[2] + 0.75 + 0.2 * lines(narrow) for narrow in (False, True))
