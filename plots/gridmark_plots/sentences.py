"""Sentences instead of empty cells: what a machine did not measure, and why."""

from .numbers import count
from .selector import FORECAST, measured

VERBS = {"skipped": ("was skipped", "were skipped"), "failed": ("failed", "failed")}


def listed(words, last="and"):
    """`a`, `a and b`, `a, b and c`."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def _by_reason(rows, status):
    reasons = {}
    for row in rows:
        if row["status"] == status:
            reasons.setdefault(row["reason"].rstrip("."), []).append(row)
    return reasons


def _amount(part, whole, noun):
    """`1 row`, `3 rows`, `both rows`, `all 14 rows`."""
    if part < whole or part == 1:
        return count(part, noun)
    return f"both {noun}s" if part == 2 else f"all {part} {noun}s"


def about(label, machine, experiment, rows):
    """One sentence for each reason for which a machine's rows hold no number, or only an estimate."""
    if experiment not in machine.sets:
        did = "forecast" if machine.forecast else "run there"
        return [] if machine.published else [f"{label}: this study was not {did}."]
    if not rows:
        what = "forecast" if machine.forecast else "run"
        return [] if machine.published else [f"{label}: no row of this was part of the {what}."]
    found = []
    for status, (one, many) in VERBS.items():
        for reason, hit in _by_reason(rows, status).items():
            amount = _amount(len(hit), len(rows), "row")
            found.append(f"{label}: {amount} {one if len(hit) == 1 else many}: {reason}.")
    for reason, hit in _by_reason(rows, "estimate").items():
        amount = _amount(len(hit), sum(measured(row) for row in rows), "value")
        what = "is an estimate" if len(hit) == 1 else "are estimates"
        found.append(f"{label}: {amount} marked est. {what}: {reason}.")
    for reason, hit in _by_reason(rows, FORECAST).items():
        what = "1 value is a forecast" if len(hit) == 1 else f"{len(hit)} values are forecasts"
        found.append(f"{label}: {what} {reason}, never measured.")
    return found
