"""Drawing lines: a panel for each measured machine, the published ones dashed and hollow in all of them."""

import math
import textwrap

from matplotlib.lines import Line2D

from . import axes as scales
from . import limits
from .sweep import MARKERS


def panels_of(lines):
    """[(title, lines)]: one panel for each measured machine, or a single one for a single series."""
    own = list(dict.fromkeys(line.machine for line in lines if not line.hollow))
    if not own or (len(own) > 1 and len({line.title for line in lines}) == 1):
        return [("", lines)]
    return [(name, [line for line in lines if line.hollow or line.machine == name]) for name in own]


def _label(line, titled):
    """A panel's title already names its machine."""
    return line.title if titled and not line.hollow else line.label


def _joined(line):
    """Marks are joined where there is one for each of several x."""
    return len(line.values) > 1 and all(len(values) == 1 for values in line.values.values())


def _look(line):
    """How a series is drawn; a dashed one has no marks, and where nothing joins them each is a dash."""
    look = {"color": line.colour, "linestyle": "none", "linewidth": 1.1, "markersize": 4.8}
    if _joined(line):
        look["linestyle"] = "--" if line.hollow or line.dashed else "-"
    if line.dashed:
        return {**look, "marker": None if _joined(line) else "_", "markersize": 12}
    face = "none" if line.hollow else line.colour
    return {**look, "marker": MARKERS[line.rank % len(MARKERS)], "markerfacecolor": face}


def _shared(line):
    """The same without the marks, which differ from panel to panel."""
    return {**_look(line), "linestyle": "--" if line.dashed else "-", "marker": None}


def _plot(axes, line):
    for x, value in line.marks:
        if value.interval:
            axes.plot([x, x], value.interval, color=line.colour, linewidth=1.6, solid_capstyle="butt")
    axes.plot(*zip(*((x, value.value) for x, value in line.marks), strict=True), **_look(line))
    if line.ringed:
        x, value = line.least
        axes.plot(x, value.value, "o", color=line.colour, markerfacecolor="none", markersize=11)


def _plot_limit(axes, limit):
    """Dotted and without marks; a lone one, which no line could show, is a dash."""
    style = {"marker": "_", "markersize": 12} if len(limit.marks) == 1 else {"linestyle": ":"}
    axes.plot(*zip(*limit.marks, strict=True), color=limit.colour, linewidth=1.1, **style)


def _entries(panels, width):
    """The legend's handles: each series once where panels tell the machines, published ones after them."""
    found = {}
    for title, lines in panels:
        for line in sorted(lines, key=lambda one: one.hollow):
            several = bool(title) and len(panels) > 1 and not line.hollow
            found.setdefault(_label(line, bool(title)), (line, several))
    return [
        Line2D([], [], **(_shared if several else _look)(line), label=textwrap.fill(label, width))
        for label, (line, several) in found.items()
    ]


def _columns(entries, narrow):
    longest = max(len(entry.get_label().split("\n")[0]) for entry in entries)
    return max(1, min(len(entries), (46 if narrow else 100) // (longest + 7)))


def _heading(panels, narrow):
    """Above the legend's entries: what dotted lines are, if there are any."""
    return textwrap.fill(limits.sentence([line for _, lines in panels for line in lines]), _width(narrow))


def _width(narrow):
    return 44 if narrow else 90


def _legend_height(panels, narrow):
    entries, heading = _entries(panels, _width(narrow)), _heading(panels, narrow)
    rows = math.ceil(len(entries) / _columns(entries, narrow)) + len(heading.splitlines())
    return 0.18 * (rows + sum(entry.get_label().count("\n") for entry in entries))


def heights(panels):
    """Inches of the wide and of the narrow drawing."""
    titles = sum(bool(title) for title, _ in panels) * 0.2
    return tuple(
        0.3 + titles + each * len(panels) + _legend_height(panels, narrow)
        for each, narrow in ((2.9, False), (2.5, True))
    )


def painter(spec, panels, name):
    """What draws the panels; all have the same scales, so that they compare."""
    every = [mark for _, lines in panels for line in lines for mark in line.marks]
    ends = [end for _, lines in panels for line in lines for end in line.ends]
    places = sorted({x for x, _ in every})
    scale = spec.get("scale", {})

    def paint(figure, layout):
        figure.get_layout_engine().set(h_pad=0.07)
        below = scales.panels(figure, [title for title, _ in panels], layout)
        for axes, (_, lines) in zip(below, panels, strict=True):
            scales.places(axes, places, scale.get("x"), 7 if layout.narrow else 12)
            scales.spread(axes, "y", ends, 7 if layout.narrow else 9, scale.get("y"))
            for limit in limits.shared(lines):
                _plot_limit(axes, limit)
            for line in lines:
                _plot(axes, line)
            axes.set_xlabel(name)
            axes.set_ylabel(scales.title_of(spec))
        entries = _entries(panels, _width(layout.narrow))
        figure.legend(
            handles=entries,
            loc="outside lower left",
            ncols=_columns(entries, layout.narrow),
            title=_heading(panels, layout.narrow) or None,
            alignment="left",
        )

    return paint
