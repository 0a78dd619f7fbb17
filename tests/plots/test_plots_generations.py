"""Speed-ups then and now: which claims have one, whose years they bear, and how they are drawn."""

import csv
import io

import pytest
import toy
from matplotlib.colors import to_hex
from synthetic import ROOT, row

from gridmark_plots import claims, generations
from gridmark_plots.errors import InputError
from gridmark_plots.figures import palette
from gridmark_plots.results import read_published
from gridmark_plots.studies import read_studies

OLD = toy.machine("old-card", "Old card (published)", toy.PUBLISHED, published=True)
OLD.sets["toy"].context["year"] = 2010
BOX, OTHER = toy.machine("m", "Box", toy.MEASURED), toy.machine("k", "Other", toy.MEASURED)


def claim(identity, kind="ratio", **other):
    base = {"id": identity, "kind": kind, "statement": f"Statement of {identity}."}
    return {**base, "published": {"text": "two", "value": 2.0}, **other}


RATIO = claim("R", generations={"label": "plain / fast", "published": ["old-card"]})
RANGE = claim("O", "ordering", published={"text": "1.2 to 1.6", "low": 1.2, "high": 1.6})
GIVEN = {
    "R": {"verdict": "TREND ONLY", "value": 4.0, "interval": [3.5, 4.5], "because": "more"},
    "O": {"verdict": "REPRODUCED", "value": None, "interval": [1.1, 1.3], "because": "all", "estimate": True},
}


def view(*specs, machines=(OLD, BOX), given=GIVEN, **study):
    study = {**toy.STUDY, "claims": list(specs), **study}
    verdicts = {
        machine.key: {("toy", name): {"measured": "", **one} for name, one in given.items()}
        for machine in machines
    }
    return generations.of(
        [(study, claims.of_study(study, list(machines), verdicts))], list(machines), {"old-card": OLD}
    )


@pytest.mark.parametrize("kind", ["ordering", "range"])
def test_a_ratio_and_a_range_stand_beside_what_was_measured(kind):
    found = view(RATIO, {**RANGE, "kind": kind})
    headings, lines = generations.lines(found)
    assert headings == ["study", "claim", "speed-up", "reading", "published", "on", "Box"]
    assert lines == [
        ["toy", "R", "plain / fast", "", "two", "Old card (2010)", "TREND ONLY 4.00 (3.50 to 4.50)"],
        ["toy", "O", "Statement of O.", "", "1.2 to 1.6", "", "REPRODUCED est. 1.10 to 1.30"],
    ]
    assert found.figure.lines[0] == ["R. plain / fast", "2010", "2", "4.00 (3.50 to 4.50)"]
    assert "published 1.20 to 1.60, Box 1.10 to 1.30" in found.figure.alt


TURNS = {
    "pair": "plain / fast",
    "ratio": 4.0,
    "words": "with 0.5 times gpu_l2_bandwidth (plain / fast)",
    "cards": [
        {"machine": "NVIDIA GeForce GTX 1 (some)", "year": 2010, "ratio": 0.8},
        {"machine": "NVIDIA New", "year": 2025, "ratio": 2.0},
    ],
}


@pytest.mark.parametrize("place", [-2, -1])
def test_forecasts_of_other_cards_are_hatched_beside_what_was_measured(drawn, place):
    found = view(RATIO, RANGE, given={**GIVEN, "R": {**GIVEN["R"], "turns": TURNS}})
    (figure,) = found.turns
    assert figure.headings == ["claim", "Box", "NVIDIA GeForce GTX 1 (some) (2010)", "NVIDIA New (2025)"]
    assert figure.lines == [["R. plain / fast", "4.00", "0.800", "2.00"]]
    assert "1 of the forecast ratios lie on the other side" in figure.alt
    (axes,) = drawn[place].axes
    assert [(patch.get_x(), patch.get_hatch()) for patch in axes.patches] == [(1, "///"), (2, "///")]
    # Each covers its own cell and nothing of another's.
    assert {(patch.get_width(), patch.get_height()) for patch in axes.patches} == {(1, 1)}
    assert axes.get_xticklabels()[0].get_text() == "measured"
    assert found.speedups[0].judged[0].turning == TURNS["words"]


