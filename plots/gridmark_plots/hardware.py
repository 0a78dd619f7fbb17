"""Machines side by side in one study: the best of each kind of run, as a share of its own bandwidth."""

from dataclasses import dataclass, replace

from . import bandwidth, sentences, units
from .errors import InputError
from .figures import bars, palette
from .figures.bars import named
from .figures.choice import fastest, values_at
from .figures.model import Figure
from .selector import has_number, in_order, key_of, matches
from .tables import Column, Group, Table
from .values import Value

SHARE_AXIS = "share of the machine's own bandwidth"


def _share_sides(table):
    """A side for each machine that has shares; measured machines come first to the colours."""
    drawn = sorted(table.groups, key=lambda group: group.machine.published)
    colours = {group.label: palette.series(rank) for rank, group in enumerate(drawn)}
    places = [column.ratio for _, column in table.columns]
    found, start = [], 0
    for group in table.groups:
        here = [place for place in range(start, start + len(group.columns)) if places[place]]
        start += len(group.columns)
        values = {key: cells[place] for key, cells in table.lines for place in here if cells[place]}
        if values:
            found.append(
                bars.Side(
                    group.label, colours[group.label], group.machine.published, values, group.machine.forecast
                )
            )
    return found


def make_shares(study, table):
    """The graph of a hardware table's shares."""
    title = f"{table.spec['title']}: {SHARE_AXIS}"
    figure, sides = Figure(study["id"], table.spec["id"], title), _share_sides(table)
    if not sides:
        figure.notes.append("This figure is left out: no machine has a share of its bandwidth to show.")
        return figure
    caption = (
        "The least time of each, as a share of what its machine's memory (or link, where the table says so) "
        "could do. Hollow bars: published times against the data sheet; hatched ones: forecasts against it, "
        "with the model's errors elsewhere; filled ones: measured times against measured ceilings, with "
        "their 90 % intervals. The line is at 100 %."
    )
    order = [key[0] for key, _ in table.lines]
    spec = {
        "order": order,
        "id": table.spec["id"],
        "select": {},
        "groups": table.keys,
        "unit": "%",
        "axis": SHARE_AXIS,
    }
    return bars.draw(study, {**spec, "caption": caption, "mark": 100.0, "scale": "linear"}, figure, sides)


@dataclass(frozen=True)
class Part:
    """One machine's cells: for each key the values of each column, and sentences about what is not there."""

    machine: object
    label: str
    columns: list
    cells: dict
    notes: list


def keys_of(spec):
    """The names under which rows are told apart: the declared ones, and the clock, so that none are mixed."""
    return [*spec["rows"], "clock"]


def _share(row, bound, published, file):
    """The share of a bandwidth that a row's time amounts to, in percent."""
    ends = [row["median"], *(row["interval"] or ())]
    if min(ends) <= 0:
        raise InputError(
            file, row["name"], "a share of a bandwidth is asked for, but its time is not above 0"
        )
    time, *bounds = (100 * bound.seconds / units.seconds({**row, "median": end}) for end in ends)
    given = {"estimate": row["status"] == "estimate", "published": published, "note": bound.words}
    if published:  # a share has no more digits than the printed time
        return Value(float(f"{time:.3g}"), **given)
    return Value(time, tuple(sorted(bounds)) or None, **given)


def _bounds(best, machine, context, file):
    """({key: Bound}, a sentence for each reason for which rows have none)."""
    found, missing = {}, {}
    for key, (row,) in best.items():
        found[key], why = bandwidth.of(row, context, file)
        if why:
            missing.setdefault(why, []).append(named(key))
    label = machine.label(context["experiment"])
    notes = [f"{label}: no share for {sentences.listed(names)}: {why}." for why, names in missing.items()]
    return {key: bound for key, bound in found.items() if bound}, notes


