"""Numbers, units and selectors as text and as choices; the sentences of the papers: each has an answer."""

import re

import pytest
import toy
from synthetic import ROOT, row, save

from gridmark_plots import claims, numbers, render, units
from gridmark_plots.errors import InputError
from gridmark_plots.report import StudyView
from gridmark_plots.selector import key_of, matches
from gridmark_plots.studies import read_studies


@pytest.mark.parametrize(
    ("value", "measured", "published"),
    [
        (41, "41.00", "41"),
        (1.8719, "1.872", "1.872"),
        (0.062, "0.06200", "0.062"),
        (123456.7, "123\u202f457", "123\u202f457"),
        (0, "0", "0"),
        (9.7e-7, "9.700e-07", "9.700e-07"),
        (1e9, "1.000e+09", "1.000e+09"),
        (1e-4, "0.0001000", "0.0001"),
        (None, "–", "–"),
    ],
)
def test_numbers_have_four_digits_and_published_ones_no_more_than_they_had(value, measured, published):
    assert numbers.measured(value) == measured
    assert numbers.published(value) == published


def test_both_ends_of_an_interval_have_equal_decimals():
    assert numbers.interval((9.98, 10.02)) == "9.98 to 10.02"
    assert numbers.interval((5.0, 1e9)) == "5.000 to 1.000e+09"
    assert numbers.interval((5e-5, 1e-4)) == "0.0000500 to 0.0001000"
    assert numbers.interval((5.0, 2e6)) == "5 to 2\u202f000\u202f000"
    assert numbers.interval((0.0, 0.0)) == "0 to 0"
    assert numbers.interval(None) == ""


def test_times_convert_and_nothing_else_does():
    assert units.factor({"unit": "ms", "name": "r"}, "us", "f") == 1000
    assert units.factor({"unit": "%", "name": "r"}, "%", "f") == 1
    assert units.seconds({"unit": "%", "median": 5.0}) is None


def test_a_time_becomes_a_speed_by_the_rows_work_and_its_interval_swaps_ends():
    time = row("a", {"nx": 100, "ny": 50, "nz": 20}, 2.0, unit="ms", flops=1.3e6, interval=[1.0, 4.0])
    for unit, wanted in (
        ("GFLOP/s", (0.65, 0.325, 1.3)),
        ("Gpoint/s", (0.05, 0.025, 0.1)),
        ("us", (2e3, 1e3, 4e3)),
    ):
        value, bounds = units.convert(time, unit, "f")
        assert (value, *bounds) == pytest.approx(wanted)
    for grid in ({"nx": 100, "ny": 50}, {"n": 5000, "block": 256}):
        fewer = row("a", grid, 2.0, unit="ms", interval=None)
        assert units.convert(fewer, "Gpoint/s", "f") == (pytest.approx(0.0025), None)


@pytest.mark.parametrize(
    ("unit", "changes", "reason"),
    [
        ("GFLOP/s", {}, "GFLOP/s is asked for, but it states no flops"),
        ("GFLOP/s", {"flops": 1e6, "interval": [0.0, 2.0]}, "is asked for, but its time is not above 0"),
        ("Gpoint/s", {"parameters": {"k": 1}}, "Gpoint/s is asked for, but its 'nx' is no size"),
        ("Gpoint/s", {"parameters": {"n": 1, "nx": 4}}, "Gpoint/s is asked for, but its 'ny' is no size"),
        ("Gpoint/s", {"parameters": {"n": "all"}}, "Gpoint/s is asked for, but its 'n' is no size"),
        ("Gpoint/s", {"parameters": {"nx": 4, "ny": "all"}}, "but its 'ny' is no size"),
        ("Gpoint/s", {"parameters": {"nx": 4, "ny": 0}}, "but its 'ny' is no size"),
        ("Gpoint/s", {"parameters": {"nx": 4, "ny": 4, "nz": True}}, "but its 'nz' is no size"),
        ("GFLOP/s", {"unit": "%"}, "its unit is '%' where 'GFLOP/s' is asked for"),
        ("ms", {"unit": "GFLOP/s"}, "its unit is 'GFLOP/s' where 'ms' is asked for"),
    ],
)
def test_a_row_without_the_work_that_a_speed_needs_is_refused(unit, changes, reason):
    with pytest.raises(InputError, match=f"^f: toy/a/n:1: .*{reason}$"):
        units.convert({**row("a", {"n": 1}, 1.0), **changes}, unit, "f")