@pytest.mark.parametrize("place", [-2, -1])
def test_a_claim_turns_where_the_colour_does_and_a_card_without_a_forecast_has_none(drawn, place):
    cards = [
        {"machine": name, "year": year, "ratio": ratio}
        for name, year, ratio in (("A", 2020, 8.0), ("B", 2010, 1.0))
    ]
    less = {**TURNS, "pair": "fast / plain", "ratio": 0.5, "cards": [{**cards[0], "ratio": 2.0}]}
    given = {"R": {**GIVEN["R"], "turns": {**TURNS, "cards": cards}}, "O": {**GIVEN["O"], "turns": less}}
    (figure,) = view(RATIO, RANGE, given=given).turns
    assert figure.headings == ["claim", "Box", "B (2010)", "A (2020)"]  # the oldest first
    assert figure.lines == [
        ["R. plain / fast", "4.00", "1.00", "8.00"],
        ["O. fast / plain", "0.500", "–", "2.00"],
    ]
    assert "Grid of 2 claims by 2 cards: 2 of the forecast ratios" in figure.alt
    (axes,) = drawn[place].axes
    (mesh,) = axes.collections
    shades = mesh.get_array()
    assert shades.tolist() == [[1.0, 0.0, 1.0], [-0.5, None, 0.5]]  # full from 4 on
    assert (mesh.norm.vmin, mesh.norm.vmax) == (-1, 1)
    assert [patch.get_xy() for patch in axes.patches] == [(1, 0), (2, 0), (2, 1)]
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["R", "O"]
    assert axes.get_ylim() == (2, 0) and axes.lines[0].get_xdata()[0] == 1
    names = [tick.get_text() for tick in axes.get_xticklabels()]
    assert names == (["measured", "2010", "2020"] if place == -1 else ["measured", "B\n2010", "A\n2020"])
    said = [(text.get_text(), text.get_position()) for text in axes.texts]
    assert (
        said == []
        if place == -1
        else said[:2] == [("4.00", (0.5, 0.5)), ("1.00", (1.5, 0.5))] and len(said) == 5
    )


def test_marks_of_a_speed_up_are_joined_told_and_tied_to_their_cells(drawn):
    given = {**GIVEN, "R-best": {**GIVEN["R"], "value": 2.1, "interval": [2.0, 2.2]}}
    twin = {**RATIO, "id": "R-best", "reading": "best for best"}
    found = view({**RATIO, "reading": "as published"}, twin, RANGE, machines=(OLD, BOX), given=given)
    assert "R. plain / fast: published 2, Box, as published 4.00, Box, best for best 2.10" in found.figure.alt
    assert found.figure.headings == [
        "claim",
        "year",
        "published",
        "Box",
        "Box, as published",
        "Box, best for best",
    ]
    assert found.figure.lines[0][2:] == ["2", "–", "4.00 (3.50 to 4.50)", "2.10 (2.00 to 2.20)"]
    assert found.figure.lines[1] == [
        "O. Statement of O.",
        "not known",
        "1.20 to 1.60",
        "1.10 to 1.30",
        "–",
        "–",
    ]
    axes = drawn[0].axes[0]
    dots = {line.get_gid(): line for line in axes.lines if line.get_gid() and len(line.get_xdata()) == 1}
    assert {gid: (line.get_marker(), line.get_xdata()[0]) for gid, line in dots.items()} == {
        "mark:0:2:0": ("o", 2.0), "mark:0:4:0": ("o", 4.0), "mark:0:5:0": ("D", 2.1),
    }  # fmt: skip
    ends = {
        line.get_gid(): list(line.get_xdata())
        for line in axes.lines
        if line.get_gid() and len(line.get_xdata()) == 2
    }
    assert ends == {"mark:0:4:0": [3.5, 4.5], "mark:0:5:0": [2.0, 2.2]}
    assert [bar.get_gid() for bar in axes.patches] == ["mark:1:2:0", "mark:1:3:0"]
    faces = [to_hex(dots[f"mark:0:{k}:0"].get_markerfacecolor()) == palette.PAPER[0] for k in (2, 4, 5)]
    assert faces == [True, False, False]
    heights = [dots[f"mark:0:{k}:0"].get_ydata()[0] for k in (2, 4, 5)]
    assert heights == sorted(heights) and axes.get_ylim()[0] > heights[-1] and axes.get_ylim()[1] == 0
    joined = [
        list(line.get_xdata()) for line in axes.lines if not line.get_gid() and len(line.get_xdata()) == 2
    ]
    assert [2.0, 4.0] in joined and [2.0, 2.1] in joined
    assert pytest.approx([(1.2 * 1.6) ** 0.5, (1.1 * 1.3) ** 0.5]) in joined
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["toy", "R  plain / fast (2010)", "O  Statement of O."]


