"""Scaling over MPI ranks: efficiency as measured and by the model, and what binds, as graphs and tables."""

import math
import textwrap
from dataclasses import dataclass
from itertools import groupby, pairwise

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from . import csvtable, markdown, render
from .errors import InputError
from .figures import axes as scales
from .figures import compact, palette
from .figures.model import Figure
from .figures.sweep import MARKERS
from .numbers import DASH, exact, measured
from .render import Output
from .selector import plain

# What binds, and how its part of the strip is filled: told apart by lightness, also in grey, and by its word.
BINDS = {
    "computing": (palette.PAPER[0], palette.INK[0]),
    "latency": (palette.BODY[0], palette.INK[0]),
    "bandwidth": (palette.MUTED[0], palette.PAPER[0]),
}
HEADINGS = [
    "curve",
    "ranks",
    "computing (µs)",
    "exchange (µs)",
    "step by the model (µs)",
    "efficiency by the model (%)",
    "binds",
    "step measured (µs)",
    "efficiency measured (%)",
    "model against measured",
]
NUMERIC = [1, 2, 3, 4, 5, 7, 8, 9]
TIMES = ["computing_us", "exchange_us", "step_us", "measured_us"]
EFFICIENCIES = ["efficiency", "measured_efficiency"]  # in %
NETWORK = {
    "ranks_per_node": "ranks a node",
    "latency_us": "latency between nodes (µs)",
    "bandwidth_gb_s": "bandwidth between nodes (GB/s)",
    "node_latency_us": "latency within a node (µs)",
    "node_bandwidth_gb_s": "bandwidth within a node (GB/s)",
}
EXTRAPOLATED = "extrapolated"
REGION = "extrapolation by the model"
KINDS = {
    "strong": "Strong scaling: the grid stays as it is",
    "weak": "Weak scaling: the grid grows with the ranks",
}
CAPTION = (
    "100 % is one rank's speed times the number of ranks. Marks were measured. Lines are the model's, dashed "
    "beyond the last number of ranks that was measured. Marks of one number of ranks stand side by side. The "
    "strip below, a row for each curve, tells what binds a step by the model."
)


@dataclass(frozen=True)
class Curve:
    """The points of one variant, size and number of steps between two exchanges, from few ranks to many."""

    variant: str
    steps: int
    size: str
    points: list
    colour: str
    marker: str

    @property
    def label(self):
        """What tells it from the others of its panel."""
        return f"{self.variant}, exchange every {'step' if self.steps == 1 else f'{self.steps} steps'}"

    @property
    def last_measured(self):
        """The largest number of ranks that was measured; 0 if none was."""
        return max((point["ranks"] for point in self.points if point["measured_us"]), default=0)


def efficiency(point):
    """The measured efficiency in %, against the same one rank as the model's; None if not measured."""
    return point["efficiency"] * point["step_us"] / point["measured_us"] if point["measured_us"] else None


def curves_of(points, name):
    """The curves of one study and kind of scaling; `name` is what an error calls their file."""
    found = {}
    for point in points:
        curve = found.setdefault((point["size"], point["variant"], point["steps_per_exchange"]), {})
        if point["ranks"] in curve:
            words = " ".join(map(str, [point["variant"], point["size"], point["scaling"]]))
            raise InputError(name, words, f"{point['ranks']} ranks stand twice in one curve")
        curve[point["ranks"]] = point
    looks = list(dict.fromkeys((variant, steps) for _, variant, steps in found))
    curves = []
    for (size, variant, steps), by_ranks in found.items():
        place = looks.index((variant, steps))
        look = palette.series(place), MARKERS[place % len(MARKERS)]
        curves.append(Curve(variant, steps, size, [by_ranks[n] for n in sorted(by_ranks)], *look))
    return curves


def panels_of(curves):
    """[(size, its curves)] in the order in which sizes come."""
    sizes = dict.fromkeys(curve.size for curve in curves)
    return [(size, [curve for curve in curves if curve.size == size]) for size in sizes]