def test_a_list_in_a_selector_means_any_of_its_values():
    rows = [row(name, {"n": n}, 1.0) for name, n in (("a", 1), ("b", 2), ("c", 1))] + [
        row("a", {"n": 3}, None)
    ]
    assert [matches({"variant": ["a", "b"], "n": [1, 2]}, one) for one in rows] == [True, True, False, False]
    assert [matches({"status": ["measured", "skipped"]}, one) for one in rows] == [True] * 4
    assert not matches({"missing": [1, 2]}, rows[0]) and not matches({"n": [True]}, rows[0])
    assert matches({"missing": [1, None]}, rows[0]) and not matches({"n": [None]}, rows[0])  # null: lacking
    assert matches({"clock": [None]}, {**rows[0], "clock": None})


def test_a_selector_asks_for_parameters_and_for_measured():
    good, estimate, skipped = (
        row("a", {"n": 1}, 1.0),
        row("a", {"n": 1}, 1.0, status="estimate"),
        row("a", {"n": 1}, None),
    )
    selector = {"variant": "a", "n": 1, "status": "measured"}
    assert [matches(selector, one) for one in (good, estimate, skipped)] == [True, True, False]
    assert not matches({"missing": 1}, good)
    assert not matches({"n": True}, good)
    assert key_of(row("a", {"n": 2.0, "on": True}, 1.0), ["variant", "n", "on", "none"]) == (
        "a",
        "2",
        "yes",
        "",
    )


# What the papers say, sentence by sentence.

STUDIES = read_studies(ROOT / "experiments")
READINGS = {"best for best": "-best", "like for like": "-like"}


@pytest.mark.parametrize("study", STUDIES, ids=[study["id"] for study in STUDIES])
def test_every_claim_judges_a_sentence(study):
    named = {claim for one in study["sentences"] for claim in one.get("claims", [])}
    assert named == {claim["id"] for claim in study["claims"]}
    assert all(one.get("unjudged", "x").strip() for one in study["sentences"])


@pytest.mark.parametrize("study", STUDIES, ids=[study["id"] for study in STUDIES])
def test_a_speed_up_has_both_readings_of_one_sentence(study):
    known = {claim["id"]: claim for claim in study["claims"]}
    for name, claim in known.items():
        if "label" in claim.get("generations", {}) and "reading" not in claim:
            # One version against itself: with more threads, say.
            assert isinstance(claim["pairs"]["select"].get("variant"), str), name
        if claim.get("reading") in READINGS:
            suffix = READINGS[claim["reading"]]
            assert name.endswith(suffix)
            twin = known[name.removesuffix(suffix)]
            assert twin.get("reading", "as published") == "as published"
            for key in ("quote", "place", "kind", "tolerance"):
                assert claim[key] == twin[key], (name, key)
            # The best of each side are one pair, with no published ratio of its own.
            published, of_twin = dict(claim["published"]), dict(twin["published"])
            assert published.pop("pairs", None) in (None, of_twin.pop("pairs", None)), name
            assert published == of_twin, name
            assert claim["pairs"] != twin["pairs"]
        elif "reading" in claim:
            assert f"{name}-best" in known, name


