"""Bars: one quantity for each category, a bar for each machine's value."""

from dataclasses import dataclass

from .. import markdown, numbers, sentences, units
from ..numbers import DASH, count
from ..selector import key_of, matches, measured
from . import axes as scales
from . import barsdrawing, palette
from .choice import values_at
from .model import Figure


@dataclass(frozen=True)
class Side:
    """The values of one machine's GPU or CPU, by category."""

    label: str
    colour: str
    hollow: bool
    values: dict


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
        "caption", f"{best}Thin lines are 95 % intervals of the median; hollow bars are published numbers."
    )
    figure.alt = _alt(spec, sides, categories)
    bars = [
        (named(key), [(side, value) for side in sides for value in side.values.get(key, ())])
        for key in categories
    ]
    return figure.paint(barsdrawing.painter(spec, bars, sides, ends), *barsdrawing.heights(bars, sides))
