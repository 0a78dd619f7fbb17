"""What the papers say, sentence by sentence: every sentence has an answer, every speed-up two readings."""

import re

import pytest
import toy
from synthetic import ROOT, save

from gridmark_plots import claims, render
from gridmark_plots.errors import InputError
from gridmark_plots.report import StudyView
from gridmark_plots.studies import read_studies

STUDIES = read_studies(ROOT / "experiments")
READINGS = ("as published", "best for best")


@pytest.mark.parametrize("study", STUDIES, ids=[study["id"] for study in STUDIES])
def test_every_claim_judges_a_sentence(study):
    named = {claim for one in study["sentences"] for claim in one.get("claims", [])}
    assert named == {claim["id"] for claim in study["claims"]}
    assert all(one.get("unjudged", "x").strip() for one in study["sentences"])


@pytest.mark.parametrize("study", STUDIES, ids=[study["id"] for study in STUDIES])
def test_a_speed_up_has_both_readings_of_one_statement(study):
    known = {claim["id"]: claim for claim in study["claims"]}
    for name, claim in known.items():
        if "label" in claim.get("generations", {}) and "reading" not in claim:
            # One version against itself: with more threads, say.
            assert isinstance(claim["pairs"]["select"].get("variant"), str), name
        if claim.get("reading") == "best for best":
            assert name.endswith("-best")
            twin = known[name.removesuffix("-best")]
            assert twin["reading"] == "as published"
            for key in ("statement", "quote", "place", "kind", "published", "tolerance"):
                assert claim[key] == twin[key], (name, key)
            assert claim["pairs"] != twin["pairs"]
        elif "reading" in claim:
            assert f"{name}-best" in known, name


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
    assert claims.by_chance(machine, found) == "Of 40 intervals of 95 %, about 2 miss by chance."
    assert claims.by_chance(machine, found[:25]) == ""
