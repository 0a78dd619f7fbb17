"""Lines: one quantity over a numeric parameter, a line for each series on each machine."""

from dataclasses import dataclass

from .. import markdown, sentences, units
from ..selector import matches, measured, plain
from . import axes as scales
from . import limits, linesdrawing, palette, parameter, trend
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
    dashed: bool = False
    ringed: bool = False

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
            found.setdefault(parameter.number(row, spec["x"], "x", file), []).append(row)
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
            looks = {"dashed": one.get("style") == "dashed", "ringed": one.get("mark") == "least"}
            if data[0]:
                colour = palette.series(index)
                found.append(Line(one["title"], label, rank, colour, machine.published, *data, **looks))
    return found, notes


def _alt(spec, lines, name):
    trends = "; ".join(trend.of(line.label, line.marks, name, line.ringed) for line in lines)
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
    figure.caption = spec.get(
        "caption", f"Bars are 95 % intervals of the median; hollow marks are published numbers.{ring}"
    )
    figure.alt = _alt(spec, lines, name)
    panels = linesdrawing.panels_of(lines)
    return figure.paint(linesdrawing.painter(spec, panels, name), *linesdrawing.heights(panels))
