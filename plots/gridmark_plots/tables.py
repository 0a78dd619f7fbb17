"""The table model: what Markdown, CSV and HTML all print, so that they cannot disagree."""

from dataclasses import dataclass

from . import sentences, units
from .selector import in_order, key_of, matches, measured, plain
from .values import Value, shown_of, unit_shown, values_of, whole_samples


def _beyond(remark, value):
    """Whether a ratio, or else its whole interval, lies beyond the remark's number."""
    ends = value.interval or (value.value, value.value)
    if "ratio_above" in remark:
        return ends[0] > remark["ratio_above"]
    return ends[1] < remark["ratio_below"]


def _named(key, value):
    mark = " est." if value.estimate else ""
    return f"{' / '.join(part for part in key if part)} ({value.text}{mark})"


def remarks_of(spec, group, keys, cells):
    """The sentences that hold for one measured machine, its label in front."""
    if group.machine.published or not group.columns or not group.columns[-1].ratio:
        return []
    given = [(key, value) for key, line in zip(keys, cells, strict=True) for value in line[-1]]
    found = []
    for remark in spec.get("remarks", []):
        hits = [_named(key, value) for key, value in given if _beyond(remark, value)]
        text = remark["text"].replace("{keys}", ", ".join(hits)) if hits else remark.get("else")
        if text:
            found.append(f"{group.label}: {text}")
    return found


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


def machines_of(study, spec, machines):
    """The machines that a table is about: those with a row that it needs, where it says so."""
    if "needs" not in spec:
        return machines
    return [
        machine
        for machine in machines
        if any(matches(spec["needs"], row) and measured(row) for row in machine.rows(study["id"]))
    ]


def _published_ratio(spec, hits, file):
    """A published ratio is one of times (or of whatever was printed), also below columns of speeds."""
    if "against" in spec["ratio"]:
        return ()
    ids = [column["id"] for column in spec["columns"]]
    above, below = (
        [row for row in hits[ids.index(spec["ratio"][role])] if measured(row)]
        for role in ("numerator", "denominator")
    )
    if len(above) != 1 or len(below) != 1 or below[0]["median"] == 0:
        return ()
    scale = units.factor(above[0], below[0]["unit"], file)
    return (Value(above[0]["median"] * scale / below[0]["median"]),)


def _given_ratio(key, names, given, cells):
    for row in given:
        if tuple(plain(row["key"].get(name)) for name in names) == key and row["ratio"] is not None:
            bounds = None if row.get("interval") is None else tuple(row["interval"])
            estimate = any(value.estimate for cell in cells for value in cell)
            return (Value(row["ratio"], bounds, estimate),)
    return ()


def _cell(spec, column, machine, rows, file):
    if "shows" in column:
        return shown_of(rows, column["shows"], machine.published)
    if column.get("total", False):
        rows = whole_samples(rows)
    unit, share = column.get("unit", spec["unit"]), spec.get("share", False)
    return values_of(rows, unit, machine.published, file, share)


def _cells(spec, machine, rows, key, given, file):
    mine = [row for row in rows if key_of(row, spec["rows"]) == key]
    hits = [[row for row in mine if matches(column["select"], row)] for column in spec["columns"]]
    cells = [
        _cell(spec, column, machine, some, file) for some, column in zip(hits, spec["columns"], strict=True)
    ]
    if "ratio" not in spec:
        return cells
    if machine.published:
        return [*cells, _published_ratio(spec, hits, file)]
    return [*cells, _given_ratio(key, spec["rows"], given, cells)]


def _unit(spec, column):
    return unit_shown(column["shows"]) if "shows" in column else column.get("unit", spec["unit"])


def _columns(spec):
    found = [Column(column["title"], _unit(spec, column)) for column in spec["columns"]]
    return found + ([Column(spec["ratio"]["title"], "", True)] if "ratio" in spec else [])


def _filled(spec, machine, rows, keys, given, file):
    """The columns in which a machine has a value at all, and its cells in them, line by line."""
    lines = [_cells(spec, machine, rows, key, given, file) for key in keys]
    columns = _columns(spec)
    places = [place for place in range(len(columns)) if any(line[place] for line in lines)]
    return [columns[place] for place in places], [[line[place] for place in places] for line in lines]


def build(study, spec, machines, ratios):
    """Fill one declared table from machines (published ones first) and the ratios that the binary gave."""
    experiment = study["id"]
    parts, keys, notes = [], [], []
    for machine in machines_of(study, spec, machines):
        rows = chosen(spec, machine.rows(experiment))
        notes += sentences.about(machine.label(experiment), machine, experiment, rows)
        good = [row for row in rows if measured(row)]
        if good:
            keys += [key_of(row, spec["rows"]) for row in good]
            parts.append((machine, rows))
    keys = in_order(keys)
    groups, lines = [], [(key, []) for key in keys]
    for machine, rows in parts:
        given = ratios.get(machine.key, {}).get((experiment, spec["id"]), [])
        columns, cells = _filled(spec, machine, rows, keys, given, machine.sets[experiment].path)
        groups.append(Group(machine, machine.label(experiment), columns))
        for (_, line), mine in zip(lines, cells, strict=True):
            line += mine
        notes += remarks_of(spec, groups[-1], keys, cells)
    return Table(experiment, spec, list(spec["rows"]), groups, lines, notes)
