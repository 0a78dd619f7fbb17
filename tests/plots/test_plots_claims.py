"""A claim's words: what was measured with its interval, reasons as sentences, chance, verdicts in order."""

import pytest
import toy

from gridmark_plots import claims
from gridmark_plots.report import StudyView, cards, tallies

BOX, OTHER = toy.machine("m", "Box", toy.MEASURED), toy.machine("k", "Other", toy.MEASURED, complete=False)


def judged(given, machines=(BOX,), specs=None, **study):
    """The claims of a study of these specs on which the binary said this of the first machine."""
    specs = specs or [{"id": name, "statement": f"{name} holds."} for name in given]
    every = {("toy", name): {"verdict": "REPRODUCED", "because": "", **one} for name, one in given.items()}
    return claims.of_study({**toy.STUDY, "claims": specs, **study}, list(machines), {machines[0].key: every})


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"measured": "gpu_a, then gpu_b"}, "gpu_a, then gpu_b"),
        ({"measured": None}, ""),
        ({"value": 1.34}, "1.34"),
        ({"value": 1.34, "interval": (1.25, 1.45)}, "1.34 (1.25 to 1.45)"),
        ({"value": 1.34, "interval": (1.25, 1.45), "measured": "1.25 to 1.45"}, "1.34 (1.25 to 1.45)"),
        ({"value": 1.34, "interval": (1.25, 1.45), "measured": "1.34 (1.25 to 1.45)"}, "1.34 (1.25 to 1.45)"),
        (
            {"value": 1.34, "interval": (1.25, 1.45), "measured": "at 1.34 in all"},
            "at 1.34 in all (1.25 to 1.45)",
        ),
        ({"value": 1.34, "measured": "with gpu_a"}, "1.34; with gpu_a"),
        ({"value": 2.0, "interval": (2.0, 2.0), "measured": "2"}, "2.00"),  # an exact number
        ({"value": 1.339, "interval": (1.25, 1.45), "measured": "1.3391"}, "1.34 (1.25 to 1.45)"),
        ({"value": 1.34, "measured": "1.41"}, "1.34; 1.41"),
    ],
)
def test_what_was_measured_has_its_value_and_its_interval_once(given, text):
    assert judged({"A": given})[0].judged[0].measured == text


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("no device", "No device."),
        ("gpu_rows wins", "gpu_rows wins."),
        ("Did it? ", "Did it?"),
        ("Done!", "Done!"),
        ("All of it.", "All of it."),
        (" ", ""),
        (None, ""),
    ],
)
def test_a_reason_is_a_sentence_of_its_own(given, text):
    assert claims.sentence(given) == text
    assert judged({"A": {"because": given}})[0].judged[0].because == text


def test_a_claim_of_which_the_binary_says_nothing_has_no_verdict():
    (claim,) = judged({"A": {}}, (BOX, OTHER), specs=[{"id": "A", "statement": "s"}])
    assert [(one.verdict, one.label) for one in claim.judged] == [
        ("REPRODUCED", "Box"), ("no verdict", "Other (INCOMPLETE)"),
    ]  # fmt: skip
    assert [one.slug for one in claim.judged] == ["reproduced", "none"]
    assert claim.judged[1].because and claim.judged[1].turning == "" and claim.judged[1].cards == []
    assert (claim.anchor, claim.reading, claim.why) == ("toy-claim-A", "", "")


def test_what_was_published_is_the_studys_own_words_before_the_binarys():
    specs = [
        {
            "id": "A",
            "statement": "s",
            "published": {"text": "twice"},
            "reading": "best for best",
            "why": "Fewer.",
        },
        {"id": "B", "statement": "s"},
        {"id": "C", "statement": "s"},
    ]
    told = {"published": "2 to 3", "turns": {"words": "at 9", "cards": [1]}, "limits": "L", "estimate": True}
    errata = [{"claims": ["B"], "text": "One."}, {"claims": ["A", "B"], "text": "Two."}, {"text": "None."}]
    first, second, third = judged({"A": told, "B": told}, specs=specs, errata=errata)
    assert [one.published for one in (first, second, third)] == ["twice", "2 to 3", ""]
    assert [one.errata for one in (first, second, third)] == [[(2, "Two.")], [(1, "One."), (2, "Two.")], []]
    assert (first.reading, first.why) == ("best for best", "Fewer.")
    (one,) = first.judged
    assert (one.turning, one.cards, one.limits, one.estimate) == ("at 9", [1], "L", True)