def test_without_forecasts_there_is_no_graph_of_them():
    assert view(RATIO, RANGE).turns == []


def test_both_readings_of_a_speed_up_stand_under_one_published_number():
    twin = {**RATIO, "id": "R-best", "reading": "best for best"}
    given = {**GIVEN, "R-best": {**GIVEN["R"], "verdict": "REPRODUCED", "value": 2.1, "interval": [2.0, 2.2]}}
    found = view({**RATIO, "reading": "as published"}, twin, given=given)
    _, lines = generations.lines(found)
    assert [line[1:4:2] for line in lines] == [["R", "as published"], ["R-best", "best for best"]]
    assert found.figure.headings[3:] == ["Box, as published", "Box, best for best"]
    cells = ["4.00 (3.50 to 4.50)", "2.10 (2.00 to 2.20)"]
    assert found.figure.lines == [["R. plain / fast", "2010", "2", *cells]]
    twins = csv.DictReader(io.StringIO(generations.csv(found)))
    assert [(line["reading"], line["Box: value"]) for line in twins] == [
        ("as published", "4"),
        ("best for best", "2.1"),
    ]


def test_claims_without_a_number_to_compare_are_listed_with_the_reason():
    found = view(
        claim("A", "absolute"),
        claim("B", "optimum"),
        claim("C", "ordering", published={"text": "slower"}),
        claim("D", "ordering", published={"low": 2.0}),
        claim("E", generations={"left_out": "an amount of work"}),
    )
    assert not found.speedups and not found.figure.wide
    reasons = ["a value of its own", "it asks which is best", "no number was published (slower)"]
    for said, reason in zip(
        found.left_out, [*reasons, "no number was published.", "an amount of work."], strict=True
    ):
        assert reason in said and "The claim: Statement of" in said


def test_a_machine_without_a_value_has_the_reason_and_no_mark(drawn):
    none = {"R": {"verdict": "NOT RUN", "value": None, "interval": None, "because": "no GPU here"}}
    found = view(RATIO, given=none)
    assert found.notes == ["R (plain / fast): no value on Box. No GPU here."]
    assert not found.figure.wide and not drawn
    assert found.figure.notes == [
        "This figure is left out: no machine measured any of the published speed-ups."
    ]


def test_the_papers_year_stands_in_where_the_hardwares_is_not_known():
    bare = toy.machine("bare", "Bare card (published)", [row("fast", {"n": 1}, 1.0)], published=True)
    study = {**toy.STUDY, "claims": [claim("R", generations={"published": ["bare"]})]}
    for paper, said in (({}, "year not known"), ({"year": 2013}, "paper of 2013")):
        made = {**study, "paper": paper}
        found = generations.of([(made, claims.of_study(made, [], {}))], [], {"bare": bare})
        assert found.speedups[0].source == f"Bare card ({said})" and found.speedups[0].year == said


def test_an_unknown_published_set_is_refused():
    with pytest.raises(InputError, match=r"claims\.R\.generations\.published: no results/published/gone/toy"):
        view(claim("R", generations={"published": ["gone"]}))


@pytest.mark.parametrize("place", [0, 1])
def test_marks_stand_at_their_values_on_a_logarithmic_axis(drawn, place):
    view(RATIO, RANGE, machines=(BOX, OTHER))
    (axes,) = drawn[place].axes
    assert axes.get_xscale() == "log"
    dots = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert dots == [2.0, 4.0, 4.0]
    bars = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    assert bars == [pytest.approx((1.2, 1.6)), *[pytest.approx((1.1, 1.3))] * 2]
    low, high = axes.get_xlim()
    assert low < 1 and high > 4.5
    assert {"published", "Box", "Other"} == {text.get_text() for text in drawn[place].legends[0].get_texts()}


def test_the_csv_is_in_full_precision():
    (first, second) = csv.DictReader(io.StringIO(generations.csv(view(RATIO, RANGE))))
    assert (first["published value"], first["Box: value"], first["Box: low"]) == ("2", "4", "3.5")
    assert (second["published low"], second["Box: value"], second["Box: status"]) == ("1.2", "", "estimate")


def test_every_declared_speed_up_has_a_short_label_and_published_hardware(schema):
    studies = read_studies(ROOT / "experiments")
    published = read_published(ROOT / "results", {study["id"] for study in studies}, schema)
    found = generations.of([(study, claims.of_study(study, [], {})) for study in studies], [], published)
    assert len(found.speedups) > 10
    for one in found.speedups:
        assert one.hardware and len(one.label) < 60, one.label
