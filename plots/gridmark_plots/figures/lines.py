"""Lines: one quantity over a numeric parameter, a line for each series on each machine."""

from dataclasses import dataclass
from itertools import pairwise

from .. import markdown, numbers, sentences, units
from ..errors import InputError
from ..selector import matches, measured, plain
from . import axes as scales
from . import limits, linesdrawing, palette
from .choice import fastest, values_at
from .model import Figure


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

    @property
    def label(self):
        """The series and its machine."""
        return f"{self.title}, {self.machine}"

    @property
    def marks(self):
        """Every (x, value), from left to right."""
        return [(x, value) for x in sorted(self.values) for value in self.values[x]]

    @property
    def ends(self):
        """Everything that the y axis has to reach."""
        return [end for _, value in self.marks for end in value.ends] + [
            limit for limit, _ in self.limits.values()
        ]


def _number(row, name, file):
    value = row["parameters"].get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        said = "it has none" if value is None else f"it is '{plain(value)}'"
        raise InputError(file, row["name"], f"x asks for a number under '{name}', but {said}")
    return value


def _line(spec, one, rows, machine, file):
    """The values and the limits of a series by x."""
    found = {}
    for row in rows:
        if measured(row) and matches(one["select"], row):
            found.setdefault(_number(row, spec["x"], file), []).append(row)
    best = one.get("best", False)
    values = values_at(found, spec, machine, file, best, [spec["x"]])
    if machine.published or not spec.get("limits", False):
        return values, {}
    return values, limits.at(fastest(found, file) if best else found, spec["unit"], file)


def _lines(study, spec, machines):
    found, notes = [], []
    for rank, machine in enumerate(machines):
        label = machine.label(study["id"])
        rows = [row for row in machine.rows(study["id"]) if matches(spec["select"], row)]
        rows = [row for row in rows if any(matches(one["select"], row) for one in spec["series"])]
        notes += sentences.about(label, machine, study["id"], rows)
        for index, one in enumerate(spec["series"] if rows else ()):
            data = _line(spec, one, rows, machine, machine.sets[study["id"]].path)
            if data[0]:
                colour = palette.series(index)
                found.append(Line(one["title"], label, rank, colour, machine.published, *data))
    return found, notes


def _trend(line, name):
    marks = line.marks
    (first, start), (last, end) = marks[0], marks[-1]
    if len(marks) == 1:
        return f"{line.label}: {_said(start)} at {name} {plain(first)}"
    (low_at, low), (high_at, high) = (pick(marks, key=lambda mark: mark[1].value) for pick in (min, max))
    if high.value - low.value < 0.005 * high.value:
        return f"{line.label}: stays near {_said(start)} from {name} {plain(first)} to {plain(last)}"
    steps = [later[1].value - sooner[1].value for sooner, later in pairwise(marks)]
    word = "rises" if min(steps) > 0 else "falls" if max(steps) < 0 else "runs"
    text = (
        f"{line.label}: {word} from {_said(start)} at {name} {plain(first)} to {_said(end)} at {plain(last)}"
    )
    if word != "runs":
        return text
    return f"{text}, least {_said(low)} at {plain(low_at)}, most {_said(high)} at {plain(high_at)}"


def _said(value):
    return numbers.measured(value.value, 3)


def _alt(spec, lines, name):
    trends, dotted = "; ".join(_trend(line, name) for line in lines), limits.sentence(lines)
    said = [f"Line plot of {scales.title_of(spec)} over {name}", trends, dotted[:1].upper() + dotted[1:]]
    return f"{'. '.join(part for part in said if part)}. The table holds each value."


def make(study, spec, machines):
    """The lines that a study declares, over the published and measured machines."""
    lines, notes = _lines(study, spec, machines)
    figure = Figure(study["id"], spec["id"], spec["title"], notes=notes)
    if not lines:
        figure.notes.insert(0, "This figure is left out: no machine measured any of its rows.")
        return figure
    name, places = (
        spec.get("x_title", spec["x"].replace("_", " ")),
        sorted({x for one in lines for x in one.values}),
    )
    ends = [end for line in lines for end in line.ends]
    scale = spec.get("scale", {})
    scales.check_log(study, spec, "scale.x", scale.get("x"), places)
    scales.check_log(study, spec, "scale.y", scale.get("y"), ends)
    dotted = limits.shared(lines)
    figure.headings = [name, *(f"{one.label} ({units.pretty(spec['unit'])})" for one in [*lines, *dotted])]
    for x in places:
        cells = [markdown.cell_text(line.values.get(x, ())) for line in lines]
        figure.lines.append([plain(x), *cells, *(one.cell(x) for one in dotted)])
    figure.caption = spec.get(
        "caption", "Bars are 95 % intervals of the median; hollow marks are published numbers."
    )
    figure.alt = _alt(spec, lines, name)
    panels = linesdrawing.panels_of(lines)
    return figure.paint(linesdrawing.painter(spec, panels, name), *linesdrawing.heights(panels))