@pytest.mark.parametrize(
    ("number", "words"), [(5, ""), (6, "Of 6 intervals of 90 %, about 1 miss by chance.")]
)
def test_chance_is_told_once_it_makes_one_miss(number, words):
    found = judged({f"C{k}": {"interval": (1.0, 2.0)} for k in range(number)}, (BOX, OTHER))
    assert claims.by_chance(BOX, found) == words and claims.by_chance(OTHER, found) == ""


VERDICTS = ["NOT RUN", "INCONCLUSIVE", "REPRODUCED", "NOT REPRODUCED", "TREND ONLY", "REPRODUCED"]


def test_verdicts_stand_in_a_fixed_order_with_all_their_claims():
    found = judged({f"C{k}": {"verdict": verdict} for k, verdict in enumerate(VERDICTS)}, (BOX, OTHER))
    told = [(verdict, [one.spec["id"] for one in some]) for verdict, some in claims.by_verdict(BOX, found)]
    assert told == [
        ("REPRODUCED", ["C2", "C5"]), ("TREND ONLY", ["C4"]), ("NOT REPRODUCED", ["C3"]),
        ("INCONCLUSIVE", ["C1"]), ("NOT RUN", ["C0"]),
    ]  # fmt: skip
    assert [(verdict, len(some)) for verdict, some in claims.by_verdict(OTHER, found)] == [("no verdict", 6)]


def test_an_interval_stands_behind_what_was_measured_of_several_pairs():
    told = {"measured": "0.97 to 1.31 over 7 pairs", "value": None, "interval": [0.95, 1.33]}
    (claim,) = judged({"A": told})
    assert claim.judged[0].measured == "0.97 to 1.31 over 7 pairs (interval 0.95 to 1.33)"
    (claim,) = judged({"A": {**told, "measured": "1 layers", "interval": [1.0, 1.0]}})
    assert claim.judged[0].measured == "1 layers"  # exact


def test_a_tally_keeps_what_holds_anywhere_apart_and_counts_twins_once():
    specs = [
        {"id": "A", "statement": "s"},
        {"id": "B", "statement": "s", "holds_anywhere": True},
        {"id": "C", "statement": "s", "counts_with": "A"},
        {"id": "D", "statement": "s", "holds_anywhere": False},
    ]
    found = judged({name: {} for name in "ABC"}, (BOX, OTHER), specs, causes=[{"id": "launch"}, {"id": "l2"}])
    view = StudyView({**toy.STUDY, "causes": [{"id": "l2"}, {"id": "launch"}]}, found, [], [])
    assert tallies([view], [BOX, OTHER]) == [
        (BOX, [("REPRODUCED", 1), ("no verdict", 1)], [("REPRODUCED", 1)], ""),
        (OTHER, [("no verdict", 2)], [("no verdict", 1)], ""),
    ]
    told = "A and C judge one misprint: those whose verdicts agree count once."
    assert claims.twins(claim.spec for claim in found) == told
    apart = judged({"A": {}, "B": {}, "C": {"verdict": "INCONCLUSIVE"}}, (BOX,), specs)
    other = StudyView(toy.STUDY, apart, [], [])
    assert tallies([other], [BOX])[0][1] == [("REPRODUCED", 1), ("INCONCLUSIVE", 1), ("no verdict", 1)]
    (card,) = cards([view], [BOX])
    ((machine, told),) = card.today
    assert machine is BOX and [len(some) for _, some in told] == [3, 1]
    assert [identity for identity, _ in card.causes] == ["launch", "l2"]  # as the report has them
