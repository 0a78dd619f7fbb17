"""The values at each place of a figure: all of them, or the fastest alone with what it was."""

from dataclasses import replace

from .. import units
from ..errors import InputError
from ..selector import flat, plain
from ..values import differing, values_of


def _seconds(row, file):
    found = units.seconds(row)
    if found is None:
        raise InputError(file, row["name"], f"'best' needs times, its unit is '{row['unit']}'")
    return found


def _telling(places, known):
    """What tells the rows of one place apart, and the variant where it is not everywhere the same."""
    names = {name for rows in places.values() for name in differing(rows)}
    if len({row["variant"] for rows in places.values() for row in rows}) > 1:
        names.add("variant")
    return sorted(names - set(known), key=lambda name: (name != "variant", name))


def _told(row, names):
    values = flat(row)
    parts = [(name, plain(values[name])) for name in names if name in values]
    return ", ".join(text if name == "variant" else f"{name} {text}" for name, text in parts)


def fastest(places, file):
    """{place: the fastest row alone} of {place: rows}."""
    return {place: [min(rows, key=lambda one: _seconds(one, file))] for place, rows in places.items()}


def values_at(places, spec, machine, file, best, known):
    """{place: values} of {place: measured rows}; `known` are the parameters that a place itself names."""
    if not best:
        return {
            place: values_of(rows, spec["unit"], machine.published, file) for place, rows in places.items()
        }
    names, found = _telling(places, known), {}
    for place, (row,) in fastest(places, file).items():
        (value,) = values_of([row], spec["unit"], machine.published, file)
        found[place] = (replace(value, note=_told(row, names)),)
    return found


def only(places, file, what):
    """{place: its row} of {place: rows}; where a place has a second row, that is refused by its name."""
    for rows in places.values():
        if len(rows) > 1:
            raise InputError(file, rows[1]["name"], f"{what} takes one row, it has '{rows[0]['name']}' too")
    return {place: row for place, (row,) in places.items()}
