"""The comparison of two machines, as the binary decided it: Markdown, CSV, graphs and a page."""

from . import csvtable, markdown, render
from .figures import ratios
from .numbers import DASH, exact, interval, measured
from .render import Output
from .selector import plain
from .units import pretty

HEADINGS = ["row", "clock", "base", "new", "unit", "new / base", "interval", "verdict", "reason"]


def _line(row):
    unit = pretty(row.get("unit") or "")
    values = [
        measured(row["base"]),
        measured(row["new"]),
        unit,
        measured(row["ratio"]),
        interval(row["interval"]),
    ]
    return [row["name"], row.get("clock") or "", *values, row["verdict"], row.get("reason") or ""]


def _csv(comparison):
    headings = ["experiment", "name", "variant", "quantity", "clock", "unit", "base", "new", "ratio"]
    lines = []
    for row in comparison["rows"]:
        texts = [row.get(key) or "" for key in headings[:6]]
        bounds = [exact(end) for end in row["interval"] or (None, None)]
        values = [exact(row[key]) for key in headings[6:]]
        lines.append([*texts, *values, *bounds, row["verdict"], row.get("reason") or ""])
    return csvtable.write([*headings, "low", "high", "verdict", "reason"], lines)


def _text(value):
    return DASH if value is None else plain(value) if isinstance(value, bool | int | float) else str(value)


def _key(difference):
    """What differs, with the experiments that it holds for where it does not for all."""
    some = difference["experiments"]
    return difference["key"] if some is None else f"{difference['key']} ({', '.join(some)})"


def label(side):
    """A side's machine, with the mark when its results are incomplete."""
    return side["machine"] if side.get("complete", True) else f"{side['machine']} (INCOMPLETE)"


def write(out, comparison):
    """Write every file of a comparison below `out`; the paths that were written."""
    output = Output(out)
    experiments = list(dict.fromkeys(row["experiment"] for row in comparison["rows"]))
    parts = []
    for experiment in experiments:
        figure = ratios.make(experiment, comparison)
        lines = [_line(row) for row in comparison["rows"] if row["experiment"] == experiment]
        parts.append((experiment, figure, lines))
        figure.save(output)
    differences = [
        [_key(one), _text(one["base"]), _text(one["new"])] for one in comparison["machine_differences"]
    ]
    values = {
        "base": label(comparison["base"]),
        "new": label(comparison["new"]),
        "comparison": comparison,
        "summary": [(name.replace("_", " "), number) for name, number in comparison["summary"].items()],
        "differences": differences,
        "headings": HEADINGS,
        "numeric": [2, 3, 5],
        "parts": parts,
    }
    output.write("comparison.csv", _csv(comparison))
    output.write("comparison.md", markdown.tidy(render.plain("comparison.md.j2", **values)))
    output.write("index.html", render.html("comparison.html.j2", **values))
    return output.written
