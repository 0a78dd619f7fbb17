"""The report as a whole: the same bytes each time, every claim on it, and nothing to fetch."""

import base64
import hashlib
import re
from html.parser import HTMLParser

import gridworld
import pytest
import synthetic
from synthetic import ROOT

from gridmark_plots.__main__ import main


class Page(HTMLParser):
    """Collects tags, ids, links and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.code = [], "", ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        if self.tags and self.tags[-1] == ("script", {}) and not self.code:
            self.code = data
        self.text += data


def files_of(directory):
    return {path.relative_to(directory): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture(params=["rendered", "gridded", "compared", "sided"])
def page(request):
    directory = request.getfixturevalue(request.param)
    return Page((directory / "index.html").read_text(encoding="utf-8"))


def test_a_second_run_writes_the_same_bytes(rendered, tmp_path):
    arguments = synthetic.jacobi_world(tmp_path)
    assert main([*arguments, "--results", str(ROOT / "results"), "--out", str(tmp_path / "again")]) == 0
    assert files_of(tmp_path / "again") == files_of(rendered)


def test_a_second_run_of_lines_bars_and_slices_writes_the_same_bytes(gridded, tmp_path):
    assert main([*gridworld.world(tmp_path), "--out", str(tmp_path / "again")]) == 0
    assert files_of(tmp_path / "again") == files_of(gridded)


def test_every_image_has_alternative_text(page):
    images = [given for tag, given in page.tags if given.get("role") == "img" or tag == "img"]
    assert images
    assert all(len(given.get("aria-label") or given.get("alt") or "") > 40 for given in images)
    graphs = sum(given.get("class") == "graph" for _, given in page.tags)
    drawings = [given for tag, given in page.tags if tag == "svg" and given.get("aria-hidden") != "true"]
    assert len(images) == graphs and not drawings


def test_the_page_fetches_nothing_and_runs_its_own_script_alone(page):
    policy = next(given["content"] for _, given in page.tags if "http-equiv" in given)
    digest = base64.b64encode(hashlib.sha256(page.code.encode()).digest()).decode()
    assert policy.startswith("default-src 'none'") and f"script-src 'sha256-{digest}';" in policy
    for tag, given in page.tags:
        assert tag not in {"link", "iframe", "object", "embed"}
        assert tag != "script" or given in ({}, {"type": "application/json", "id": "samples"})
        assert not any(name.startswith("on") for name in given)
        for name in ("src", "href", "xlink:href"):
            if tag == "image" and given.get(name, "").startswith("data:image/png;base64,"):
                continue  # a drawing's own picture
            assert not re.match(r"(?:\w+:)?//|javascript:|data:", given.get(name) or "")


def test_no_file_names_an_address_of_another_host(rendered, gridded):
    for path, content in [*files_of(rendered).items(), *files_of(gridded).items()]:
        text = content.decode().replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
        assert "http" not in text and "@import" not in text and "url(/" not in text, path


def test_ids_are_unique_and_links_within_the_page_have_targets(page):
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert len(ids) == len(set(ids))
    for _, given in page.tags:
        if (given.get("href") or "").startswith("#"):
            assert given["href"][1:] in ids


def test_relative_links_lead_to_files_that_were_written(rendered, compared):
    for directory in (rendered, compared):
        page = Page((directory / "index.html").read_text())
        links = [
            given["href"] for tag, given in page.tags if tag == "a" and not given["href"].startswith("#")
        ]
        markdown = "".join(path.read_text() for path in directory.glob("*.md"))
        for link in links + re.findall(r"\]\(([^)]+)\)", markdown):
            assert (directory / link).is_file(), link


def test_wide_tables_scroll_in_a_named_region_that_the_keyboard_reaches(page):
    regions = [given for _, given in page.tags if given.get("class") == "scroll"]
    assert regions
    assert all(
        given["tabindex"] == "0" and given["role"] == "region" and given["aria-label"] for given in regions
    )


def test_verdicts_come_first_with_value_interval_and_estimate(rendered):
    for name in ("index.html", "report.md"):
        text = (rendered / name).read_text()
        page = re.sub(r"\s+", " ", Page(text).text if name.endswith("html") else text)
        first = page[page.index("Verdicts") : page.index("The stream function")]
        assert re.search(r"REPRODUCED\W+1\.34 \(1\.25 to 1\.45\)", first)
        assert re.search(r"NOT REPRODUCED\W+est\.\W+65\.5 \(62\.5 to 69\.5 %\)", first)
        assert first.count("NOT RUN") >= 3


def test_an_incomplete_machine_is_marked_wherever_it_is_used(rendered):
    """In the part of the one study that it has rows of; it was not run for the others."""
    html = (rendered / "index.html").read_text()
    start = html.index('<section class="part" id="jacobi"')
    part = html[start : html.index('<section class="part"', start + 1)]
    body = part.replace(" (INCOMPLETE)", ' <span class="mark">INCOMPLETE</span>')
    assert body.count(synthetic.CPU) > 10
    unmarked = re.findall(re.escape(synthetic.CPU) + r'(?! <span class="mark">INCOMPLETE)(.{20})', body)
    assert all(rest.startswith((":", '"')) for rest in unmarked), unmarked
    report = (rendered / "report.md").read_text()
    start = report.index("\n## Shared memory or the L1 cache")
    report = report[start : report.index("\n## ", start + 1)]
    assert report.count(synthetic.CPU) == report.count(f"{synthetic.CPU} (INCOMPLETE)") > 5
    for path in (rendered / "tables").glob("jacobi-*"):
        assert path.read_text().count(synthetic.CPU) == path.read_text().count(
            f"{synthetic.CPU} (INCOMPLETE)"
        )


def test_skipped_rows_are_a_sentence_and_not_a_column(rendered):
    text = (rendered / "tables" / "jacobi-table-1.md").read_text()
    sentence = f"{synthetic.CPU} (INCOMPLETE): all 14 rows were skipped: {synthetic.NO_GPU}."
    assert sentence in text and text.count(synthetic.CPU) == 1
    assert sentence in (rendered / "index.html").read_text()


def test_nulls_stand_beside_their_reasons(rendered):
    page = Page((rendered / "index.html").read_text()).text
    assert "not available: the driver of a made-up card does not tell" in page
    assert "not measured: this is made up too" in page
    assert f"not available: {synthetic.NO_GPU}" in page


def test_markup_in_the_data_stays_text(tmp_path):
    nasty = '<script>alert(1)</script> & "x"'
    arguments = synthetic.jacobi_world(tmp_path)
    synthetic.save(
        tmp_path / "results" / "synthetic-cpu" / "jacobi.json",
        synthetic.result(nasty, synthetic.jacobi_rows(False), experiment="jacobi"),
    )
    assert main([*arguments, "--results", str(ROOT / "results"), "--out", str(tmp_path / "out")]) == 0
    html = (tmp_path / "out" / "index.html").read_text()
    assert "<script>alert" not in html and "&lt;script&gt;" in html
    assert "<script" not in (tmp_path / "out" / "report.md").read_text().replace("\\<script", "")


def test_the_projects_own_studies_render_without_any_machine(tmp_path):
    assert main(["report", "--results", str(ROOT / "results"), "--out", str(tmp_path)]) == 0
    for study in (ROOT / "experiments").glob("*/study.json"):
        assert f'id="{study.parent.name}"' in (tmp_path / "index.html").read_text()