@pytest.mark.parametrize("study", STUDIES, ids=[study["id"] for study in STUDIES])
def test_a_claim_about_all_configurations_judges_them_all(study):
    """A claim that takes the best row of each side says so, and speaks of no others."""
    known = {claim["id"]: claim for claim in study["claims"]}
    for name, claim in known.items():
        if not claim.get("pairs", {}).get("best"):
            continue
        assert not re.search(r"\b(every configuration|all \w+ that|both kernels)\b", claim["statement"]), name
        if claim.get("reading") == "best for best":
            assert re.search(r"\bfastest\b", claim["statement"]), name
            assert claim["statement"] != known[name.removesuffix("-best")]["statement"]


CLOCKS = {"kernel", "step", "wall"}


@pytest.mark.parametrize("study", STUDIES, ids=[study["id"] for study in STUDIES])
def test_every_claim_about_times_names_its_clocks_and_threads(study):
    for claim in study["claims"]:
        rows = claim.get("pairs") or claim.get("optimum") or {}
        select = rows.get("select", {})
        if select.get("quantity") != "time":
            continue
        said, name = claim["quantity"], claim["id"]
        sides = [{**select, **rows[side]} for side in ("numerator", "denominator") if side in rows] or [
            select
        ]
        for side in sides:
            allowed = {side["clock"]} if "clock" in side else CLOCKS
            assert any(f"{clock} time" in said for clock in allowed), (name, said)
            if side.get("clock") == "wall":
                assert "thread" in said, (name, said)


def page(*sentences):
    """Both pages of the toy study with these sentences."""
    study = {**toy.STUDY, "sentences": list(sentences)}
    machine = toy.machine("m", "Box", toy.MEASURED)
    given = {("toy", "T1"): {"verdict": "TREND ONLY", "measured": "2", "because": "more"}}
    view = StudyView(study, claims.of_study(study, [machine], {"m": given}), [], [])
    values = {"views": [view], "machines": [machine]}
    return render.html("sentences.html.j2", **values), render.plain("sentences.md.j2", **values)


def test_a_sentence_has_its_claims_with_their_verdicts_or_the_reason_why_none():
    pages = page(
        {"place": "abstract", "says": "Fast is twice as fast.", "claims": ["T1"]},
        {"place": "page 2", "says": "It is easy to write.", "unjudged": "No clock measures that."},
    )
    for text in pages:
        plain = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))
        first, second = plain.index("Fast is twice as fast."), plain.index("It is easy to write.")
        assert "T1" in plain[first:second] and "TREND ONLY" in plain[first:second]
        assert "No claim. No clock measures that." in plain[second:] and "T1" not in plain[second:]
    assert 'href="verdicts.html#toy-claim-T1"' in pages[0]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ({"claims": ["T9"]}, "no claim 'T9'"),
        ({"claims": []}, "sentences"),
        ({}, "sentences"),
        ({"claims": ["T1"], "unjudged": "why"}, "sentences"),
    ],
)
def test_a_sentence_without_an_answer_is_refused(tmp_path, sentence, reason):
    spec = {key: value for key, value in toy.STUDY.items() if key != "file"}
    said = {"place": "abstract", "says": "Fast is faster.", **sentence}
    save(tmp_path / "toy" / "study.json", {**spec, "sentences": [said]})
    with pytest.raises(InputError, match=reason):
        read_studies(tmp_path)


def test_intervals_that_miss_by_chance_are_counted_without_exact_numbers():
    machine = toy.machine("m", "Box", toy.MEASURED)
    given = {("toy", f"C{k}"): {"verdict": "NOT RUN", "because": "", "measured": ""} for k in range(60)}
    for k, one in enumerate(given.values()):
        one["interval"] = [1.0, 1.0] if k < 20 else [1.0, 2.0]
    specs = [{"id": f"C{k}", "statement": "s"} for k in range(60)]
    found = claims.of_study({**toy.STUDY, "claims": specs}, [machine], {"m": given})
    assert claims.by_chance(machine, found) == "Of 40 intervals of 90 %, about 4 miss by chance."
    assert claims.by_chance(machine, found[:24]) == ""
