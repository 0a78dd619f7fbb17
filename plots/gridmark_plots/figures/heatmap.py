"""A map: a quantity over two parameters as coloured cells, with curves across it."""

from dataclasses import dataclass

from .. import numbers, sentences
from ..errors import InputError
from ..selector import matches, measured, plain
from . import axes as scales
from . import heatmapdrawing, parameter
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
        found.setdefault(tuple(parameter.number(row, spec[key], key, file) for key in keys), []).append(row)
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
    return figure.paint(heatmapdrawing.painter(spec, sheets), *heatmapdrawing.heights(sheets))
