"""A sweep: one quantity over configurations, measured machines as filled marks, published ones hollow."""

from dataclasses import dataclass

from .. import markdown, sentences, units
from ..numbers import DASH
from ..selector import in_order, key_of, matches, measured
from ..values import values_of
from . import axes as scales
from . import compact, palette
from .model import Figure

MARKERS = "osD^vPX*"


@dataclass(frozen=True)
class Series:
    """The values of one declared series on one machine, by category."""

    label: str
    colour: str
    marker: str
    hollow: bool
    values: dict


def _series(study, spec, machines):
    found, notes = [], []
    for rank, machine in enumerate(machines):
        label = machine.label(study["id"])
        rows = [row for row in machine.rows(study["id"]) if matches(spec["select"], row)]
        rows = [row for row in rows if any(matches(one["select"], row) for one in spec["series"])]
        notes += sentences.about(label, machine, study["id"], rows)
        for index, one in enumerate(spec["series"]):
            values = {}
            for row in rows:
                if measured(row) and matches(one["select"], row):
                    file = machine.sets[study["id"]].path
                    values.setdefault(key_of(row, spec["x"]), []).extend(
                        values_of([row], spec["unit"], machine.published, file)
                    )
            if values:
                marker = MARKERS[rank % len(MARKERS)]
                name = f"{one['title']}, {label}"
                found.append(Series(name, palette.series(index), marker, machine.published, values))
    return found, notes


def _plot(axes, series, categories, upright, first):
    for place, one in enumerate(series):
        shift = (place - (len(series) - 1) / 2) * min(0.13, 0.8 / len(series))
        for key, values in sorted(one.values.items()):
            position = categories.index(key) + shift
            for which, value in enumerate(values):
                data = (categories.index(key), first + place, which)
                point = (position, value.value) if upright else (value.value, position)
                if value.interval:
                    ends = list(value.interval)
                    track = ([position, position], ends) if upright else (ends, [position, position])
                    (bar,) = axes.plot(*track, color=one.colour, linewidth=1.6, solid_capstyle="butt")
                    compact.mark(bar, *data)
                face = "none" if one.hollow else one.colour
                (dot,) = axes.plot(
                    *point,
                    one.marker,
                    color=one.colour,
                    markerfacecolor=face,
                    markersize=5.5,
                    label=one.label,
                )
                compact.mark(dot, *data)


def _crowded(categories):
    """Whether names in a row, a part below the other, would touch each other."""
    return sum(max(map(len, key)) + 2 for key in categories) > 85


def _painter(spec, series, categories):
    everything = [
        end for one in series for cell in one.values.values() for value in cell for end in _ends(value)
    ]
    title = scales.title_of(spec)

    def paint(figure, layout):
        axes = figure.add_subplot()
        upright = not layout.narrow
        _plot(axes, series, categories, upright, len(spec["x"]))
        across, along = ("x", "y") if upright else ("y", "x")
        scales.spread(axes, along, everything, 9 if upright else 7)
        places, text = range(len(categories)), " / ".join(name.replace("_", " ") for name in spec["x"])
        crowded = upright and _crowded(categories)
        between = " /\n" if upright and not crowded else " / "
        names = [between.join(part or DASH for part in key) for key in categories]
        turned = {"rotation": 50, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
        getattr(axes, f"set_{across}ticks")(places, names, **turned)
        getattr(axes, f"set_{across}lim")(-0.6, len(categories) - 0.4)
        axes.tick_params(axis=across, length=0)
        getattr(axes, f"set_{along}label")(title)
        if upright:
            axes.set_xlabel(text)
        else:
            axes.invert_yaxis()
            axes.set_title(text, fontsize=layout.points, loc="left", color=palette.MUTED[0])
        handles, labels = axes.get_legend_handles_labels()
        legend = dict(zip(labels, handles, strict=True))
        columns = 2 if upright and len(legend) > 1 else 1
        figure.legend(
            legend.values(), legend.keys(), loc="outside lower left", ncols=columns, handletextpad=0.3
        )

    return paint


def _ends(value):
    return value.interval or (value.value,)


def make(study, spec, machines):
    """The sweep that a study declares, over the published and measured machines."""
    series, notes = _series(study, spec, machines)
    figure = Figure(study["id"], spec["id"], spec["title"], notes=notes)
    if not series:
        return figure.left_out()
    categories = in_order(key for one in series for key in one.values)
    figure.keys = len(spec["x"])
    figure.headings = [*spec["x"], *(f"{one.label} ({units.pretty(spec['unit'])})" for one in series)]
    for key in categories:
        cells = [markdown.cell_text(tuple(one.values.get(key, ()))) for one in series]
        figure.lines.append([*key, *cells])
    figure.caption = spec.get(
        "caption", "Bars hold nine of ten repeats on other machines; hollow marks are published numbers."
    )
    low = min(value.value for one in series for cell in one.values.values() for value in cell)
    high = max(value.value for one in series for cell in one.values.values() for value in cell)
    what = "; ".join(one.label for one in series)
    figure.alt = (
        f"Dot plot over {len(categories)} configurations of {' / '.join(spec['x'])}: {what}. Values run from "
        f"{low:.3g} to {high:.3g} {units.pretty(spec['unit'])}; the table below the graph holds each."
    )
    extra = 0.2 * len(series)
    wide = 3.6 + extra / 2 + (0.5 if _crowded(categories) else 0.15)
    narrow = 1.2 + extra + max(0.34, 0.13 * len(series)) * len(categories)
    return figure.paint(_painter(spec, series, categories), wide, narrow)
