"""A map: a quantity over two parameters as coloured cells, a panel a machine, with curves across it."""

import math
import textwrap
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.lines import Line2D

from .. import numbers, sentences
from ..errors import InputError
from ..selector import matches, measured, plain
from . import axes as scales
from . import palette
from . import plane as planes
from .choice import only
from .model import Figure


@dataclass(frozen=True)
class Sheet:
    """One machine's cells by (x, y), and its curves: {title: {x: y}}."""

    machine: str
    cells: dict
    curves: dict

    @property
    def columns(self):
        """Every x, from left to right."""
        return sorted({x for x, _ in self.cells})

    @property
    def rows(self):
        """Every y, from below."""
        return sorted({y for _, y in self.cells})


def _placed(spec, rows, file, what, keys):
    """{the values of the keys: the median of the only row there}."""
    found = {}
    for row in rows:
        found.setdefault(tuple(scales.number(row, spec[key], key, file) for key in keys), []).append(row)
    return {place: row["median"] for place, row in only(found, file, what).items()}


def _cells(spec, rows, file):
    cells = _placed(spec, rows, file, "a cell", ("x", "y"))
    for row in rows:
        if row["median"] < 0:
            raise InputError(file, row["name"], "a map's colours are logarithmic, and its value is below 0")
    return cells


def _sheet(spec, machine, experiment):
    """What there is of one machine; rows of a curve are of another quantity than the cells."""
    file = machine.sets[experiment].path
    rows = [row for row in machine.rows(experiment) if measured(row)]
    curves = {}
    for one in spec.get("lines", []):
        own = [row for row in rows if matches(one["select"], row)]
        placed = _placed(spec, own, file, f"the line '{one['title']}'", ("x",))
        if placed:
            curves[one["title"]] = {x: y for (x,), y in placed.items()}
    cells = _cells(spec, [row for row in rows if matches(spec["select"], row)], file)
    return Sheet(machine.label(experiment), cells, curves)


def _said(value):
    return "0" if value == 0 else f"{value:.1e}"


def _lines(sheet):
    """The table: a line for each x, in it the values from the lowest y on and the curves' y."""
    for x in sheet.columns:
        cells = [_said(sheet.cells[x, y]) if (x, y) in sheet.cells else numbers.DASH for y in sheet.rows]
        curves = [plain(curve[x]) if x in curve else numbers.DASH for curve in sheet.curves.values()]
        yield [sheet.machine, plain(x), *cells, *curves]


def _told(spec, sheet):
    names = [scales.name_of(spec, which) for which in ("x", "y")]

    def where(place):
        return ", ".join(f"{name} {plain(value)}" for name, value in zip(names, place, strict=True))

    low, high = (pick(sheet.cells, key=sheet.cells.get) for pick in (min, max))
    text = f"from {_said(sheet.cells[low])} ({where(low)}) to {_said(sheet.cells[high])} ({where(high)})"
    for title, curve in sheet.curves.items():
        first, last = min(curve), max(curve)
        text += f"; {title}: {names[1]} {plain(curve[first])} at {names[0]} {plain(first)}"
        text += f", {plain(curve[last])} at {plain(last)}"
    return f"{sheet.machine}: {text}"


def make(study, spec, machines):
    """The map that a study declares, a panel for each measured machine."""
    notes, sheets = [], []
    for machine in machines:
        rows = [row for row in machine.rows(study["id"]) if matches(spec["select"], row)]
        notes += sentences.about(machine.label(study["id"]), machine, study["id"], rows)
        if any(measured(row) for row in rows):
            sheets.append(_sheet(spec, machine, study["id"]))
    figure = Figure(study["id"], spec["id"], spec["title"], notes=notes)
    if not sheets:
        return figure.left_out()
    for which in ("x", "y"):
        values = [place["xy".index(which)] for sheet in sheets for place in sheet.cells]
        scales.check_log(study, spec, f"scale.{which}", spec.get("scale", {}).get(which), values)
    across, up = (scales.name_of(spec, which) for which in ("x", "y"))
    rows = [f"{up} {plain(y)}" for y in sheets[0].rows]
    figure.headings = ["machine", across, *rows, *(f"{title}: {up}" for title in sheets[0].curves)]
    for sheet in sheets:
        if sheet.rows != sheets[0].rows or list(sheet.curves) != list(sheets[0].curves):
            figure.notes.append(f"{sheet.machine} has other values of {up}: it is drawn and not tabled.")
            continue
        figure.lines += _lines(sheet)
    figure.caption = spec.get("caption", "Each colour is a power of ten.")
    told = "; ".join(_told(spec, sheet) for sheet in sheets)
    word = spec.get("label", scales.title_of(spec))
    figure.alt = f"Map of {word} over {across} and {up}. {told}. The table holds each cell."
    return figure.paint(painter(spec, sheets), *heights(sheets))


