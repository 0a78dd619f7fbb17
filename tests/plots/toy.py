"""A study of two kernels on three sizes, small enough to check its table by hand."""

from pathlib import Path

from synthetic import row

TABLE = {
    "id": "t",
    "title": "Toy times",
    "unit": "us",
    "select": {"quantity": "time", "clock": "kernel"},
    "rows": ["n"],
    "columns": [
        {"id": "a", "title": "plain", "select": {"variant": "plain"}},
        {"id": "b", "title": "fast", "select": {"variant": "fast"}},
    ],
    "ratio": {"title": "plain / fast", "numerator": "a", "denominator": "b"},
    "published": ["old-card"],
    "claims": ["T1"],
}
SWEEP = {
    "id": "s",
    "kind": "sweep",
    "title": "Toy sweep",
    "select": {"quantity": "time"},
    "x": ["n"],
    "unit": "us",
    "series": [{"title": "plain", "select": {"variant": "plain"}}],
    "published": ["old-card"],
}
STUDY = {
    "id": "toy",
    "title": "A toy study",
    "problem": ["Nothing is solved."],
    "tables": [TABLE],
    "figures": [SWEEP],
    "claims": [{"id": "T1", "statement": "Fast is faster.", "published": {"text": "2"}}],
    "errata": [{"claims": ["T1"], "text": "A toy erratum."}],
    "file": "toy/study.json",
}
PUBLISHED = [
    row("plain", {"n": 1}, 40.0, interval=None, samples=[]),
    row("fast", {"n": 1}, 25.0, interval=None, samples=[]),
]
MEASURED = [
    row("plain", {"n": 1}, 2500.0, unit="ns", interval=[2400.0, 2600.0]),
    row("fast", {"n": 1}, 2.0, interval=[1.98, 2.03]),
    row("plain", {"n": 2}, 5.0, interval=[4.9, 5.2], status="estimate", reason="three samples"),
    row("fast", {"n": 2}, None, status="failed", reason="a wrong answer at point 7"),
]
RATIOS = {"m": {("toy", "t"): [{"key": {"n": 1}, "ratio": 1.25, "interval": [1.21, 1.29]}]}}


def machine(key, name, rows, published=False, complete=True):
    """A machine in memory."""
    from gridmark_plots.results import Machine, ResultSet

    context = {"experiment": "toy", "complete": complete, "ceilings": [], "reasons": {}}
    made = Machine(key, Path("results") / key, name, published)
    made.sets["toy"] = ResultSet(made.directory / "toy.json", context, rows)
    return made


def table(machines=None, **changes):
    """The toy table filled from the old card and one machine, or from these."""
    from gridmark_plots import tables

    if machines is None:
        machines = [
            machine("old-card", "Old card", PUBLISHED, published=True),
            machine("m", "New box", MEASURED),
        ]
    spec = {**TABLE, **changes}
    if not {"a", "b"} <= {column["id"] for column in spec["columns"]}:
        del spec["ratio"]
    return tables.build(STUDY, spec, machines, RATIOS)
