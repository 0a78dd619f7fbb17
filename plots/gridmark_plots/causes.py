"""Causes: what changed in the machines, in numbers, and the claims that studies say each change touches."""

from dataclasses import dataclass

from . import units
from .errors import InputError
from .selector import matches, measured
from .since import text_of


@dataclass(frozen=True)
class Touched:
    """What a cause has to do with one study: its own words, its claims, and rows that show it."""

    study: dict
    text: str
    claims: list
    shown: list


@dataclass(frozen=True)
class Cause:
    """A cause: how it works, its numbers on every machine, and what it touches."""

    id: str
    title: str
    text: str
    told: list
    touched: list


def _span(sides, key):
    """From the least to the largest of a quantity on some sides, or None."""
    ends = [end for side in sides for end in side.facts.get(key, ())]
    return (min(ends), max(ends)) if ends else None


def _compared(*parts):
    """Words of the form `here (then ...)`, one for each (quantity, words around its number)."""

    def tell(side, then):
        found = []
        for key, words in parts:
            if key in side.facts:
                before = _span(then, key)
                past = f" (then {text_of(before)})" if before else ""
                found.append(words.format(text_of(side.facts[key])) + past)
        return found

    return tell


def _launch(side, then):
    """What memories could move while a kernel is launched."""
    if "launch" not in side.facts:
        return []
    low, high = side.facts["launch"]
    found = [f"a launch takes {text_of((low, high))} \u00b5s"]
    for whose, sides in (("its memory moves", [side]), ("the fastest memory of then moved", then)):
        speed = _span(sides, "memory")
        if speed:  # GB/s times us are kB
            found.append(f"{whose} {text_of((low * speed[1] / 1e3, high * speed[1] / 1e3))} MB in that time")
    return found


KNOWN = (
    (
        "launch",
        "A launch takes its time",
        "Starting a kernel takes a time of its own, however little the kernel does. The faster the kernels "
        "become, the more of a step are launches; a step that is all launches takes as long in float as in "
        "double, and as long for half the points.",
        _launch,
    ),
    (
        "l2",
        "The L2 cache holds what went to memory",
        "Data that stay in the L2 cache from one sweep to the next are not fetched from memory again: the "
        "memory's bandwidth is no limit any more, and what takes its place is the L2's own, or the time that "
        "a thread's instructions take one after the other.",
        _compared(("l2", "{} MiB of L2")),
    ),
    (
        "balance",
        "Fewer bytes for each operation",
        "Arithmetic has grown faster than memory. A method that needs more bytes for an operation than the "
        "memory delivers meanwhile is bound by memory: its arithmetic is free, and bytes are what counts. "
        "How double compares with float decides what single precision can gain.",
        _compared(
            ("float_bytes", "the memory delivers {} bytes for each float operation"),
            ("double_bytes", "{} for each double one"),
            ("double_float", "double arithmetic has {} of float's rate"),
        ),
    ),
    (
        "link",
        "The link fell behind the memory",
        "Data that do not stay on the card cross the link to the host, at the link's bandwidth. The further "
        "the card's memory runs ahead of the link, the more a step that crosses it loses against one that "
        "does not, and the more steps must be made of every crossing.",
        _compared(("memory_link", "the memory is {} times as fast as the link")),
    ),
    (
        "width",
        "More multiprocessors to fill",
        "A grid is cut into blocks of threads, and every multiprocessor needs some. With fewer blocks than "
        "multiprocessors some stand idle; the best cut of a small grid on a wide card is a finer one.",
        _compared(("width", "{} multiprocessors")),
    ),
    (
        "host",
        "The CPU beside the GPU",
        "How far a GPU is ahead of a CPU is the ratio of two limits: where both are bound by their memories "
        "that of the memories, where both compute that of the arithmetic, each times the share that the "
        "program reaches.",
        _compared(
            ("memory_cpu", "the GPU's memory is {} times as fast as the CPU's"),
            ("float_cpu", "its float arithmetic {} times"),
        ),
    ),
)
IDS = tuple(known[0] for known in KNOWN)


def _rows_shown(one, machine, study):
    """`title 2.2 to 4.9 us (4.2 to 9.3 % of gpu_l2_bandwidth; model: gpu_l2_latency)`, or nothing."""
    rows = [row for row in machine.rows(study["id"]) if measured(row) and matches(one["select"], row)]
    if not rows:
        return None
    if len({row["unit"] for row in rows}) > 1:
        where = f"causes.shown.{one['title']}"
        raise InputError(machine.sets[study["id"]].path, where, "rows of several units")
    medians = [row["median"] for row in rows]
    unit = units.pretty(rows[0]["unit"])
    said = f"{one['title']}: {text_of((min(medians), max(medians)))} {unit}".strip()
    told = []
    if ceiling := _common([row["limit"] for row in rows]):
        shares = [100 * row["limit"]["share"] for row in rows]
        told.append(f"{text_of((min(shares), max(shares)), 2)} % of {ceiling}")
    if ceiling := _common([row.get("binding") for row in rows]):
        told.append(f"model: {ceiling}")
    return f"{said} ({'; '.join(told)})" if told else said


def _common(bounds):
    """The ceiling that all of them have, or None."""
    ceilings = {bound and bound["ceiling"] for bound in bounds}
    return ceilings.pop() if len(ceilings) == 1 else None


def _shown(entry, study, machines):
    found = []
    for machine in machines:
        parts = [_rows_shown(one, machine, study) for one in entry.get("shown", [])]
        if any(parts):
            found.append(f"{machine.label(study['id'])}: {'; '.join(filter(None, parts))}.")
    return found


def _touched(identity, views, machines):
    found = []
    for view in views:
        for entry in view.study.get("causes", []):
            if entry["id"] == identity:
                claims = view.picked(entry["claims"])
                found.append(Touched(view.study, entry["text"], claims, _shown(entry, view.study, machines)))
    return found


def of(views, machines, then, now):
    """Every cause with its numbers; `then` and `now` are the sides of the table."""
    found = []
    for identity, title, text, tell in KNOWN:
        told = [f"{side.label}: {', '.join(parts)}." for side in now if (parts := tell(side, then))]
        found.append(Cause(identity, title, text, told, _touched(identity, views, machines)))
    return found


def untouched(views):
    """The claims that no cause touches."""
    return [
        claim
        for view in views
        for claim in view.claims
        if not any(claim.spec["id"] in entry["claims"] for entry in view.study.get("causes", []))
    ]


def of_study(study):
    """[(id, title)] of the causes that a study names."""
    named = {entry["id"] for entry in study.get("causes", [])}
    return [(known[0], known[1]) for known in KNOWN if known[0] in named]
