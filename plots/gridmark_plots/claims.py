"""Claims beside the verdicts that the binary gave for each machine; nothing here decides one."""

import math
from dataclasses import dataclass

from . import numbers, sentences

ORDER = ("REPRODUCED", "TREND ONLY", "NOT REPRODUCED", "INCONCLUSIVE", "NOT RUN")
SLUGS = {name: name.lower().replace(" ", "-") for name in ORDER}


@dataclass(frozen=True)
class Judged:
    """One claim on one machine."""

    machine: object
    label: str
    verdict: str
    measured: str
    because: str
    estimate: bool
    value: float | None = None
    interval: tuple | None = None
    limits: str = ""
    turns: dict | None = None

    @property
    def turning(self):
        """Which ceiling would turn it, in words; empty where the model has nothing to say."""
        return self.turns["words"] if self.turns else ""

    @property
    def cards(self):
        """What data sheets make of its ratio: [{"machine", "year", "ratio"}]."""
        return self.turns["cards"] if self.turns else []

    @property
    def slug(self):
        """The verdict as a style's name."""
        return SLUGS.get(self.verdict, "none")


@dataclass(frozen=True)
class Claim:
    """A claim with its published numbers, its judgements and the errata that touch it: (number, text)."""

    experiment: str
    spec: dict
    published: str
    judged: list
    errata: list

    @property
    def anchor(self):
        """Its place in the report."""
        return f"{self.experiment}-claim-{self.spec['id']}"

    @property
    def reading(self):
        """Of a speed-up: "as published" or "best for best"; else empty."""
        return self.spec.get("reading", "")

    @property
    def why(self):
        """What decides it on any machine, in one sentence or two."""
        return self.spec.get("why", "")


def _same(said, value):
    """Whether words are but a number, and this one."""
    try:
        return math.isclose(float(said), value, rel_tol=0.01)
    except ValueError:
        return False


def whole_interval(given):
    """The interval on which a verdict rests, in words; empty where there is none, or an exact number."""
    bounds = given.get("interval")
    return numbers.interval(bounds, 3) if bounds and bounds[0] < bounds[1] else ""


def _measured(given):
    """What was measured, in the binary's words where it has some, with the interval where those lack one."""
    said = given.get("measured") or ""
    if given.get("value") is None:
        bounds = whole_interval(given)
        return f"{said} (interval {bounds})" if said and bounds else said
    value, bounds = numbers.measured(given["value"], 3), numbers.interval(given.get("interval"), 3)
    if bounds == f"{value} to {value}":
        bounds = ""  # an exact number
    if bounds and bounds in said:
        return said if value in said.replace(bounds, "") else f"{value} ({said})"
    if _same(said, given["value"]):
        said = value
    parts = [said if value in said else f"{value}; {said}" if said else value]
    return " ".join([*parts, f"({bounds})"] if bounds else parts)


def sentence(text):
    """A reason or a headline as a sentence of its own."""
    text = (text or "").strip()
    if not text:
        return text
    first = text.split(maxsplit=1)[0]
    start = text[0] if "_" in first else text[0].upper()  # a variant's name keeps its spelling
    return start + text[1:] + ("" if text[-1] in ".!?" else ".")


def _judge(machine, experiment, claim, verdicts):
    given = verdicts.get(machine.key, {}).get((experiment, claim["id"]))
    label = machine.label(experiment)
    if given is None:
        return Judged(machine, label, "no verdict", "", "The verdicts do not speak of this claim.", False)
    return Judged(
        machine,
        label,
        given["verdict"],
        _measured(given),
        sentence(given["because"]),
        given.get("estimate", False),
        given.get("value"),
        given.get("interval"),
        given.get("limits") or "",
        given.get("turns"),
    )


def of_study(study, machines, verdicts):
    """The study's claims, in its order."""
    found = []
    for claim in study["claims"]:
        judged = [_judge(machine, study["id"], claim, verdicts) for machine in machines]
        given = next(
            (verdicts[m.key].get((study["id"], claim["id"])) for m in machines if m.key in verdicts), None
        )
        published = claim.get("published", {}).get("text") or (given or {}).get("published") or ""
        touching = [
            (index, erratum["text"])
            for index, erratum in enumerate(study.get("errata", []), 1)
            if claim["id"] in erratum.get("claims", [])
        ]
        found.append(Claim(study["id"], claim, published, judged, touching))
    return found


def by_chance(machine, claims):
    """How many of a machine's intervals miss by chance, in words; exact numbers do not count."""
    ends = [one.interval for claim in claims for one in claim.judged if one.machine is machine]
    intervals = sum(1 for pair in ends if pair and pair[0] < pair[1])
    missing = 0.1 * intervals  # of intervals of 90 %
    return f"Of {intervals} intervals of 90 %, about {missing:.0f} miss by chance." if missing > 0.5 else ""


def twins(specs):
    """What a tally leaves out, in words: claims that judge the same misprint as another, with its verdict."""
    named = {}
    for spec in specs:
        if twin := spec.get("counts_with"):
            named.setdefault(twin, [twin]).append(spec["id"])
    return " ".join(
        f"{sentences.listed(sorted(some))} judge one misprint: those whose verdicts agree count once."
        for some in named.values()
    )


def counted(specs, verdicts):
    """The claims that a tally counts, of {id: verdict}: one that says the same as its twin is left out."""
    return [
        spec
        for spec in specs
        if not (twin := spec.get("counts_with")) or verdicts.get(twin) != verdicts[spec["id"]]
    ]


def by_verdict(machine, claims):
    """[(verdict, its claims)] of one machine, in a fixed order, none left empty."""
    found = []
    for verdict in (*ORDER, "no verdict"):
        hit = [
            claim
            for claim in claims
            if any(one.machine is machine and one.verdict == verdict for one in claim.judged)
        ]
        if hit:
            found.append((verdict, hit))
    return found
