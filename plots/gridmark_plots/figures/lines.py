"""Lines: one quantity over a numeric parameter, a line for each series, a panel for each machine."""

import math
import textwrap
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.lines import Line2D

from .. import markdown, numbers, sentences, units
from ..selector import matches, measured, plain
from . import axes as scales
from . import compact, limits, palette
from .choice import fastest, only, values_at
from .model import Figure
from .sweep import MARKERS


def of(label, marks, name, least=False, chosen=None):
    """What (x, value) marks do over the parameter called `name`.

    `least` always tells the smallest, `chosen` is a mark to be told too.
    """
    (first, start), (last, end) = marks[0], marks[-1]
    (low_at, low), (high_at, high) = (pick(marks, key=lambda mark: mark[1].value) for pick in (min, max))
    ringed = f", least {_said(low)} at {plain(low_at)}" if least else ""
    squared = f", chosen {_said(chosen[1])} at {plain(chosen[0])}" if chosen else ""
    marked = ringed + squared
    if len(marks) == 1:
        return f"{label}: {_said(start)} at {name} {plain(first)}{marked}"
    if high.value - low.value < 0.005 * high.value:
        return f"{label}: stays near {_said(start)} from {name} {plain(first)} to {plain(last)}{marked}"
    steps = [later[1].value - sooner[1].value for sooner, later in pairwise(marks)]
    word = "rises" if min(steps) > 0 else "falls" if max(steps) < 0 else "runs"
    text = f"{label}: {word} from {_said(start)} at {name} {plain(first)} to {_said(end)} at {plain(last)}"
    if word != "runs":
        return text + marked
    return f"{text}, least {_said(low)} at {plain(low_at)}, most {_said(high)} at {plain(high_at)}{squared}"


def _said(value):
    return numbers.measured(value.value, 3)


@dataclass(frozen=True)
class Line:
    """The values of one declared series on one machine by x, and the limits of their rows where asked for."""

    title: str
    machine: str
    rank: int
    colour: str
    hollow: bool
    values: dict
    limits: dict
    dashed: bool = False
    ringed: bool = False
    chosen_x: float | None = None

    @property
    def label(self):
        """The series and its machine."""
        return f"{self.title}, {self.machine}"

    @property
    def marks(self):
        """Every (x, value), from left to right."""
        return [(x, value) for x in sorted(self.values) for value in self.values[x]]

    @property
    def least(self):
        """The (x, value) of the smallest value."""
        return min(self.marks, key=lambda mark: mark[1].value)

    @property
    def chosen(self):
        """The (x, value) at the chosen x; None where nothing is chosen, or it was not measured."""
        return next((mark for mark in self.marks if mark[0] == self.chosen_x), None)

    @property
    def ends(self):
        """Everything that the y axis has to reach."""
        return [end for _, value in self.marks for end in value.ends] + [
            limit for limit, _ in self.limits.values()
        ]


def _line(spec, one, rows, machine, file):
    """The values and the limits of a series by x."""
    found = {}
    for row in rows:
        if measured(row) and matches(one["select"], row):
            found.setdefault(scales.number(row, spec["x"], "x", file), []).append(row)
    best = one.get("best", False)
    values = values_at(found, spec, machine, file, best, [spec["x"]])
    if machine.published or not spec.get("limits", False):
        return values, {}
    return values, limits.at(fastest(found, file) if best else found, spec["unit"], file)


def _chosen(study, spec, one, machine):
    """The x that a row names as chosen for a series that marks it."""
    if one.get("mark") != "least and chosen":
        return None
    wanted = {**spec["select"], **one["select"], **spec["chosen"]}
    rows = [row for row in machine.rows(study["id"]) if measured(row) and matches(wanted, row)]
    found = only({one["title"]: rows}, machine.sets[study["id"]].path, "a series' choice") if rows else {}
    return next((row["median"] for row in found.values()), None)


