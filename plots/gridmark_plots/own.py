"""Graphs of sizes of the user's own: time over each axis of `gridmark run --axis`, by variant."""

from . import numbers, render
from .errors import InputError
from .figures import lines
from .render import Output
from .selector import flat, matches, measured, plain

CLOCKS = ("variant", "clock", "launch", "cache")


def _number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def _series(rows, axis, keys):
    """[{"title", "select"}]: rows that differ in nothing but the axis; titles name what differs at all."""
    found = dict.fromkeys(tuple(flat(row).get(key) for key in keys) for row in rows)
    differing = [k for k, _ in enumerate(keys) if len({values[k] for values in found}) > 1]
    series = []
    for values in found:
        select = dict(zip(keys, values, strict=True))
        words = [plain(values[k]) for k in differing if values[k] is not None]
        series.append({"title": " ".join(words) or plain(values[0]), "select": select})
    return series


def _clock(row):
    """What keeps a graph to one clock and one kind of launch: they answer different questions."""
    return row["clock"], row["parameters"].get("launch")


def specs(file):
    """The graphs, as a study.json declares them, of one result file of the user's own sizes."""
    rows = [row for row in file.rows if measured(row) and row["quantity"] == "time"]
    keys = [axis["key"] for axis in file.context["axes"]["axes"]]
    sides = ("nx", "ny", "nz") if "n" in keys else ()
    for axis in keys:
        along = "nx" if axis == "n" and rows and "nx" in rows[0]["parameters"] else axis
        fixed = [*CLOCKS, *(key for key in keys if key not in (axis, "n"))]
        fixed = [key for key in fixed if key != along and key not in sides]
        for clock, launch in dict.fromkeys(_clock(row) for row in rows):
            these = [row for row in rows if _clock(row) == (clock, launch)]
            these = [row for row in these if _number(row["parameters"].get(along))]
            if len({row["parameters"][along] for row in these}) < 2:
                continue
            word = clock if launch is None else f"{clock}, {launch}"
            logarithmic = {
                which: "log"
                for which, values in (
                    ("x", [row["parameters"][along] for row in these]),
                    ("y", [row["median"] for row in these]),
                )
                if min(values) > 0 and max(values) > 8 * min(values)
            }
            yield {
                "id": f"{axis}-{word.replace(', ', '-')}",
                "title": f"{file.context['experiment']}: time of a step over {axis} ({word})",
                "x": along,
                "x_title": axis,
                "unit": "us",
                "axis": "time",
                "select": {"clock": clock, "launch": launch, "quantity": "time"},
                "series": _series(these, axis, fixed),
                "scale": logarithmic,
            }


def _in_words(row):
    """A row that no graph shows, as a line of a table."""
    value, bounds = row["median"], row["interval"]
    ends = numbers.interval(tuple(bounds)) if bounds else numbers.DASH
    return row["name"], numbers.measured(value), ends, row["unit"], row["status"]


def write(out, machine):
    """Write the graphs of a folder and a page with them below `out`; the paths that were written."""
    output = Output(out)
    figures, alone, skipped = [], [], []
    for study, file in sorted(machine.sets.items()):
        if "axes" not in file.context:
            continue
        drawn = set()
        for spec in specs(file):
            drawn |= {row["name"] for row in file.rows if matches(spec["select"], row)}
            figure = lines.make({"id": study}, spec, [machine])
            figure.save(output)
            figures.append(figure)
        # Of one size there is nothing to draw.
        alone += [_in_words(row) for row in file.rows if measured(row) and row["name"] not in drawn]
        skipped += [(row["name"], row["reason"]) for row in file.rows if not measured(row)]
    if not figures and not alone and not skipped:
        raise InputError(machine.directory, None, "holds no run of sizes of your own (gridmark run --axis)")
    values = {"machine": machine.label(), "figures": figures, "alone": alone, "skipped": skipped}
    output.write("index.html", render.html("own.html.j2", **values))
    return output.written
