"""Then and now: each published speed-up beside what today's machines give, as the binary decided it."""

from dataclasses import dataclass, field

from . import csvtable, numbers, sentences
from .figures import speedups, turns
from .studies import published_machines

WITHOUT = {
    "absolute": "a value of its own, no ratio of two times",
    "optimum": "it asks which is best, not by how much",
}


@dataclass(frozen=True)
class Speedup:
    """A claimed speed-up: what was published, on hardware of which year, and what each machine gives."""

    study: dict
    claim: object
    label: str
    hardware: list
    year: str
    judged: list

    @property
    def published(self):
        """(low, value, high) as published; what was not printed is None."""
        given = self.claim.spec["published"]
        return given.get("low"), given.get("value"), given.get("high")

    @property
    def source(self):
        """The published hardware by name and year."""
        return ", ".join(self.hardware)


@dataclass
class Generations:
    """Every speed-up, the measured machines, and a sentence for each claim without a number to compare."""

    machines: list
    speedups: list = field(default_factory=list)
    left_out: list = field(default_factory=list)
    figure: object = None
    turns: list = field(default_factory=list)
    notes: list = field(default_factory=list)


def _why_not(claim):
    """Why a claim is no speed-up with a published number, or None."""
    given, published = claim.spec.get("generations", {}), claim.spec.get("published", {})
    if "left_out" in given:
        return given["left_out"]
    kind = claim.spec.get("kind")
    if kind not in ("ratio", "range", "ordering"):
        return WITHOUT.get(kind, "its kind is not declared")
    if "value" not in published and not {"low", "high"} <= published.keys():
        said = f" ({published['text']})" if published.get("text") else ""
        return f"no number was published{said}"
    return None


def _hardware(study, claim, published):
    """The published sets whose speed-up it is: their names with years, and the first and last year as text.

    Where the hardware's year is not known, the study's own stands in its place, and says so.
    """
    entry = {
        "id": f"claims.{claim.spec['id']}.generations",
        "published": claim.spec.get("generations", {}).get("published", []),
    }
    names, years, paper = [], set(), study.get("paper", {}).get("year")
    for machine in published_machines(study, entry, published):
        year = machine.sets[study["id"]].context.get("year")
        said = str(year) if year else f"paper of {paper}" if paper else "year not known"
        names.append(f"{machine.plain_name} ({said})")
        years.add(said)
    return names, " to ".join(sorted({min(years), max(years)})) if years else ""


def _not_measured(speedup):
    """Sentences for the machines that have no number of this speed-up."""
    reasons = {}
    for one in speedup.judged:
        if one.value is None and one.interval is None:
            reasons.setdefault(one.because, []).append(one.label)
    name = f"{speedup.claim.spec['id']} ({speedup.label})"
    return [f"{name}: no value on {sentences.listed(labels)}. {why}" for why, labels in reasons.items()]


def of(studies, machines, published):
    """The view of [(study, its claims)] on the measured ones among these machines."""
    found = Generations([machine for machine in machines if machine.measured])
    for study, claims in studies:
        for claim in claims:
            why = _why_not(claim)
            if why:
                name = f"{study['id'].replace('_', ' ')} {claim.spec['id']}"
                found.left_out.append(f"{name}: {why}. The claim: {claim.spec['statement']}")
                continue
            label = claim.spec.get("generations", {}).get("label", claim.spec["statement"])
            judged = [one for one in claim.judged if one.machine.measured]
            found.speedups.append(Speedup(study, claim, label, *_hardware(study, claim, published), judged))
            found.notes += _not_measured(found.speedups[-1])
    found.figure = speedups.make(found)
    found.turns = [
        figure
        for machine in found.machines
        if (figure := turns.make(machine, _of_machine(machine, studies))) is not None
    ]
    return found


def _of_machine(machine, studies):
    """[(claim, its verdict on this machine)]."""
    return [
        (claim, one)
        for _, claims in studies
        for claim in claims
        for one in claim.judged
        if one.machine is machine
    ]


def by_study(view):
    """[(study, its speed-ups)]."""
    found = {}
    for one in view.speedups:
        found.setdefault(one.study["id"], (one.study, []))[1].append(one)
    return list(found.values())


def measured_text(judged):
    """What a machine gives: its value with its interval, or the range of its pairs; empty without either."""
    bounds = numbers.interval(judged.interval, 3)
    if judged.value is None:
        return bounds
    return f"{numbers.measured(judged.value, 3)} ({bounds})" if bounds else numbers.measured(judged.value, 3)


def lines(view):
    """The view as headings and lines of text, for Markdown."""
    headings = [
        "study",
        "claim",
        "speed-up",
        "reading",
        "published",
        "on",
        *(one.label() for one in view.machines),
    ]
    found = []
    for one in view.speedups:
        cells = [
            " ".join(filter(None, (judged.verdict, "est." if judged.estimate else "", measured_text(judged))))
            for judged in one.judged
        ]
        found.append(
            [
                one.study["id"],
                one.claim.spec["id"],
                one.label,
                one.claim.reading,
                one.claim.published,
                one.source,
                *cells,
            ]
        )
    return headings, found


def csv(view):
    """The view as CSV, in full precision."""
    headings = ["study", "claim", "speed-up", "reading"]
    headings += ["published low", "published value", "published high", "on"]
    for machine in view.machines:
        headings += [f"{machine.label()}: {name}" for name in ("value", "low", "high", "verdict", "status")]
    found = []
    for one in view.speedups:
        line = [one.study["id"], one.claim.spec["id"], one.label, one.claim.reading]
        line += map(numbers.exact, one.published)
        line.append(one.source)
        for judged in one.judged:
            low, high = judged.interval or (None, None)
            line += [*map(numbers.exact, (judged.value, low, high)), judged.verdict]
            line.append("estimate" if judged.estimate else "ok" if judged.interval else "")
        found.append(line)
    return csvtable.write(headings, found)


def write(output, view):
    """Write the figure and the table as files of their own."""
    if view.speedups:
        output.write("tables/generations.csv", csv(view))
    for figure in (view.figure, *view.turns):
        figure.save(output)
