"""A roofline graph: speed over work per byte, below the roofs that were measured on the machine."""

import math
import textwrap
from dataclasses import dataclass

from matplotlib.lines import Line2D
from matplotlib.transforms import offset_copy

from .. import numbers, units
from ..numbers import count
from ..selector import key_of, matches
from . import axes as scales
from . import compact, palette
from .model import Figure


@dataclass(frozen=True)
class Roof:
    """A bandwidth (GB/s, a slope) or an arithmetic peak (GFLOP/s, flat)."""

    title: str
    value: float
    slope: bool

    @property
    def text(self):
        """What stands on the line."""
        big, unit = self.value, "GB/s" if self.slope else "GFLOP/s"
        if big >= 1000:
            big, unit = big / 1000, "T" + unit[1:]
        return f"{self.title} {numbers.published(big, 3)} {unit}"

    def at(self, intensity):
        """The most GFLOP/s that it allows at this many flops per byte."""
        return self.value * intensity if self.slope else self.value


NAMES = {
    "GPU": {
        "gpu_copy_bandwidth": ("memory", True),
        "gpu_l2_bandwidth": ("L2", True),
        "gpu_l1_bandwidth": ("L1", True),
        "gpu_fma_peak_float": ("float", False),
        "gpu_fma_peak_double": ("double", False),
    },
    "CPU": {
        "cpu_triad_all_threads": ("memory", True),
        "cpu_l3_bandwidth_all_threads": ("L3", True),
        "cpu_l2_bandwidth_all_threads": ("L2", True),
        "cpu_l1_bandwidth_all_threads": ("L1", True),
        "cpu_fma_peak_float_all_threads": ("float", False),
        "cpu_fma_peak_double_all_threads": ("double", False),
    },
}

# Measured since the first sets were: a set without them lacks nothing that it promised.
LATER = ("gpu_l1_bandwidth", *(f"cpu_{level}_bandwidth_all_threads" for level in ("l1", "l2", "l3")))


def _let_the_better_mix_count(stated):
    """A roof must hold for any mix of reads and writes: where the triad is faster, it replaces the copy."""
    copy, triad = stated.get("gpu_copy_bandwidth"), stated.get("gpu_triad_bandwidth")
    if copy and triad and (triad["value"] or 0) > (copy["value"] or 0):
        stated["gpu_copy_bandwidth"] = triad


def of(context, side):
    """(the roofs of the GPU or the CPU, a sentence for each that has no value)."""
    found, missing = [], []
    stated = {ceiling["name"]: ceiling for ceiling in context["ceilings"]}
    _let_the_better_mix_count(stated)
    for name, (title, slope) in NAMES[side].items():
        ceiling = stated.get(name)
        if ceiling is None and name in LATER:
            continue
        if ceiling is None:
            missing.append(f"no {side} roof '{title}': {name} is not among the ceilings")
        elif ceiling["value"] is None:
            missing.append(
                f"no {side} roof '{title}': {(ceiling['reason'] or 'no reason given').rstrip('.')}"
            )
        else:
            found.append(Roof(title, ceiling["value"], slope))
    return found, missing


MARKERS = "osD^vPXph<>d*"


@dataclass(frozen=True)
class Point:
    """A group's fastest row: its key, flops per byte and GFLOP/s."""

    key: tuple
    intensity: float
    speed: float
    row: dict


@dataclass(frozen=True)
class Panel:
    """One side of one machine."""

    title: str
    machine: str
    roofs: list
    points: list


def _point(row, groups):
    seconds = units.seconds(row)
    if not seconds or not row["bytes"] or not row["flops"]:
        return None
    return Point(key_of(row, groups), row["flops"] / row["bytes"], row["flops"] / seconds / 1e9, row)


def _points(spec, rows):
    found = {}
    for row in rows:
        point = _point(row, spec["groups"]) if matches(spec["select"], row) else None
        if point is None:
            continue
        mine = found.setdefault((point.key, row["clock"]), [])
        if spec.get("best", False) and mine:
            mine[0] = max(mine[0], point, key=lambda one: one.speed)
        else:
            mine.append(point)
    return [point for points in found.values() for point in points]


