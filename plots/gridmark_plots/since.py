"""What changed since: the data sheets of then beside the ceilings measured here, quantity by quantity."""

from dataclasses import dataclass

from . import numbers
from .errors import InputError
from .units import pretty

MIB = 2**20


@dataclass(frozen=True)
class Quantity:
    """A line of the table: the best of some ceilings, a fact about the GPU, or a ratio of two other lines."""

    key: str
    title: str
    unit: str = ""
    ceilings: tuple = ()
    fact: tuple = ()
    ratio: tuple = ()


QUANTITIES = (
    Quantity(
        "memory",
        "GPU memory",
        "GB/s",
        ceilings=("gpu_memory_peak", "gpu_triad_bandwidth", "gpu_copy_bandwidth"),
    ),
    Quantity("float", "GPU arithmetic, float", "GFLOP/s", ceilings=("gpu_peak_float", "gpu_fma_peak_float")),
    Quantity(
        "double", "GPU arithmetic, double", "GFLOP/s", ceilings=("gpu_peak_double", "gpu_fma_peak_double")
    ),
    Quantity("float_bytes", "memory bytes per float operation", ratio=("memory", "float")),
    Quantity("double_bytes", "memory bytes per double operation", ratio=("memory", "double")),
    Quantity("double_float", "double arithmetic / float", ratio=("double", "float")),
    Quantity("l2", "L2 cache", "MiB", fact=("l2_bytes", MIB)),
    Quantity("width", "multiprocessors", fact=("multiprocessors", 1)),
    Quantity("launch", "launch of a kernel", "us", ceilings=("gpu_launch",)),
    Quantity("link", "link, one way", "GB/s", ceilings=("link_peak", "link_up_pinned")),
    Quantity("memory_link", "GPU memory / link", ratio=("memory", "link")),
    Quantity("cpu_memory", "CPU memory", "GB/s", ceilings=("cpu_memory_peak", "cpu_triad_all_threads")),
    Quantity(
        "cpu_float",
        "CPU arithmetic, float",
        "GFLOP/s",
        ceilings=("cpu_peak_float_all_threads", "cpu_fma_peak_float_all_threads"),
    ),
    Quantity("memory_cpu", "GPU memory / CPU memory", ratio=("memory", "cpu_memory")),
    Quantity("float_cpu", "GPU arithmetic / CPU arithmetic, float", ratio=("float", "cpu_float")),
)


@dataclass(frozen=True)
class Side:
    """A column: what one machine can do, each quantity from its least to its largest value in any file."""

    label: str
    published: bool
    year: int | None
    facts: dict
    reasons: dict

    @property
    def heading(self):
        """The label with the year of sale, or that it was measured."""
        if not self.published:
            return f"{self.label}, measured"
        return f"{self.label}, {self.year}" if self.year else self.label


def _ceiling(quantity, contexts, file):
    """(value or None, reason or None) of a quantity that is a ceiling."""
    given = [one for context in contexts for one in context["ceilings"] if one["name"] in quantity.ceilings]
    for one in given:
        if one["unit"] != quantity.unit:
            said = f"its unit is '{one['unit']}' where '{quantity.unit}' is asked for"
            raise InputError(file, f"context.ceilings.{one['name']}", said)
    values = [one["value"] for one in given if one["value"] is not None]
    return max(values, default=None), next((one["reason"] for one in given if one["reason"]), None)


def _fact(quantity, contexts):
    """(value or None, reason or None) of a quantity that is told of the GPU."""
    key, scale = quantity.fact
    reasons = {name: text for context in contexts for name, text in context["reasons"].items()}
    values = [value for context in contexts if (value := (context["gpu"] or {}).get(key)) is not None]
    return (values[0] / scale if values else None), reasons.get(f"gpu.{key}", reasons.get("gpu"))


def _read(contexts, file):
    """({key: value}, {key: reason}) of contexts that describe one machine at one time."""
    found, reasons = {}, {}
    for quantity in QUANTITIES:
        if quantity.ratio:
            above, below = (found.get(key) for key in quantity.ratio)
            value, reason = (above / below if above is not None and below else None), None
        elif quantity.fact:
            value, reason = _fact(quantity, contexts)
        else:
            value, reason = _ceiling(quantity, contexts, file)
        if value is not None:
            found[quantity.key] = value
        elif reason:
            reasons[quantity.key] = reason
    return found, reasons


def _side(label, published, year, readings):
    facts = {}
    for found, _ in readings:
        for key, value in found.items():
            low, high = facts.get(key, (value, value))
            facts[key] = (min(low, value), max(high, value))
    reasons = {key: text for _, told in readings for key, text in told.items() if key not in facts}
    return Side(label, published, year, facts, reasons)


def measured_sides(machines):
    """A column for each measured machine; its result files were written at different times."""
    return [
        _side(
            machine.label(),
            False,
            None,
            [_read([one.context], one.path) for _, one in sorted(machine.sets.items())],
        )
        for machine in machines
    ]


def _hosts(published, experiment):
    """The contexts of the published CPUs that a study names apart from its card."""
    every = [machine.sets[experiment].context for machine in published.values() if experiment in machine.sets]
    return [one for one in every if one["gpu"] is None and one["cpu"].get("model") and one["ceilings"]]


def published_sides(published):
    """A column for each published card with a data sheet, beside its study's CPU; the oldest first."""
    found = []
    for machine in published.values():
        for experiment, one in sorted(machine.sets.items()):
            if not one.context["gpu"] or not one.context["ceilings"]:
                continue
            contexts = [one.context, *([] if one.context["cpu"] else _hosts(published, experiment))]
            names = [one.context["gpu"].get("name", machine.name)]
            names += [model for context in contexts if (model := context["cpu"].get("model"))]
            found.append(_side(" / ".join(names), True, one.context.get("year"), [_read(contexts, one.path)]))
    return sorted(found, key=lambda side: (side.year or 0, side.label))


def without_sheet(published):
    """The published machines whose files hold no data sheet, as text."""
    bare = [
        machine.name
        for machine in published.values()
        if not any(one.context["ceilings"] for one in machine.sets.values())
    ]
    return [f"{name}: no data sheet, the study does not name its hardware." for name in bare]


def text_of(bounds, digits=3):
    """One value, or from the least to the largest where they differ in print."""
    if bounds is None:
        return numbers.DASH
    low, high = (numbers.published(end, digits) for end in bounds)
    return low if low == high else f"{low} to {high}"


def _missing(side):
    """A sentence on what stands as a dash."""
    parts = []
    for quantity in QUANTITIES:
        if quantity.key not in side.facts and not quantity.ratio:
            reason = side.reasons.get(quantity.key)
            parts.append(f"{quantity.title} ({reason.rstrip('.')})" if reason else quantity.title)
    what = "not stated" if side.published else "not measured"
    return [f"{side.label}: {what}: {'; '.join(parts)}."] if parts else []


@dataclass(frozen=True)
class Since:
    """The table, and sentences on what it cannot say."""

    headings: list
    lines: list
    notes: list


def table(published, then, now):
    """The columns of then and of now as one table."""
    sides = [*then, *now]
    lines = [
        [quantity.title, pretty(quantity.unit), *(text_of(side.facts.get(quantity.key)) for side in sides)]
        for quantity in QUANTITIES
        if any(quantity.key in side.facts for side in sides)
    ]
    notes = [note for side in sides for note in _missing(side)] + without_sheet(published)
    return Since(["", "unit", *(side.heading for side in sides)], lines, notes)
