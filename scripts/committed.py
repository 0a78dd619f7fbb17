"""What the committed sets of results/ hold, in the words of documents: rows, rates, hosts, dates, clocks."""

import json
import statistics
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = "nvidia-h100"


class DocumentError(Exception):
    """A marker or a template that cannot be followed; says where and why."""


STUDIES = tuple(sorted(path.parent.name for path in ROOT.glob("experiments/*/study.json")))


@cache
def document(machine: str, study: str) -> dict | None:
    """What results/MACHINE/STUDY.json holds; none where the set lacks the study."""
    path = ROOT / "results" / machine / f"{study}.json"
    return json.loads(path.read_text()) if path.exists() else None


@cache
def rows(machine: str, study: str) -> dict[str, dict]:
    """The rows of results/MACHINE/STUDY.json by their names."""
    held = document(machine, study)
    return {row["name"]: row for row in held["rows"]}


@cache
def contexts(machine: str) -> dict[str, dict]:
    """What each file of a set says of its run, by its study."""
    return {study: held["context"] for study in STUDIES if (held := document(machine, study))}


def ceiling(name: str, study: str, machine: str = REFERENCE) -> float:
    """A ceiling as the study's file has it."""
    return next(one["value"] for one in contexts(machine)[study]["ceilings"] if one["name"] == name)


def cores_worth(study: str, machine: str = REFERENCE) -> float:
    """How many cores' worth of multiply-adds all threads of the study's host had."""
    return max(
        ceiling(f"cpu_fma_peak_{precision}_all_threads", study, machine)
        / ceiling(f"cpu_fma_peak_{precision}_one_thread", study, machine)
        for precision in ("float", "double")
    )


def host(machine: str = REFERENCE) -> str:
    """The set's hosts: "16 virtual CPUs, 7.9 to 15.0 cores' worth of arithmetic"."""
    threads = {context["cpu"]["logical_cores"] for context in contexts(machine).values()}
    worth = [cores_worth(study, machine) for study in contexts(machine)]
    of = " or ".join(map(str, sorted(threads)))
    return f"{of} virtual CPUs, {min(worth):.1f} to {max(worth):.1f} cores' worth of arithmetic"


def measured_sets() -> list[dict]:
    """The committed sets, the reference first, then by date: name, card, dates, commits, and how many files
    have hot samples that refilled the L2."""
    names = [REFERENCE, *(f"repeats/{path.name}" for path in (ROOT / "results" / "repeats").iterdir())]
    sets = []
    for name in names:
        files = list(contexts(name).values())
        dates = sorted({file["date"] for file in files})
        sets.append(
            {
                "name": name,
                "short": name.removeprefix("repeats/").removeprefix("nvidia-"),
                "preset": ", ".join(sorted({file["preset"] for file in files})),
                "studies": len(files),
                "dates": dates,
                "when": dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}",
                "commits": sorted({file["build"]["commit"][:7] for file in files}),
                "refilled": sum(file.get("hot_refilled", False) for file in files),
            }
        )
    return sets[:1] + sorted(sets[1:], key=lambda one: one["dates"])


def two_clocks(study: str, machine: str = REFERENCE) -> dict | None:
    """The same work by `kernel/hot` and by `step/graph`: how often the kernels' time is the longer one, and
    by how much; none where the set has no such pair."""
    by_work: dict[tuple, dict[str, float]] = {}
    for one in rows(machine, study).values():
        parameters = dict(one["parameters"])
        clock = one["clock"], parameters.pop("cache", None), parameters.pop("launch", None)
        if one["quantity"] != "time" or one["median"] is None:
            continue
        if clock in (("kernel", "hot", None), ("step", None, "graph")):
            work = one["variant"], json.dumps(parameters, sort_keys=True)
            by_work.setdefault(work, {})[clock[0]] = microseconds(one["name"], machine)
    pairs = [times for times in by_work.values() if len(times) == 2]
    if not pairs:
        return None
    empty = ceiling("gpu_empty_kernel", study, machine)
    more = [times["kernel"] - times["step"] for times in pairs]
    return {
        "pairs": len(pairs),
        "above": sum(one > 0 for one in more),
        "beyond_1_percent": sum(times["kernel"] > 1.01 * times["step"] for times in pairs),
        "beyond_empty": sum(one > empty for one in more),
        "most": max(more),
        "empty": empty,
        "node": ceiling("gpu_graph_node", study, machine),
    }


def same_alone() -> dict:
    """What `scripts/alone.py` found: where, and by clock how many rows differ, and the median differences."""
    lines = (ROOT / "results" / "alone.md").read_text().splitlines()
    by_clock: dict[str, list] = {}
    for line in lines:
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) > 6 and "/" in cells[1]:
            clock = "kernel" if "/kernel/" in cells[1] else "step"
            by_clock.setdefault(clock, []).append(cells)

    def middle(rows: list, column: int) -> float:
        return statistics.median(abs(float(cells[column].rstrip("%"))) for cells in rows)

    return {
        "source": lines[0],
        "clocks": [
            (clock, len(rows), sum(cells[6] != "" for cells in rows), middle(rows, 4), middle(rows, 5))
            for clock, rows in sorted(by_clock.items())
        ],
    }


def row(name: str, machine: str = REFERENCE) -> dict:
    """The measured row of this name."""
    found = rows(machine, name.split("/")[0]).get(name)
    if found is None or found["median"] is None:
        raise DocumentError(f"results/{machine} has no number for {name}")
    return found


def digits(value: float) -> str:
    """Three significant digits, never as a power of ten."""
    decimals = 0
    while decimals < 3 and abs(value) * 10**decimals < 99.95:
        decimals += 1
    return f"{value:.{decimals}f}"


def microseconds(name: str, machine: str = REFERENCE) -> float:
    """The median of a time."""
    return (
        row(name, machine)["median"]
        * {"ns": 1e-3, "us": 1.0, "ms": 1e3, "s": 1e6}[row(name, machine)["unit"]]
    )


def time(name: str, machine: str = REFERENCE) -> str:
    """The median in microseconds: "406"."""
    return digits(microseconds(name, machine))


def fastest(names: list[str], machine: str = REFERENCE) -> str:
    """The one of these rows that takes least."""
    return min(names, key=lambda name: microseconds(name, machine))


def rate(name: str, machine: str = REFERENCE) -> str:
    """10^9 points, cells or unknowns a second."""
    parameters = row(name, machine)["parameters"]
    points = 1
    for side in (parameters.get(key) for key in ("n", "nx", "ny", "nz")):
        points *= side or 1
    return digits(points / microseconds(name, machine) / 1e3)


def share(name: str, machine: str = REFERENCE, stepwise: bool = False) -> str:
    """The share of the row's limit: "91 %"; of the limit of single steps, where several share their bytes."""
    one = row(name, machine)
    limit = (stepwise and one.get("stepwise_limit")) or one["limit"]
    return f"{100 * limit['share']:.0f} %" if limit else "none"


def binding(name: str, machine: str = REFERENCE) -> tuple[str, str]:
    """The model's largest term and the model's time: ("`gpu_launch`, 3.45 us", "3.64 us")."""
    one = row(name, machine).get("binding")
    if not one:
        return "unknown", "unknown"
    return f"`{one['ceiling']}`, {digits(one['term'])} {one['unit']}", f"{digits(one['time'])} {one['unit']}"


def ratio(numerator: str, denominator: str, machine: str = REFERENCE) -> str:
    """How many times as long the first row takes."""
    return digits(microseconds(numerator, machine) / microseconds(denominator, machine))
