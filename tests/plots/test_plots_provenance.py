"""Provenance: every fact that result files hold stands in the report, each null with its reason."""

from synthetic import GPU_CEILINGS, ROOT, ceiling

from gridmark_plots import provenance
from gridmark_plots.results import Machine, ResultSet


def recorded(**contexts):
    made = Machine("m", ROOT, "Box", False)
    for name, context in contexts.items():
        given = {"experiment": name, "ceilings": [], "reasons": {}, **context}
        made.sets[name] = ResultSet(ROOT / f"{name}.json", given, [])
    return provenance.record(made)


def test_nested_facts_are_laid_flat_and_lists_of_plain_values_stay():
    given = {"a": {"b": [1, 2], "c": {}}, "d": [{"e": 1}, {"e": None}], "f": []}
    assert provenance.flatten(given) == {"a.b": [1, 2], "a.c": {}, "d.0.e": 1, "d.1.e": None, "f": []}


def test_facts_are_told_as_text_and_a_null_by_its_reason():
    gpu = {"name": "Card", "cap": None, "clock": None, "rate": 1234567.8, "on": True, "sizes": [1, 2.5]}
    found = recorded(toy={"gpu": {**gpu, "none": []}, "reasons": {"gpu.cap": "not told."}})
    assert found.sections == [
        (
            "GPU",
            [
                ("name", "Card"),
                ("cap", "not available: not told"),
                ("clock", "not available: no reason given"),
                ("rate", "1.23457e+06"),
                ("on", "yes"),
                ("sizes", "1, 2.5"),
                ("none", "none"),
            ],
        )
    ]


def test_experiments_that_agree_share_a_line_and_others_are_named():
    found = recorded(
        one={"preset": "paper", "seed": 1, "cpu": {"model": "A"}},
        two={"preset": "quick", "seed": 1, "cpu": {"model": "A"}},
        three={"preset": "quick", "cpu": {"model": "A"}},
    )
    assert found.sections == [
        ("run", [("preset", "paper (one)"), ("preset", "quick (three, two)"), ("seed", "1")]),
        ("CPU", [("model", "A")]),
    ]
    assert found.files == ["one.json", "three.json", "two.json"]


def test_ceilings_that_agree_are_one_table_and_a_missing_one_says_why():
    none = [ceiling("a", None, "us", "how", "no clock"), ceiling("b", None, "GB/s", "how")]
    assert recorded(one={"ceilings": none}, two={"ceilings": none}).ceilings == [
        (
            "Ceilings",
            (
                ("a", "–", "µs", "not measured: no clock"),
                ("b", "–", "GB/s", "not measured: no reason given"),
            ),
        )
    ]
    several = recorded(
        one={"ceilings": none}, two={"ceilings": GPU_CEILINGS}, three={"ceilings": none}, four={}
    )
    assert [title for title, _ in several.ceilings] == ["Ceilings, one, three", "Ceilings, two"]
    assert several.ceilings[1][1][0] == (
        "gpu_copy_bandwidth",
        "4\u202f190",
        "GB/s",
        "copy of 1 GiB, median of 9",
    )


def test_a_reason_whose_null_is_nowhere_is_not_lost_and_told_once():
    reasons = {"papi": "not built in", "gpu": "no device"}
    both = {"gpu": None, "reasons": reasons}
    found = recorded(one=both, two=both, three={"reasons": {"papi": "another"}})
    assert found.sections == [
        ("GPU", [("gpu", "not available: no device")]),
        ("not available", [("papi", "not built in"), ("papi", "another")]),
    ]
    assert recorded(one={}).sections == []