def _cells(curve, point):
    """A point as a line of the table."""
    beyond = EXTRAPOLATED if point["ranks"] > curve.last_measured else DASH
    got = efficiency(point)
    compared = [beyond, DASH, DASH]
    if got is not None:
        off = 100 * (point["step_us"] / point["measured_us"] - 1)
        compared = [measured(point["measured_us"]), f"{got:.1f}", f"{off:+.0f} %"]
    times = [measured(point[key]) for key in TIMES[:3]]
    name = f"{curve.label}, {curve.size}"
    return [name, str(point["ranks"]), *times, f"{point['efficiency']:.1f}", point["binds"], *compared]


def _by_binds(curve):
    """[(what binds, its points)]: neighbours that the same binds, from few ranks to many."""
    return [(binds, list(these)) for binds, these in groupby(curve.points, key=lambda one: one["binds"])]


def _runs(curve):
    """[(what binds, from, to)] on the axis of ranks, whose parts end halfway to the next number of ranks."""
    ranks = [point["ranks"] for point in curve.points]
    between = [math.sqrt(low * high) for low, high in pairwise(ranks)]
    begin, end = (ranks[0] ** 2 / between[0], ranks[-1] ** 2 / between[-1]) if between else (0, math.inf)
    ends = dict(zip(ranks, [*between, end], strict=True))
    runs = []
    for binds, these in _by_binds(curve):
        runs.append((binds, begin, ends[these[-1]["ranks"]]))
        begin = runs[-1][2]
    return runs


def _told(curve):
    """A curve in words, for those who do not see it."""
    first, last = curve.points[0], curve.points[-1]
    text = f"{curve.label}, {curve.size}: by the model {first['efficiency']:.3g} % at {first['ranks']} ranks"
    text += f" and {last['efficiency']:.3g} % at {last['ranks']}"
    for point in curve.points:
        if point["ranks"] == curve.last_measured:
            text += f", measured up to {point['ranks']} ranks, there {efficiency(point):.3g} %"
    for binds, these in _by_binds(curve):
        text += f", bound by {binds} from {these[0]['ranks']} to {these[-1]['ranks']} ranks"
    return text


def _inch(layout, span):
    """What an inch along the axis of ranks multiplies them by, as a logarithm."""
    return math.log(span[1] / span[0]) / (layout.inches - 0.8)


def _shifts(curves, inch):
    """{(curve, ranks): factor} by which a mark stands beside its ranks, so that none covers another."""
    found = {}
    for curve in curves:
        for point in curve.points:
            if point["measured_us"]:
                found.setdefault(point["ranks"], []).append(curve.label)
    least = min((math.log(high / low) for low, high in pairwise(sorted(found))), default=inch)
    step = min(0.085 * inch, 0.7 * least / len(curves))
    return {
        (label, ranks): math.exp(step * (place - (len(labels) - 1) / 2))
        for ranks, labels in found.items()
        for place, label in enumerate(labels)
    }


def _draw_curve(axes, curve, first, shifts):
    """The model as a line, dashed where nothing was measured, and what was measured as marks."""
    ranks = [point["ranks"] for point in curve.points]
    model = [point["efficiency"] for point in curve.points]
    known = sum(rank <= curve.last_measured for rank in ranks)
    for style, part in (("-", slice(known)), ("--", slice(max(0, known - 1), None))):
        if len(ranks[part]) > 1:
            axes.plot(ranks[part], model[part], style, color=curve.colour, linewidth=1.3)
    for place, point in enumerate(curve.points):
        (spot,) = axes.plot([point["ranks"]] * 2, [point["efficiency"]] * 2, color=curve.colour, linewidth=0)
        compact.mark(spot, first + place)
        if point["measured_us"]:
            beside = point["ranks"] * shifts[curve.label, point["ranks"]]
            (dot,) = axes.plot(beside, efficiency(point), curve.marker, color=curve.colour, markersize=5.5)
            compact.mark(dot, first + place)