def _panels(study, spec, machines):
    panels, notes = [], []
    for machine in machines:
        if machine.published or study["id"] not in machine.sets:
            continue
        label = machine.label(study["id"])
        points = _points(spec, machine.rows(study["id"]))
        for side in ("GPU", "CPU"):
            mine = [point for point in points if (point.row["clock"] == "wall") == (side == "CPU")]
            if mine:
                lines, missing = of(machine.sets[study["id"]].context, side)
                panels.append(Panel(f"{label}: {side}", label, lines, mine))
                notes += [f"{label}: {sentence}." for sentence in missing]
        if not points:
            notes.append(f"{label}: no measured row states its time, bytes and flops.")
    return panels, notes


def _looks(panels):
    """A colour for each first key and a mark for each combination of the others."""
    firsts = list(dict.fromkeys(point.key[0] for panel in panels for point in panel.points))
    rests = list(dict.fromkeys(_rest(point) for panel in panels for point in panel.points))
    return firsts, rests


def _rest(point):
    return (*point.key[1:], point.row["clock"])


def _limits(panel, layout):
    intensities = [point.intensity for point in panel.points]
    speeds = [point.speed for point in panel.points]
    tops = [roof.value for roof in panel.roofs if not roof.slope]
    slopes = [roof.value for roof in panel.roofs if roof.slope]
    low = min(intensities) / (45 if layout.narrow else 20)
    ridge = max(tops) / min(slopes) if tops and slopes else max(intensities)
    high = max(ridge * 15, max(intensities) * 4)
    reach = [roof.at(high) for roof in panel.roofs if not roof.slope] or [
        roof.at(high) for roof in panel.roofs
    ]
    top = max([*speeds, *reach]) * 2.2
    floor = min([*speeds, *(slope * low for slope in slopes)]) / 2.5
    return (low, high), (floor, top)


def _draw_roofs(axes, panel, low, high, points):
    flats = [roof for roof in panel.roofs if not roof.slope]
    slopes = sorted((roof for roof in panel.roofs if roof.slope), key=lambda roof: roof.value)
    style = {"color": palette.MUTED[0], "linewidth": 1.1}
    text = {"fontsize": points * 0.9, "color": palette.MUTED[0], "zorder": 2.1}
    top = max((roof.value for roof in flats), default=None)
    for roof in slopes:
        end = high if top is None else min(high, top / roof.value)
        axes.plot([low, end], [roof.at(low), roof.at(end)], **style)
        below = roof is slopes[0] and len(slopes) > 1
        start, push = (low * 1.5, (2, -2)) if below else (low * (2 if points < 9 else 1.25), (-2, 2))
        words = axes.text(
            start,
            roof.at(start),
            roof.text,
            transform=offset_copy(axes.transData, axes.figure, *push, units="points"),
            rotation=math.degrees(math.atan(roof.value)),
            transform_rotates_text=True,
            rotation_mode="anchor",
            va="top" if below else "bottom",
            **text,
        )
        compact.halo(words)
    for roof in flats:
        start = low if not slopes else max(low, roof.value / slopes[-1].value)
        axes.plot([start, high], [roof.value] * 2, **style)
        under = roof.value < top
        push, side = (-3, "top") if under else (2, "bottom")
        words = axes.annotate(
            roof.text, (high, roof.value), (0, push), textcoords="offset points", ha="right", va=side, **text
        )
        compact.halo(words)


def _draw_points(axes, panel, firsts, rests, line):
    """The points of a panel, the first of which has this line in the figure's data."""
    for place, point in enumerate(panel.points, line):
        (dot,) = axes.plot(
            point.intensity,
            point.speed,
            MARKERS[rests.index(_rest(point)) % len(MARKERS)],
            color=palette.series(firsts.index(point.key[0])),
            markeredgecolor=palette.PAPER[0],
            markeredgewidth=0.6,
            markersize=7,
            zorder=3,
        )
        compact.mark(dot, place)