STYLES = ("-", "--", ":", "-.")


def edges(values, kind):
    """Where cells meet: half way between neighbours, on a logarithmic scale by their ratio."""
    places = [math.log(value) for value in values] if kind == "log" else [float(value) for value in values]
    middle = [(low + high) / 2 for low, high in pairwise(places)]
    first, last = (middle[0], middle[-1]) if middle else (places[0] + 0.5, places[0] - 0.5)
    middle = [2 * places[0] - first, *middle, 2 * places[-1] - last]
    return [math.exp(place) for place in middle] if kind == "log" else middle


def decades(sheets):
    """The powers of ten around all values above 0, at most about ten steps of them."""
    values = [value for sheet in sheets for value in sheet.cells.values() if value > 0] or [1.0]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    step = max(1, math.ceil((high - low) / 10))
    return list(range(low, high + step, step))


def _coloured(sheet, powers):
    """log10 of the cells, none where there is none; 0 is as low as any."""
    values = np.ma.masked_all((len(sheet.rows), len(sheet.columns)))
    for (x, y), value in sheet.cells.items():
        power = math.log10(value) if value > 0 else powers[0]
        values[sheet.rows.index(y), sheet.columns.index(x)] = power
    return values


def _panel(axes, spec, sheet, powers, layout):
    scale = spec.get("scale", {})
    sides = [edges(values, scale.get(which)) for which, values in (("x", sheet.columns), ("y", sheet.rows))]
    colours = palette.filled()
    norm = BoundaryNorm(powers, colours.N)
    mesh = axes.pcolormesh(*sides, _coloured(sheet, powers), cmap=colours, norm=norm)
    mesh.set_edgecolor("face")
    mesh.set_linewidth(0.3)
    for place, curve in enumerate(sheet.curves.values()):
        # Paper around ink: legible upon every colour.
        points = list(zip(*sorted(curve.items()), strict=True))
        axes.plot(*points, color=palette.PAPER[0], linewidth=3.2)
        axes.plot(*points, color=palette.INK[0], linewidth=1.4, linestyle=STYLES[place % len(STYLES)])
    for which, values in (("x", sheet.columns), ("y", sheet.rows)):
        scales.places(axes, values, scale.get(which), 7 if layout.narrow else 12, which)
        getattr(axes, f"set_{which}lim")(*sides["xy".index(which)][:: len(values)])
        getattr(axes, f"set_{which}label")(scales.name_of(spec, which))
    axes.grid(False)
    return mesh


def painter(spec, sheets):
    """What draws the panels; all have the same colours, so that they compare."""
    powers = decades(sheets)

    def paint(figure, layout):
        below = scales.panels(figure, [sheet.machine for sheet in sheets], layout)
        for axes, sheet in zip(below, sheets, strict=True):
            mesh = _panel(axes, spec, sheet, powers, layout)
        bar = planes.colour_bar(figure, mesh, below, spec.get("label", scales.title_of(spec)), layout)
        shown = powers[:: 2 if layout.narrow else 1]
        bar.set_ticks(shown, labels=[f"1e{power}" for power in shown])
        titles = list(dict.fromkeys(title for sheet in sheets for title in sheet.curves))
        if titles:
            entries = [
                Line2D([], [], color=palette.INK[0], linewidth=1.4, linestyle=STYLES[place % len(STYLES)],
                       label=textwrap.fill(title, 44))
                for place, title in enumerate(titles)
            ]  # fmt: skip
            figure.legend(handles=entries, loc="outside lower left", ncols=1 if layout.narrow else 3)

    return paint


def heights(sheets):
    """Inches of the wide and of the narrow drawing."""
    curves = max(len(sheet.curves) for sheet in sheets)
    return 0.6 + 3.1 * len(sheets) + 0.2, 1.3 + 2.6 * len(sheets) + 0.18 * curves
