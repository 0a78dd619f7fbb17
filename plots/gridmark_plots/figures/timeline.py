"""A timeline: what a device was busy with during one pass, a lane of bars for each activity."""

import textwrap
from dataclasses import dataclass

from matplotlib.colors import to_rgba

from .. import numbers, sentences, units
from ..errors import InputError
from ..selector import matches, measured
from . import axes as scales
from . import compact, palette
from .choice import only
from .model import Figure


@dataclass(frozen=True)
class Lane:
    """The (begin, end) of everything that one activity did, in order."""

    title: str
    spans: list
    estimate: bool

    @property
    def end(self):
        """When the last span is over."""
        return max((end for _, end in self.spans), default=0.0)

    @property
    def busy(self):
        """How long at least one span was going on."""
        total = reached = 0.0
        for begin, end in self.spans:
            total += max(0.0, end - max(begin, reached))
            reached = max(reached, end)
        return total

    @property
    def longest(self):
        """How long the longest span took."""
        return max((end - begin for begin, end in self.spans), default=0.0)


@dataclass(frozen=True)
class Pass:
    """One machine's lanes by their place in the figure, without those that were not measured."""

    machine: str
    lanes: dict

    @property
    def end(self):
        """When the whole pass is over."""
        return max(lane.end for lane in self.lanes.values())


def _spans(row, unit, file):
    if "spans" not in row:
        raise InputError(file, row["name"], "a timeline asks for its 'spans', it has none")
    for place, (begin, end) in enumerate(row["spans"]):
        if end < begin:
            said = f"spans[{place}] ends at {end:g}, before it begins at {begin:g}"
            raise InputError(file, row["name"], said)
    scale = units.factor(row, unit, file)
    return sorted((begin * scale, end * scale) for begin, end in row["spans"])


def _pass(spec, rows, label, file):
    """The lanes of one machine."""
    lanes = {}
    for place, one in enumerate(spec["lanes"]):
        own = [row for row in rows if measured(row) and matches(one["select"], row)]
        for row in only({place: own} if own else {}, file, f"the lane '{one['title']}'").values():
            spans = _spans(row, spec["unit"], file)
            lanes[place] = Lane(one["title"], spans, row["status"] == "estimate")
    return Pass(label, lanes)


def _passes(study, spec, machines):
    """The passes in which something was done."""
    found, notes = [], []
    for machine in machines:
        label = machine.label(study["id"])
        rows = [row for row in machine.rows(study["id"]) if matches(spec["select"], row)]
        rows = [row for row in rows if any(matches(one["select"], row) for one in spec["lanes"])]
        notes += sentences.about(label, machine, study["id"], rows)
        one = _pass(spec, rows, label, machine.sets[study["id"]].path) if rows else Pass(label, {})
        if one.lanes and one.end > 0:
            found.append(one)
        elif one.lanes:
            notes.append(f"{label}: its pass holds no span.")
    return found, notes


def _share(lane, whole):
    return f"{100 * lane.busy / whole.end:.3g} %"


def _line(title, lane, whole):
    """What the table of the data says of a lane."""
    if lane is None:
        return [whole.machine, title, *[numbers.DASH] * 4]
    busy = numbers.measured(lane.busy) + (" est." if lane.estimate else "")
    longest = numbers.measured(lane.longest)
    return [whole.machine, title, str(len(lane.spans)), busy, _share(lane, whole), longest]


def _told(whole, unit):
    """A pass in words."""
    said, of = [], f" of {numbers.measured(whole.end, 3)} {units.pretty(unit)}"
    for lane in whole.lanes.values():
        spans = numbers.count(len(lane.spans), "span")
        said.append(f"{lane.title} busy {_share(lane, whole)}{'' if said else of} in {spans}")
    return f"{whole.machine}: {', '.join(said)}"


def make(study, spec, machines):
    """The timeline that a study declares, a panel for each measured machine."""
    passes, notes = _passes(study, spec, machines)
    figure = Figure(study["id"], spec["id"], spec["title"], notes=notes)
    if not passes:
        return figure.left_out()
    titles = [one["title"] for one in spec["lanes"]]
    busy, longest = (units.after(word, spec["unit"]) for word in ("busy", "longest span"))
    figure.headings = ["machine", "lane", "spans", busy, "share of the pass", longest]
    for whole in passes:
        figure.lines += [_line(title, whole.lanes.get(place), whole) for place, title in enumerate(titles)]
    figure.caption = spec.get("caption", "Shades alternate, to tell neighbouring spans apart.")
    told = "; ".join(_told(whole, spec["unit"]) for whole in passes)
    figure.alt = f"Timeline of {sentences.listed(titles)}. {told}. The table holds each lane."
    return figure.paint(painter(spec, passes), *heights(spec, passes))


BAR = 0.62  # of a lane's height
SHADES = (1.0, 0.5)  # how opaque neighbouring spans are: paper of either scheme shows through


def _plot(axes, lane, place, line):
    """A lane's spans, those of one shade after those of the other, so that they are few paths.

    Their edges keep the full colour, so that the shortest ones show as well.
    """
    colour, every = palette.series(place), range(len(SHADES))
    spans = [(span, SHADES[shade]) for shade in every for span in lane.spans[shade :: len(SHADES)]]
    bars = axes.broken_barh(
        [(begin, end - begin) for (begin, end), _ in spans],
        (place - BAR / 2, BAR),
        facecolors=[to_rgba(colour, shade) for _, shade in spans],
        edgecolors=colour,
        linewidth=0.5,
    )
    compact.mark(bars, line)


def painter(spec, passes):
    """What draws the panels; all have the same scale, so that they compare."""
    titles, end = [one["title"] for one in spec["lanes"]], max(whole.end for whole in passes)
    name = units.after(spec.get("axis", "time from the pass's begin"), spec["unit"])

    def paint(figure, layout):
        below = scales.panels(figure, [whole.machine for whole in passes], layout)
        for panel, (axes, whole) in enumerate(zip(below, passes, strict=True)):
            scales.from_zero(axes, "x", 0.0, end)
            axes.set_xlim(0, 1.01 * end)
            axes.locator_params(axis="x", nbins=5 if layout.narrow else 10)
            for place, lane in whole.lanes.items():
                _plot(axes, lane, place, panel * len(titles) + place)
            names = [textwrap.fill(title, 14 if layout.narrow else 30) for title in titles]
            axes.set_yticks(range(len(titles)), names)
            axes.tick_params(axis="y", length=0)
            axes.set_ylim(len(titles) - 0.5, -0.5)
        below[-1].set_xlabel(name)

    return paint


def heights(spec, passes):
    """Inches of the wide and of the narrow drawing."""
    lanes = len(spec["lanes"])
    return tuple(0.35 + len(passes) * (0.5 + each * lanes) for each in (0.42, 0.36))
