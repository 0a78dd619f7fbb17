"""Bars: one quantity for each category, a bar for each machine's value at its end."""

import textwrap
from dataclasses import dataclass

from matplotlib.patches import Patch

from .. import markdown, numbers, sentences, units
from ..numbers import DASH, count
from ..selector import key_of, matches, measured
from . import axes as scales
from . import compact, palette
from .choice import values_at
from .model import Figure


@dataclass(frozen=True)
class Side:
    """The values of one machine's GPU or CPU, by category."""

    label: str
    colour: str
    hollow: bool
    values: dict
    hatched: bool = False  # forecasts


def _side_of(row):
    return "CPU" if row["clock"] == "wall" else "GPU" if row["clock"] else ""


def _sides(study, spec, machines):
    """Every side that has a value; colours tell sides and measured machines apart, published are hollow."""
    found, notes, rank = [], [], 0
    for machine in machines:
        label = machine.label(study["id"])
        rows = [row for row in machine.rows(study["id"]) if matches(spec["select"], row)]
        notes += sentences.about(label, machine, study["id"], rows)
        for index, side in enumerate(("GPU", "CPU", "")):
            places = {}
            for row in rows:
                if measured(row) and _side_of(row) == side:
                    places.setdefault(key_of(row, spec["groups"]), []).append(row)
            if places:
                file = machine.sets[study["id"]].path
                values = values_at(places, spec, machine, file, spec.get("best", False), spec["groups"])
                colour = palette.series(index % 2 + (0 if machine.published else 2 * rank))
                name = f"{label}: {side}" if side else label
                found.append(Side(name, colour, machine.published, values))
        rank += not machine.published
    return found, notes


def _categories(spec, sides):
    """The keys in the order asked for, the others behind them as they come."""
    found, order = list(dict.fromkeys(key for side in sides for key in side.values)), spec.get("order", [])
    return sorted(found, key=lambda key: order.index(key[0]) if key[0] in order else len(order))


def named(key):
    """A category's name."""
    return " / ".join(part or DASH for part in key)


def _alt(spec, sides, categories):
    said = []
    for side in sides:
        every = [(value.value, named(key)) for key, values in side.values.items() for value in values]
        (low, least), (high, most) = min(every), max(every)
        text = f"{numbers.measured(high, 3)} with {most}"
        if len(every) > 1:
            text = f"from {numbers.measured(low, 3)} with {least} to {text}"
        said.append(f"{side.label}: {text}")
    return (
        f"Bar graph of {scales.title_of(spec)} for {count(len(categories), 'configuration')} of "
        f"{' / '.join(spec['groups'])}. {'; '.join(said)}. The table holds each value."
    )


def make(study, spec, machines):
    """The bars that a study declares, over the published and measured machines."""
    sides, notes = _sides(study, spec, machines)
    figure = Figure(study["id"], spec["id"], spec["title"], notes=notes)
    return draw(study, spec, figure, sides) if sides else figure.left_out()


def draw(study, spec, figure, sides):
    """Fill a figure with these sides' bars, their words and their numbers; a `mark` is a line across them."""
    ends = [
        end for side in sides for values in side.values.values() for value in values for end in value.ends
    ] + ([spec["mark"]] if "mark" in spec else [])
    scales.check_log(study, spec, "scale", spec.get("scale"), ends)
    categories = _categories(spec, sides)
    figure.headings = [*spec["groups"], *(f"{side.label} ({units.pretty(spec['unit'])})" for side in sides)]
    for key in categories:
        figure.lines.append([*key, *(markdown.cell_text(side.values.get(key, ())) for side in sides)])
    best = "The fastest configuration of each. " if spec.get("best", False) else ""
    figure.caption = spec.get(
        "caption",
        f"{best}Thin lines hold nine of ten repeats on other machines; hollow bars are published numbers.",
    )
    figure.alt = _alt(spec, sides, categories)
    first = figure.keys = len(spec["groups"])
    bars = [
        (
            named(key),
            [
                (side, value, (line, column, place))
                for column, side in enumerate(sides, first)
                for place, value in enumerate(side.values.get(key, ()))
            ],
        )
        for line, key in enumerate(categories)
    ]
    return figure.paint(painter(spec, bars, sides, ends), *heights(bars, sides))