def _lines(study, spec, machines):
    found, notes = [], []
    for rank, machine in enumerate(machines):
        label = machine.label(study["id"])
        rows = [row for row in machine.rows(study["id"]) if matches(spec["select"], row)]
        rows = [row for row in rows if any(matches(one["select"], row) for one in spec["series"])]
        notes += sentences.about(label, machine, study["id"], rows)
        for index, one in enumerate(spec["series"] if rows else ()):
            data = _line(spec, one, rows, machine, machine.sets[study["id"]].path)
            looks = {"dashed": one.get("style") == "dashed", "ringed": "mark" in one}
            if data[0]:
                colour = palette.series(index)
                looks["chosen_x"] = _chosen(study, spec, one, machine)
                found.append(Line(one["title"], label, rank, colour, machine.published, *data, **looks))
    return found, notes


def _alt(spec, lines, name):
    trends = "; ".join(of(line.label, line.marks, name, line.ringed, line.chosen) for line in lines)
    dotted = limits.sentence(lines)
    said = [f"Line plot of {scales.title_of(spec)} over {name}", trends, dotted[:1].upper() + dotted[1:]]
    return f"{'. '.join(part for part in said if part)}. The table holds each value."


def make(study, spec, machines):
    """The lines that a study declares, over the published and measured machines."""
    lines, notes = _lines(study, spec, machines)
    figure = Figure(study["id"], spec["id"], spec["title"], notes=notes)
    if not lines:
        return figure.left_out()
    name, places = scales.name_of(spec, "x"), sorted({x for one in lines for x in one.values})
    ends = [end for line in lines for end in line.ends]
    scale = spec.get("scale", {})
    scales.check_log(study, spec, "scale.x", scale.get("x"), places)
    scales.check_log(study, spec, "scale.y", scale.get("y"), ends)
    dotted = limits.shared(lines)
    figure.headings = [name, *(units.after(one.label, spec["unit"]) for one in [*lines, *dotted])]
    for x in places:
        cells = [markdown.cell_text(line.values.get(x, ())) for line in lines]
        figure.lines.append([plain(x), *cells, *(one.cell(x) for one in dotted)])
    ring = " A ring is around the least value of its line." if any(line.ringed for line in lines) else ""
    ring += " A square is around the chosen one." if any(line.chosen for line in lines) else ""
    figure.caption = spec.get(
        "caption",
        f"Bars hold nine of ten repeats on other machines; hollow marks are published numbers.{ring}",
    )
    figure.alt = _alt(spec, lines, name)
    panels = panels_of(lines)
    columns = {id(line): column for column, line in enumerate(lines, 1)}
    return figure.paint(painter(spec, panels, name, columns), *heights(panels))


def panels_of(lines):
    """[(title, lines)]: one panel for each measured machine, or a single one for a single series."""
    own = list(dict.fromkeys(line.machine for line in lines if not line.hollow))
    if not own or (len(own) > 1 and len({line.title for line in lines}) == 1):
        return [("", lines)]
    return [(name, [line for line in lines if line.hollow or line.machine == name]) for name in own]


def _label(line, titled):
    """A panel's title already names its machine."""
    return line.title if titled and not line.hollow else line.label


def _joined(line):
    """Marks are joined where there is one for each of several x."""
    return len(line.values) > 1 and all(len(values) == 1 for values in line.values.values())


def _look(line):
    """How a series is drawn; a dashed one has no marks, and where nothing joins them each is a dash."""
    look = {"color": line.colour, "linestyle": "none", "linewidth": 1.1, "markersize": 4.8}
    if _joined(line):
        look["linestyle"] = "--" if line.hollow or line.dashed else "-"
    if line.dashed:
        return {**look, "marker": None if _joined(line) else "_", "markersize": 12}
    face = "none" if line.hollow else line.colour
    return {**look, "marker": MARKERS[line.rank % len(MARKERS)], "markerfacecolor": face}


def _shared(line):
    """The same without the marks, which differ from panel to panel."""
    return {**_look(line), "linestyle": "--" if line.dashed else "-", "marker": None}