def _draw_strip(strip, curves, layout, span):
    """What binds each curve, row by row; a word where there is room for it, else its first letter."""
    inch = _inch(layout, span)
    for row, curve in enumerate(curves):
        for binds, low, high in _runs(curve):
            low, high = max(low, span[0]), min(high, span[1])
            fill, ink = BINDS[binds]
            strip.barh(row, high - low, 0.84, low, color=fill, edgecolor=palette.MUTED[0], linewidth=0.6)
            room = math.log(high / low) / inch
            word = binds if room > len(binds) * 0.62 * layout.points / 72 else binds[0].upper()
            style = {"color": ink, "fontsize": layout.points * 0.82, "ha": "center", "va": "center_baseline"}
            strip.text(math.sqrt(low * high), row, word, **style)
        beside = {"transform": strip.get_yaxis_transform(), "clip_on": False, "markersize": 5}
        strip.plot(-0.018, row, curve.marker, color=curve.colour, **beside)
    strip.set_ylim(len(curves) - 0.5, -0.5)
    strip.set_yticks([])
    strip.tick_params(axis="x", length=0)
    for side in ("left", "bottom"):
        strip.spines[side].set_visible(False)
    strip.set_xlabel("ranks")


def _draw_region(axes, begin, end, layout):
    """Shades what lies beyond the measured numbers of ranks, and says what it is."""
    axes.axvspan(begin, end, color=palette.GRID[0], alpha=0.4, linewidth=0)
    axes.axvline(begin, color=palette.MUTED[0], linewidth=0.8, linestyle=":")
    style = {"color": palette.MUTED[0], "fontsize": layout.points * 0.9, "ha": "right", "va": "bottom"}
    axes.text(1, 1.015, f"{REGION} →", transform=axes.transAxes, **style)


def _entries(curves, columns):
    """The legend's handles: each look once, then what binds; in columns of their own where there are two."""
    looks = {}
    for curve in curves:
        look = {"color": curve.colour, "marker": curve.marker, "markersize": 5.5}
        looks.setdefault(curve.label, Line2D([], [], label=curve.label, **look))
    edge = {"edgecolor": palette.MUTED[0], "linewidth": 0.6}
    strips = [
        Patch(facecolor=fill, label=f"{word} binds ({word[0].upper()})", **edge)
        for word, (fill, _) in BINDS.items()
    ]
    missing = len(strips) - len(looks) if columns == 2 else 0
    blank = [Line2D([], [], linestyle="none", label=" ") for _ in range(missing)]
    return [*looks.values(), *blank, *strips]


def _height(panels, curves, narrow):
    """Inches of the drawing, whose legend has one column where it is narrow, else two."""
    columns = 1 if narrow else 2
    rows = len(_entries(curves, columns)) / columns + (2 if narrow else 1)
    return sum(2.9 + 0.19 * len(own) for _, own in panels) + 0.19 * rows + 0.2


def _painter(panels, kind, first):
    curves = [curve for _, own in panels for curve in own]
    ranks = sorted({point["ranks"] for curve in curves for point in curve.points})
    values = [point["efficiency"] for curve in curves for point in curve.points]
    values += [efficiency(p) for curve in curves for p in curve.points if p["measured_us"]]

    def paint(figure, layout):
        figure.get_layout_engine().set(h_pad=0.05, hspace=0.02)
        heights = [inches for _, own in panels for inches in (2.4, 0.19 * len(own))]
        grid = figure.add_gridspec(2 * len(panels), 1, height_ratios=heights)
        for place, (size, own) in enumerate(panels):
            axes = figure.add_subplot(grid[2 * place])
            strip = figure.add_subplot(grid[2 * place + 1], sharex=axes)
            scales.places(axes, ranks, "log", 7 if layout.narrow else 12)
            axes.set_ylim(0, max(105, 1.06 * max(values)))
            axes.yaxis.grid(True)
            axes.tick_params(axis="x", labelbottom=False)
            axes.set_ylabel("efficiency (%)")
            title = f"{size}{' a rank' if kind == 'weak' else ''}"
            begin = max(curve.last_measured for curve in own) or ranks[0]
            beyond = begin < max(point["ranks"] for curve in own for point in curve.points)
            axes.set_title(title, fontsize=layout.points, loc="left", pad=17 if beyond else 6)
            if beyond:
                _draw_region(axes, begin, axes.get_xlim()[1], layout)
            span = axes.get_xlim()
            shifts = _shifts(own, _inch(layout, span))
            for curve in own:
                _draw_curve(axes, curve, first[id(curve)], shifts)
            _draw_strip(strip, own, layout, span)
        columns = 1 if layout.narrow else 2
        heading = "Marks: measured. Lines: the model, dashed beyond what was measured."
        figure.legend(
            handles=_entries(curves, columns),
            loc="outside lower left",
            ncols=columns,
            title=textwrap.fill(heading, 46 if layout.narrow else 100),
            alignment="left",
        )

    return paint