BAR, GAP, NAME = 1.0, 0.6, 0.95  # in bars' heights


def _above(bars, layout):
    """Whether names stand above their bars: on a phone there is no room beside them."""
    return layout.narrow and max(len(name) for name, _ in bars) > 12


def _places(bars, above):
    """(each category's top, the whole height), in bars' heights."""
    tops, at = [], 0.0
    for _, some in bars:
        tops.append(at + (NAME if above else 0))
        at = tops[-1] + BAR * len(some) + GAP
    return tops, at - GAP


def _limits(axes, layout):
    """Room for the values to the right of the bars; where a bar begins."""
    low, high = axes.get_xlim()
    room = 0.24 if layout.narrow else 0.12
    if axes.get_xscale() == "log":
        axes.set_xlim(low, high * (high / low) ** room)
        return low
    axes.set_xlim(low, high + (high - low) * room)
    return 0.0


def _look(side):
    """Filled what was measured, hollow what was published, hatched what a model made."""
    face = "none" if side.hollow or side.hatched else side.colour
    hatch = {"hatch": "////"} if side.hatched else {}
    return {"facecolor": face, "edgecolor": side.colour, **hatch}


def _bar(axes, layout, side, value, data, at, start):
    (bar,) = axes.barh(at, value.value - start, 0.82 * BAR, left=start, linewidth=1.1, **_look(side))
    compact.mark(bar, *data)
    if value.interval:
        axes.plot(value.interval, [at, at], color=palette.INK[0], linewidth=1.0, solid_capstyle="butt")
    text = axes.annotate(
        value.text + (" est." if value.estimate else ""),
        (max(value.ends), at),
        (3, 0),
        textcoords="offset points",
        va="center",
        fontsize=layout.points * 0.9,
    )
    compact.halo(text)


def _names(axes, layout, bars, tops, above):
    if not above:
        middles = [top + BAR * len(some) / 2 for top, (_, some) in zip(tops, bars, strict=True)]
        axes.set_yticks(middles, [textwrap.fill(name, 34) for name, _ in bars])
        axes.tick_params(axis="y", length=0)
        return
    axes.set_yticks([])
    for top, (name, _) in zip(tops, bars, strict=True):
        where = {"transform": axes.get_yaxis_transform(), "va": "bottom", "fontsize": layout.points * 0.95}
        axes.text(0.01, top - 0.02, name, **where)


def painter(spec, bars, sides, ends):
    """What draws [(name, [(side, value, its place in the data)])] of these sides."""

    def paint(figure, layout):
        axes, above = figure.add_subplot(), _above(bars, layout)
        tops, height = _places(bars, above)
        scales.spread(axes, "x", ends, 6 if layout.narrow else 9, spec.get("scale"))
        start = _limits(axes, layout)
        if "mark" in spec:
            axes.axvline(spec["mark"], color=palette.MUTED[0], linewidth=1.0)
        for top, (_, some) in zip(tops, bars, strict=True):
            for place, (side, value, data) in enumerate(some):
                _bar(axes, layout, side, value, data, top + BAR * (place + 0.5), start)
        axes.set_ylim(height + 0.3, -0.3)
        _names(axes, layout, bars, tops, above)
        axes.set_xlabel(scales.title_of(spec))
        handles = [
            Patch(label=textwrap.fill(side.label, 46 if layout.narrow else 90), **_look(side))
            for side in sides
        ]
        columns = 2 if not layout.narrow and max(len(side.label) for side in sides) < 46 else 1
        figure.legend(handles=handles, loc="outside lower left", ncols=columns)

    return paint


def heights(bars, sides):
    """Inches of the wide and of the narrow drawing."""
    number = sum(len(some) for _, some in bars)
    between, names = GAP * len(bars), NAME * len(bars)
    wide = 0.75 + 0.2 * (number + between) + 0.19 * len(sides)
    return wide, 0.85 + 0.2 * (number + between + names) + 0.19 * sum(
        1 + (len(side.label) > 46) for side in sides
    )