def _plot(axes, line, places, column):
    """A line and its marks, each of which has its cell in the data; a mark is drawn with all of its line."""
    for x in sorted(line.values):
        for place, value in enumerate(line.values[x]):
            ends = value.interval or (value.value, value.value)
            look = {"linewidth": 1.6, "solid_capstyle": "butt"} if value.interval else {"linewidth": 0}
            (track,) = axes.plot([x, x], ends, color=line.colour, **look)
            compact.mark(track, places.index(x), column, place)
    axes.plot(*zip(*((x, value.value) for x, value in line.marks), strict=True), **_look(line))
    if line.ringed:
        x, value = line.least
        axes.plot(x, value.value, "o", color=line.colour, markerfacecolor="none", markersize=11)
    if line.chosen:
        x, value = line.chosen
        axes.plot(x, value.value, "s", color=line.colour, markerfacecolor="none", markersize=13)


def _plot_limit(axes, limit):
    """Dotted and without marks; a lone one, which no line could show, is a dash."""
    style = {"marker": "_", "markersize": 12} if len(limit.marks) == 1 else {"linestyle": ":"}
    axes.plot(*zip(*limit.marks, strict=True), color=limit.colour, linewidth=1.1, **style)


def _entries(panels, width):
    """The legend's handles: each series once where panels tell the machines, published ones after them."""
    found = {}
    for title, lines in panels:
        for line in sorted(lines, key=lambda one: one.hollow):
            several = bool(title) and len(panels) > 1 and not line.hollow
            found.setdefault(_label(line, bool(title)), (line, several))
    return [
        Line2D([], [], **(_shared if several else _look)(line), label=textwrap.fill(label, width))
        for label, (line, several) in found.items()
    ]


def _columns(entries, narrow):
    longest = max(len(entry.get_label().split("\n")[0]) for entry in entries)
    return max(1, min(len(entries), (46 if narrow else 100) // (longest + 7)))


def _heading(panels, narrow):
    """Above the legend's entries: what dotted lines are, if there are any."""
    return textwrap.fill(limits.sentence([line for _, lines in panels for line in lines]), _width(narrow))


def _width(narrow):
    return 44 if narrow else 90


def _legend_height(panels, narrow):
    entries, heading = _entries(panels, _width(narrow)), _heading(panels, narrow)
    rows = math.ceil(len(entries) / _columns(entries, narrow)) + len(heading.splitlines())
    return 0.18 * (rows + sum(entry.get_label().count("\n") for entry in entries))


def heights(panels):
    """Inches of the wide and of the narrow drawing."""
    titles = sum(bool(title) for title, _ in panels) * 0.2
    return tuple(
        0.3 + titles + each * len(panels) + _legend_height(panels, narrow)
        for each, narrow in ((2.9, False), (2.5, True))
    )


def painter(spec, panels, name, columns):
    """What draws the panels; all have the same scales, so that they compare.

    `columns` are those of the lines, by their `id`, in the figure's data.
    """
    every = [mark for _, lines in panels for line in lines for mark in line.marks]
    ends = [end for _, lines in panels for line in lines for end in line.ends]
    places = sorted({x for x, _ in every})
    scale = spec.get("scale", {})

    def paint(figure, layout):
        figure.get_layout_engine().set(h_pad=0.07)
        below = scales.panels(figure, [title for title, _ in panels], layout)
        for axes, (_, lines) in zip(below, panels, strict=True):
            scales.places(axes, places, scale.get("x"), 7 if layout.narrow else 12)
            scales.spread(axes, "y", ends, 7 if layout.narrow else 9, scale.get("y"))
            for limit in limits.shared(lines):
                _plot_limit(axes, limit)
            for line in lines:
                _plot(axes, line, places, columns[id(line)])
            axes.set_xlabel(name)
            axes.set_ylabel(scales.title_of(spec))
        entries = _entries(panels, _width(layout.narrow))
        figure.legend(
            handles=entries,
            loc="outside lower left",
            ncols=_columns(entries, layout.narrow),
            title=_heading(panels, layout.narrow) or None,
            alignment="left",
        )

    return paint