def _legend(figure, firsts, rests, layout, groups):
    def mark(marker, colour, label):
        return Line2D([], [], linestyle="none", marker=marker, color=colour, markersize=6, label=label)

    handles = [mark("o", palette.series(index), name) for index, name in enumerate(firsts)]
    for index, rest in enumerate(rests):
        words = ", ".join(part for part in rest if part)
        handles.append(mark(MARKERS[index % len(MARKERS)], palette.MUTED[0], words))
    title = f"Colour: {groups[0]}. Mark: {', '.join([*groups[1:], 'clock'])}."
    columns = 1 if layout.narrow else 3
    figure.legend(
        handles=handles,
        loc="outside lower left",
        ncols=columns,
        handletextpad=0.2,
        title=title,
        alignment="left",
    )


def _painter(panels, groups):
    firsts, rests = _looks(panels)

    def paint(figure, layout):
        line = 0
        figure.get_layout_engine().set(h_pad=0.09)
        for axes, panel in zip(figure.subplots(len(panels), 1, squeeze=False)[:, 0], panels, strict=True):
            (low, high), (floor, top) = _limits(panel, layout)
            scales.logarithmic(axes, "x", low, high, 6 if layout.narrow else 9)
            scales.logarithmic(axes, "y", floor, top, 8)
            _draw_roofs(axes, panel, low, high, layout.points)
            _draw_points(axes, panel, firsts, rests, line)
            line += len(panel.points)
            axes.set_title(
                textwrap.fill(panel.title, 40 if layout.narrow else 90), fontsize=layout.points, loc="left"
            )
            axes.set_xlabel("flop per byte")
            axes.set_ylabel("GFLOP/s")
        _legend(figure, firsts, rests, layout, groups)

    return paint


def _alt(panels):
    said = []
    for panel in panels:
        best = max(panel.points, key=lambda point: point.speed)
        name = " ".join(part for part in best.key if part)
        said.append(
            f"{panel.title}, {count(len(panel.points), 'point')} below {count(len(panel.roofs), 'roof')}, "
            f"the fastest {name} with {numbers.measured(best.speed, 3)} GFLOP/s"
        )
    return f"Roofline graph, both axes logarithmic. {'; '.join(said)}. The table holds each point."


def make(study, spec, machines):
    """The roofline that a study declares, one panel for each machine's GPU and CPU that have points."""
    panels, notes = _panels(study, spec, machines)
    figure = Figure(study["id"], spec["id"], spec["title"], notes=notes)
    if not panels:
        figure.notes.insert(0, "This figure is left out: no machine measured any of its rows.")
        return figure
    figure.headings = ["machine", *spec["groups"], "clock", "flop per byte", "GFLOP/s", "row"]
    for panel in panels:
        for point in panel.points:
            mark = " est." if point.row["status"] == "estimate" else ""
            bounds = numbers.interval(units.convert(point.row, "GFLOP/s", None)[1])
            speed = numbers.measured(point.speed) + (f" ({bounds})" if bounds else "") + mark
            ratio = numbers.published(point.intensity, 4)
            figure.lines.append(
                [panel.machine, *point.key, point.row["clock"] or "", ratio, speed, point.row["name"]]
            )
    best = "The fastest configuration of each group. " if spec.get("best", False) else ""
    figure.caption = spec.get(
        "caption",
        f"{best}Flat roofs are FMA peaks. Flops and bytes are the declared least; "
        "above the memory roof data came from a cache.",
    )
    figure.alt = _alt(panels)
    firsts, rests = _looks(panels)
    wide = 0.35 + 2.9 * len(panels) + 0.19 * math.ceil((len(firsts) + len(rests)) / 3)
    narrow = 0.35 + 2.7 * len(panels) + 0.19 * (len(firsts) + len(rests))
    return figure.paint(_painter(panels, spec["groups"]), wide, narrow)
