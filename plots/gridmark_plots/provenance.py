"""Where numbers come from: a machine's context laid flat, each null beside its reason, and its ceilings."""

from dataclasses import dataclass, field

from . import numbers, units
from .selector import plain

SECTIONS = {
    "run": ("preset", "complete", "date", "seed", "processes", "source"),
    "build": ("build",),
    "CPU": ("cpu",),
    "GPU": ("gpu",),
    "software": ("software",),
    "clocks": ("clocks",),
}


@dataclass
class Record:
    """A machine's provenance: sections of (key, value) and tables of ceilings."""

    machine: object
    sections: list = field(default_factory=list)
    ceilings: list = field(default_factory=list)
    files: list = field(default_factory=list)


def flatten(value, path=""):
    """{dotted path: leaf} of nested objects and lists; a list of plain values stays one leaf."""
    if isinstance(value, dict) and value:
        parts = [(f"{path}.{key}" if path else str(key), inner) for key, inner in value.items()]
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        parts = [(f"{path}.{index}", inner) for index, inner in enumerate(value)]
    else:
        return {path: value}
    return {key: leaf for name, inner in parts for key, leaf in flatten(inner, name).items()}


def _text(path, leaf, reasons):
    if leaf is None:
        return f"not available: {reasons.get(path, 'no reason given').rstrip('.')}"
    if isinstance(leaf, dict | list):
        return ", ".join(plain(item) for item in leaf) or "none"
    if isinstance(leaf, float):
        return f"{leaf:.6g}"
    return plain(leaf)


def _facts(context, names):
    facts = {}
    for name in names:
        if name in context:
            for path, leaf in flatten(context[name], name).items():
                facts[path] = _text(path, leaf, context["reasons"])
    return facts


def _merged(per_experiment):
    """One line for a fact on which all experiments agree, else one for each value with its experiments."""
    lines = []
    for path in dict.fromkeys(path for facts in per_experiment.values() for path in facts):
        values = {}
        for experiment, facts in per_experiment.items():
            if path in facts:
                values.setdefault(facts[path], []).append(experiment)
        for value, experiments in values.items():
            whose = "" if len(values) == 1 else f" ({', '.join(experiments)})"
            lines.append((path.split(".", 1)[-1] if path.count(".") else path, value + whose))
    return lines


def _ceilings(contexts):
    """Tables of ceilings, one for each set of experiments that agree on all of them."""
    tables = {}
    for experiment, context in contexts.items():
        lines = tuple(
            (
                one["name"],
                numbers.DASH if one["value"] is None else numbers.measured(one["value"]),
                units.pretty(one["unit"]),
                one["how"]
                if one["value"] is not None
                else f"not measured: {one['reason'] or 'no reason given'}",
            )
            for one in context["ceilings"]
        )
        tables.setdefault(lines, []).append(experiment)
    several = len(tables) > 1
    return [
        (f"Ceilings, {', '.join(names)}" if several else "Ceilings", lines)
        for lines, names in tables.items()
        if lines
    ]


def _unplaced_reasons(contexts, sections):
    """Reasons whose path is no null above, so that none gets lost."""
    shown = {
        path
        for names in SECTIONS.values()
        for context in contexts.values()
        for path in _facts(context, names)
    }
    lines = []
    for context in contexts.values():
        for path, reason in sorted(context["reasons"].items()):
            if path not in shown and (path, reason) not in lines:
                lines.append((path, reason))
    return [*sections, ("not available", lines)] if lines else sections


def record(machine):
    """Everything that a machine's result files say about where they come from."""
    contexts = {name: machine.sets[name].context for name in sorted(machine.sets)}
    found = Record(machine)
    for title, names in SECTIONS.items():
        lines = _merged({name: _facts(context, names) for name, context in contexts.items()})
        if lines:
            found.sections.append((title, lines))
    found.sections = _unplaced_reasons(contexts, found.sections)
    found.ceilings = _ceilings(contexts)
    found.files = [machine.sets[name].path.name for name in sorted(machine.sets)]
    return found