def _near(label, context, best, bounds, share):
    """Sentences on what the shares are of, on the cache and on the link."""
    sources = list(dict.fromkeys(bound.source for bound in bounds.values()))
    notes = [f"{label}: shares are of {sentences.listed(sources)}."] if sources else []
    held = [(named(key), best[key][0], share[key].value) for key, bound in bounds.items() if not bound.link]
    link = [named(key) for key, bound in bounds.items() if bound.link]
    notes += bandwidth.about_caches(label, context, held)
    if link:
        notes.append(
            f"{label}: data move over the link, and nothing else bounds the time more closely: the share is "
            f"that of the link for {sentences.listed(link)}."
        )
    return notes


def _part(study, spec, machine):
    """One machine's part, or None where it has no number of this."""
    label, names = machine.label(study["id"]), keys_of(spec)
    rows = [row for row in machine.rows(study["id"]) if matches(spec["select"], row)]
    places = {}
    for row in rows:
        if has_number(row):
            places.setdefault(key_of(row, names), []).append(row)
    if not places:
        return None
    found = machine.sets[study["id"]]
    best = fastest(places, found.path)
    bounds, notes = _bounds(best, machine, found.context, found.path)
    share = {key: _share(best[key][0], bound, machine.published, found.path) for key, bound in bounds.items()}
    cells = {key: [] for key in best}
    for place, unit in enumerate(spec["units"]):
        given = values_at(places, {"unit": unit}, machine, found.path, True, names)
        for key, (value,) in given.items():
            cells[key].append((value if place == 0 else replace(value, note=""),))
    columns = [Column("speed" if unit in units.SPEEDS else "time", unit) for unit in spec["units"]]
    if share:
        kind = "measured bandwidth" if machine.measured else "data sheet"
        columns.append(Column(f"share of {kind}", "%", True))
        for key, line in cells.items():
            line.append((share[key],) if key in share else ())
    unmeasured = [row for row in rows if not has_number(row)]
    notes = [
        *sentences.about(label, machine, study["id"], [row for (row,) in best.values()] + unmeasured),
        *notes,
        *_near(label, found.context, best, bounds, share),
    ]
    return Part(machine, label, columns, cells, notes)


def _nothing(study, spec, machine):
    """Why a machine has no number of this."""
    label, rows = machine.label(study["id"]), machine.rows(study["id"])
    if machine.published:
        what = sentences.listed(sorted({row["quantity"].replace("_", " ") for row in rows}))
        return [f"{label}: no time of this is published, only {what}."]
    return sentences.about(label, machine, study["id"], [row for row in rows if matches(spec["select"], row)])


def _absent(part, keys):
    """A sentence on what a machine has no row of, or none that holds a number."""
    lacking = [named(key) for key in keys if key not in part.cells]
    word = "published" if part.machine.published else "measured"
    return [f"{part.label}: nothing {word} of {sentences.listed(lacking)}."] if lacking else []


def _order(study, spec, keys):
    """Keys in the order in which the study declares its variants, and then in that of their own values."""
    variants = list(study.get("variants", {}))
    place = spec["rows"].index("variant") if "variant" in spec["rows"] else None
    if place is None:
        return in_order(keys)
    known = {name: rank for rank, name in enumerate(variants)}
    return sorted(in_order(keys), key=lambda key: known.get(key[place], len(known)))


def compare(study, machines):
    """(the table, the graph) of what a study's `hardware` declares, on these machines in their order."""
    spec = {"id": "hardware", **study["hardware"]}
    notes, parts = [], []
    strangers = [one for one in machines if one.published and study["id"] not in one.sets]
    for machine in machines:
        if machine not in strangers:
            part = _part(study, spec, machine)
            notes += [] if part else _nothing(study, spec, machine)
            parts += [part] if part else []
    keys = _order(study, spec, [key for part in parts for key in part.cells])
    groups, lines = [], [(key, []) for key in keys]
    for part in parts:
        groups.append(Group(part.machine, part.label, part.columns))
        for key, line in lines:
            line += part.cells.get(key, [()] * len(part.columns))
        notes += [*part.notes, *_absent(part, keys)]
    if strangers:
        names = sentences.listed([machine.plain_name for machine in strangers])
        notes.append(f"Not of this study: the published numbers of {names}.")
    table = Table(study["id"], spec, keys_of(spec), groups, lines, notes)
    return table, make_shares(study, table)
