"""The table model: what Markdown, CSV and HTML all print, so that they cannot disagree."""

from dataclasses import dataclass

from . import numbers, sentences, units
from .selector import flat, key_of, matches, measured, plain


@dataclass(frozen=True)
class Value:
    """One number in a cell; `note` tells it from others in the same cell."""

    value: float
    interval: tuple | None = None
    estimate: bool = False
    published: bool = False
    note: str = ""
    share: str = ""

    @property
    def text(self):
        """The number as print shows it."""
        return (numbers.published if self.published else numbers.measured)(self.value)

    @property
    def interval_text(self):
        """The interval as print shows it, empty without one."""
        return numbers.interval(self.interval)


@dataclass(frozen=True)
class Column:
    """A column below a machine's name; the unit is empty for a ratio."""

    title: str
    unit: str
    ratio: bool = False

    @property
    def heading(self):
        """The title with its unit."""
        return f"{self.title} ({units.pretty(self.unit)})" if self.unit else self.title


@dataclass(frozen=True)
class Group:
    """The columns of one machine."""

    machine: object
    label: str
    columns: list


@dataclass(frozen=True)
class Table:
    """A filled table: `lines` pairs each key with its cells, a cell being a tuple of values."""

    experiment: str
    spec: dict
    keys: list
    groups: list
    lines: list
    notes: list

    @property
    def columns(self):
        """Every (group, column) from left to right."""
        return [(group, column) for group in self.groups for column in group.columns]


def chosen(spec, rows):
    """The rows that a table is about, before they are spread over its columns."""
    picked = [row for row in rows if matches(spec["select"], row)]
    if spec.get("only"):
        picked = [row for row in picked if any(matches(selector, row) for selector in spec["only"])]
    return [row for row in picked if any(matches(column["select"], row) for column in spec["columns"])]


def _notes_of(rows):
    """For rows that share a cell: the parameters in which they differ."""
    if len(rows) < 2:
        return [""] * len(rows)
    every = [flat(row) for row in rows]
    names = sorted({name for values in every for name in values} - {"status"})
    differing = [name for name in names if len({plain(values.get(name)) for values in every}) > 1]
    return [
        ", ".join(f"{name} {plain(values.get(name)) or 'none'}" for name in differing) for values in every
    ]


def share_of(row):
    """How near a row comes to its limit, in words."""
    if row["limit"] is None:
        return ""
    return f"{100 * row['limit']['share']:.3g} % of {row['limit']['ceiling']}"


def values_of(rows, unit, published, file, share=False):
    """The measured ones among rows of one cell, in the asked unit and with the share if asked."""
    rows = [row for row in rows if measured(row)]
    found = []
    for row, note in zip(rows, _notes_of(rows), strict=True):
        factor = units.factor(row, unit, file)
        bounds = None if row["interval"] is None else tuple(bound * factor for bound in row["interval"])
        estimate = row["status"] == "estimate"
        limit = share_of(row) if share else ""
        found.append(Value(row["median"] * factor, bounds, estimate, published, note, limit))
    return tuple(found)


def _published_ratio(spec, cells):
    ids = [column["id"] for column in spec["columns"]]
    above, below = (cells[ids.index(spec["ratio"][role])] for role in ("numerator", "denominator"))
    if len(above) != 1 or len(below) != 1 or below[0].value == 0:
        return ()
    return (Value(above[0].value / below[0].value, None, False, False),)


def _given_ratio(key, names, given, cells):
    for row in given:
        if tuple(plain(row["key"].get(name)) for name in names) == key and row["ratio"] is not None:
            bounds = None if row.get("interval") is None else tuple(row["interval"])
            estimate = any(value.estimate for cell in cells for value in cell)
            return (Value(row["ratio"], bounds, estimate),)
    return ()


def _cells(spec, machine, rows, key, given, file):
    mine = [row for row in rows if key_of(row, spec["rows"]) == key]
    cells = []
    for column in spec["columns"]:
        hits = [row for row in mine if matches(column["select"], row)]
        unit = column.get("unit", spec["unit"])
        cells.append(values_of(hits, unit, machine.published, file, spec.get("share", False)))
    if "ratio" in spec:
        ratio = (
            _published_ratio(spec, cells)
            if machine.published
            else _given_ratio(key, spec["rows"], given, cells)
        )
        cells.append(ratio)
    return cells


def _columns(spec):
    found = [Column(column["title"], column.get("unit", spec["unit"])) for column in spec["columns"]]
    return found + ([Column(spec["ratio"]["title"], "", True)] if "ratio" in spec else [])


def build(study, spec, machines, ratios):
    """Fill one declared table from machines (published ones first) and the ratios that the binary gave."""
    experiment = study["id"]
    groups, keys, per_machine, notes = [], [], [], []
    for machine in machines:
        rows = chosen(spec, machine.rows(experiment))
        label = machine.label(experiment)
        notes += sentences.about(label, machine, experiment, rows)
        good = [row for row in rows if measured(row)]
        if not good:
            continue
        groups.append(Group(machine, label, _columns(spec)))
        keys += [key_of(row, spec["rows"]) for row in good]
        given = ratios.get(machine.key, {}).get((experiment, spec["id"]), [])
        per_machine.append((machine, rows, given, machine.sets[experiment].path))
    lines = []
    for key in dict.fromkeys(keys):
        cells = [
            cell
            for machine, rows, given, path in per_machine
            for cell in _cells(spec, machine, rows, key, given, path)
        ]
        lines.append((key, cells))
    return Table(experiment, spec, list(spec["rows"]), groups, lines, notes)
