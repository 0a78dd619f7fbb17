"""The page of all verdicts: every claim with each of its parts; and the opening's cards."""

import html
import json
import re

import pytest
import synthetic
import toy
from synthetic import ROOT

from gridmark_plots import render
from gridmark_plots.__main__ import main

STUDIES = [json.loads(path.read_text()) for path in sorted((ROOT / "experiments").glob("*/study.json"))]
CLAIMS = [(study, claim) for study in STUDIES for claim in study["claims"]]


def articles(page):
    """{id: text} of the claims on a page."""
    found = re.findall(r'<article class="claim" id="([^"]+)".*?</article>', page, re.S)
    parts = re.findall(r'<article class="claim".*?</article>', page, re.S)
    texts = [html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", part))) for part in parts]
    return dict(zip(found, texts, strict=True))


@pytest.fixture(scope="module")
def verdicts(rendered):
    return articles((rendered / "verdicts.html").read_text())


def test_every_claim_of_every_study_has_one_article_there_and_one_in_the_report(rendered, verdicts):
    names = [f"{study['id']}-claim-{claim['id']}" for study, claim in CLAIMS]
    assert list(verdicts) == names
    assert list(articles((rendered / "index.html").read_text())) == names


@pytest.mark.parametrize(("study", "claim"), CLAIMS, ids=[claim["id"] for _, claim in CLAIMS])
def test_a_claim_has_quote_place_published_verdict_why_and_errata(verdicts, study, claim):
    text = verdicts[f"{study['id']}-claim-{claim['id']}"]
    said = [claim["quote"], claim["place"], claim["published"]["text"], claim["why"]]
    said += [one["text"] for one in study["errata"] if claim["id"] in one["claims"]]
    for part in said:
        assert " ".join(part.split()) in text
    for machine in (synthetic.GPU, synthetic.CPU):
        assert machine in text


def test_verdict_value_and_interval_stand_by_the_machine(verdicts):
    assert re.search(r"REPRODUCED ?1\.34 \(1\.25 to 1\.45\)", verdicts["jacobi-claim-J1"])
    assert "NOT REPRODUCED" in verdicts["jacobi-claim-J2"] and "est." in verdicts["jacobi-claim-J2"]
    assert "NOT RUN" in verdicts["jacobi-claim-J3"]


def test_the_markdown_holds_the_same(rendered):
    text = (rendered / "verdicts.md").read_text().replace("\\", "")
    for study, claim in CLAIMS:
        assert f"### {claim['id']}. {claim['statement']}" in text
        for part in (claim["quote"], claim["place"], claim["why"]):
            assert part in text
        for one in study["errata"]:
            assert not one["claims"] or one["text"] in text


def test_the_report_leads_there_and_back(rendered):
    assert 'href="verdicts.html"' in (rendered / "index.html").read_text()
    page = (rendered / "verdicts.html").read_text()
    ids = set(re.findall(r' id="([^"]+)"', (rendered / "index.html").read_text()))
    targets = re.findall(r'href="index\.html#([^"]+)"', page)
    assert targets and ids.issuperset(targets)


def limited(root, limits):
    """A world whose first claim has these limits."""
    arguments = synthetic.jacobi_world(root)
    file = root / "verdicts-gpu.json"
    saved = json.loads(file.read_text())
    saved["claims"][0] |= {"limits": limits, "why": "told by the binary"}
    synthetic.save(file, saved)
    return main([*arguments, "--results", str(ROOT / "results"), "--out", str(root / "out")])


def test_limits_are_printed_where_they_are_known(tmp_path):
    assert limited(tmp_path, "gpu_shared 45 % of gpu_l2_bandwidth; gpu_no_shared 52 %") == 0
    for name in ("index.html", "verdicts.html"):
        text = articles((tmp_path / "out" / name).read_text())["jacobi-claim-J1"]
        assert text.count("Limits here: gpu_shared 45 % of gpu_l2_bandwidth; gpu_no_shared 52 %.") == 1
        assert "told by the binary" not in text  # the study's own words count
    assert "Limits here: gpu\\_shared 45 %" in (tmp_path / "out" / "verdicts.md").read_text()


def test_unknown_limits_are_not_mentioned(tmp_path):
    assert limited(tmp_path, "") == 0
    assert "Limits here" not in (tmp_path / "out" / "verdicts.html").read_text()


def test_limits_that_are_no_text_are_refused(tmp_path, capsys):
    assert limited(tmp_path, 0.45) == 2
    assert "claims[0].limits: 0.45 is not of type" in capsys.readouterr().err


def test_every_study_has_a_card_with_then_today_and_what_decides(rendered):
    page = (rendered / "index.html").read_text()
    cards = dict(
        re.findall(r'<article class="card" aria-labelledby="card-(\w+)">(.*?)</article>', page, re.S)
    )
    assert list(cards) == [study["id"] for study in STUDIES]
    for study in STUDIES:
        text = html.unescape(cards[study["id"]])
        assert study["story"]["plain"] in text and study["story"]["since"] in text
        assert study["paper"]["headline"][1:] in text
        for cause in study["causes"]:
            assert f'href="#cause-{cause["id"]}"' in text
    today = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", cards["jacobi"]))
    assert re.search(r"REPRODUCED ?J1 ?TREND ONLY ?J4 ?NOT REPRODUCED ?J2 ?INCONCLUSIVE ?J3", today)
    assert set(re.search(r"NOT RUN ((J\d(, )?)+)", today)[1].split(", ")) == {"J1", "J2", "J3", "J4"}


def test_a_figure_says_which_one_of_the_paper_it_is(rendered):
    page = (rendered / "index.html").read_text()
    for study in STUDIES:
        for spec in study["figures"]:
            found = re.search(rf'<h4 id="{study["id"]}-figure-{spec["id"]}">(.*?)</h4>', page)[1]
            assert spec["title"] in html.unescape(found)
            assert html.unescape(found).startswith(f'<span class="eyebrow">{spec.get("paper")}') == (
                "paper" in spec
            )


def test_the_tally_counts_every_claim_once(rendered):
    page = (rendered / "index.html").read_text()
    tallies = re.search(r'<ul class="tallies">.*?</li>\s*</ul>\s*</li>\s*</ul>', page, re.S)[0]
    counted = [claim for _, claim in CLAIMS if "counts_with" not in claim]
    assert len(counted) < len(CLAIMS)
    assert sum(map(int, re.findall(r"<b>(\d+)</b>", tallies))) == 2 * len(counted)


@pytest.mark.parametrize(("lines", "folded"), [(40, False), (41, True)])
def test_long_tables_fold_and_say_how_long_they_are(lines, folded):
    rows = [synthetic.row("plain", {"n": n}, 2.0) for n in range(1, lines + 1)]
    table = toy.table([toy.machine("m", "New box", rows)])
    page = render._environment(True).get_template("macros.html.j2").module.data_table(table)
    assert (f"<summary>{lines} lines</summary>" in page) == folded == ("<details>" in page)
    assert page.count("<tr>") == lines + 2


def test_the_page_is_whole_by_itself(rendered):
    page = (rendered / "verdicts.html").read_text()
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert page.count("<script") == 1 and "http" not in page.replace("http-equiv", "")