def make(study, kind, points, name="scaling"):
    """The graph of one study and one kind of scaling, "strong" or "weak", with its table."""
    figure = Figure(study, f"{kind}-scaling", KINDS[kind], headings=HEADINGS, caption=CAPTION)
    panels = panels_of(curves_of(points, name))
    curves = [curve for _, own in panels for curve in own]
    first = {}
    for curve in curves:
        first[id(curve)] = len(figure.lines)
        figure.lines += [_cells(curve, point) for point in curve.points]
    told = "; ".join(map(_told, curves))
    figure.alt = f"Line plot of efficiency over ranks, {kind} scaling. {told}. The table holds each value."
    heights = [_height(panels, curves, narrow) for narrow in (False, True)]
    return figure.paint(_painter(panels, kind, first), *heights)


def _values(point):
    return [*(point[key] for key in TIMES), point["efficiency"], efficiency(point)]


def _csv(curves):
    keys = ["variant", "size", "scaling", "ranks", "steps_per_exchange"]
    lines = [
        [study, *(point[key] for key in keys), point["binds"], *map(exact, _values(point))]
        for study, points in curves.items()
        for point in points
    ]
    return csvtable.write(["study", *keys, "binds", *TIMES, *EFFICIENCIES], lines)


def _markdown(parts, network):
    text = f"# Scaling over MPI ranks\n\nNetwork between nodes: {markdown.escape(network or 'none')}.\n"
    for study, figures in parts:
        for figure in figures:
            text += f"\n## {markdown.escape(study)}: {figure.title}\n\n"
            text += f"![{markdown.escape(figure.alt)}](figures/{figure.identity}.svg)\n\n{figure.caption}\n\n"
            text += markdown.pipes(figure.headings, figure.lines, NUMERIC)
    return text


def write(out, scaling, name, network=None):
    """Write graphs, tables and a page of the JSON of `gridmark scaling` below `out`; the paths written.

    `name` is what errors call the JSON; `network` is the object of the network's file, where there is one.
    """
    studies = {study: points for study, points in scaling["curves"].items() if points}
    if not studies:
        raise InputError(name, "curves", "holds no curve")
    parts = []
    for study, points in studies.items():
        kinds = {kind: [point for point in points if point["scaling"] == kind] for kind in KINDS}
        parts.append((study, [make(study, kind, own, name) for kind, own in kinds.items() if own]))
    output = Output(out)
    for _, figures in parts:
        for figure in figures:
            figure.save(output)
    values = {"parts": parts, "name": scaling["network"], "source": "", "numbers": []}
    if network:
        numbers = [(words, plain(network[key])) for key, words in NETWORK.items() if key in network]
        values |= {"source": network["source"], "numbers": numbers}
    output.write("scaling.csv", _csv(studies))
    output.write("scaling.md", markdown.tidy(_markdown(parts, scaling["network"])))
    output.write("index.html", render.html("scaling.html.j2", **values))
    return output.written
