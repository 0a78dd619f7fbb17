"""What README.md and docs/ say was measured is what the committed results give (scripts/documents.py);
docs/dependencies.md names every dependency with its licence, and every one is fixed."""

import os
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("GRIDMARK", ROOT / "build" / "gridmark"))
sys.path.insert(0, str(ROOT / "scripts"))

import committed  # noqa: E402
import documents  # noqa: E402


@pytest.fixture(scope="module")
def template():
    """The parts, with the program's verdicts."""
    return documents.environment(BINARY).get_template(documents.TEMPLATE)


@pytest.mark.parametrize("path", documents.documents(), ids=lambda path: path.name)
def test_generated_parts_are_what_the_results_give(path, template):
    text = path.read_text()
    assert documents.filled(text, template, path.name) == text, "make documents writes it anew"


def test_every_part_is_used(template):
    text = "".join(path.read_text() for path in documents.documents())
    for name in template.blocks:
        assert f"<!-- generated: {name.replace('_', '-')} -->" in text


def test_a_changed_number_is_written_anew(template):
    text = (ROOT / "README.md").read_text()
    first = documents.PART.search(text)
    damaged = text[: first.start(3)] + "| 42 |\n" + text[first.end(3) :]
    assert documents.filled(damaged, template, "README.md") == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<!-- generated: nothing -->\n<!-- end -->\n", "unknown part nothing"),
        ("<!-- generated: then-and-now -->\n", "without its partner"),
        ("text <!-- end -->\n", "without its partner"),
    ],
)
def test_markers_that_cannot_be_followed_are_refused(text, reason, template):
    with pytest.raises(documents.DocumentError, match=reason):
        documents.filled(text, template, "page.md")


def test_a_row_that_was_not_measured_is_refused():
    with pytest.raises(documents.DocumentError, match="no number for jacobi/none"):
        committed.row("jacobi/none")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1334.2, "1334"), (99.96, "100"), (12.04, "12.0"), (0.2889, "0.289"), (2.2454, "2.25")],
)
def test_digits(value, shown):
    assert committed.digits(value) == shown


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("0.97 to 1.31 over 7 pairs; 1.04 by step/graph (32x32 / 32x4)", "0.97 to 1.31"),
        ("52.9 (cpu_wavefront / gpu_blocked_3)", "52.9"),
        ("gpu_no_shared with 79.14 us; gpu_generated_borders has 83.36", "gpu_no_shared"),
        ("64.5 to 64.7 %", "64.5 to 64.7 %"),
        ("", ""),
    ],
)
def test_the_number_of_what_was_measured(words, shown):
    assert documents.number(words) == shown


def test_verdicts_are_those_of_all_committed_sets():
    sets = committed.measured_sets()
    folders = {path.name for path in (ROOT / "results" / "repeats").iterdir()}
    assert {one["short"] for one in sets[1:]} == {name.removeprefix("nvidia-") for name in folders}
    assert sets[0]["name"] == documents.REFERENCE
    assert [one["dates"] for one in sets[1:]] == sorted(one["dates"] for one in sets[1:])


def decided(*verdicts):
    """A set's claims C0, C1 ... with these verdicts."""
    return {f"C{k}": {"verdict": verdict, "because": ""} for k, verdict in enumerate(verdicts)}


def test_a_claim_differs_between_the_sets_that_measured_it():
    claims = documents.Claims(BINARY)
    claims.decided = {
        documents.REFERENCE: decided("REPRODUCED", "REPRODUCED", "REPRODUCED"),
        "other": decided("REPRODUCED", "NOT RUN", "INCONCLUSIVE"),
    }
    assert list(claims.differing([documents.REFERENCE, "other"])) == ["C2"]


def test_claims_of_which_the_other_clock_reverses_a_pair_are_named():
    claims = documents.Claims(BINARY)
    claims.decided = {documents.REFERENCE: decided("INCONCLUSIVE", "REPRODUCED")}
    claims.decided[documents.REFERENCE]["C0"]["because"] = (
        "not resolved in 1 (a / b); in 2 of 7 pairs the other clock says the other side"
    )
    assert claims.reversed_claims() == ["C0"]
    # The words are the program's: where they change, this must follow.
    source = (ROOT / "harness" / "verdicts" / "claims.cpp").read_text()
    assert "pairs the other clock says the other side" in source


def test_two_clocks_compare_the_same_work(monkeypatch):
    def timed(name, median, clock, **parameters):
        return {
            "name": f"study/{name}",
            "variant": name.split("/")[0],
            "clock": clock,
            "quantity": "time",
            "median": median,
            "unit": "us",
            "parameters": parameters,
        }

    held = [
        timed("a/1/hot", 5.0, "kernel", n=1, cache="hot"),
        timed("a/1/graph", 4.0, "step", n=1, launch="graph"),
        timed("a/1/cold", 9.0, "kernel", n=1, cache="cold"),
        timed("a/2/hot", 4.02, "kernel", n=2, cache="hot"),
        timed("a/2/graph", 4.0, "step", n=2, launch="graph"),
        timed("a/2/stream", 1.0, "step", n=2, launch="stream"),
        timed("b/1/hot", 3.0, "kernel", n=1, cache="hot"),
        timed("b/1/graph", 4.0, "step", n=1, launch="graph"),
        timed("b/2/hot", 9.0, "kernel", n=2, cache="hot"),
    ]
    ceilings = [{"name": "gpu_empty_kernel", "value": 0.9}, {"name": "gpu_graph_node", "value": 0.8}]
    monkeypatch.setattr(committed, "rows", lambda machine, study: {one["name"]: one for one in held})
    monkeypatch.setattr(committed, "contexts", lambda machine: {"study": {"ceilings": ceilings}})
    found = committed.two_clocks("study")
    assert (found["pairs"], found["above"], found["beyond_1_percent"], found["beyond_empty"]) == (3, 2, 1, 1)
    assert (found["most"], found["empty"], found["node"]) == (1.0, 0.9, 0.8)


def test_a_host_is_named_by_its_cores_worth(monkeypatch):
    peaks = {"one_thread": 10.0, "all_threads": 79.0}
    ceilings = [
        {"name": f"cpu_fma_peak_{precision}_{team}", "value": value}
        for precision in ("float", "double")
        for team, value in peaks.items()
    ]
    context = {"cpu": {"logical_cores": 16}, "ceilings": ceilings}
    monkeypatch.setattr(committed, "contexts", lambda machine: {"heat": context})
    assert committed.host() == "16 virtual CPUs, 7.9 to 7.9 cores' worth of arithmetic"


def test_the_command_says_that_all_is_up_to_date():
    words = [sys.executable, ROOT / "scripts" / "documents.py", "--check", "--gridmark", BINARY]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "documents: all up to date\n"), done.stderr


def test_readme_is_short():
    """A newcomer reads it in a few minutes: some 900 words."""
    text = (ROOT / "README.md").read_text()
    assert len(text.split()) <= 950
    assert len(text.splitlines()) <= 120
    assert max(len(line) for line in text.splitlines() if not line.startswith("|")) <= 130


# --- dependencies


DEPENDENCIES = (ROOT / "docs" / "dependencies.md").read_text()


def listed(heading):
    """The licences in the table below a heading, by package."""
    section = DEPENDENCIES.split(f"## {heading}\n")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines() if "| `" in line
    ]
    place = 2 if heading == "System packages" else 1
    return {row[0].strip("`"): row[place] for row in rows}


def requirements(folder="plots"):
    """Lines of the requirements without comments."""
    lines = (ROOT / folder / "requirements.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_every_system_package_is_listed():
    script = (ROOT / "scripts" / "install.sh").read_text()
    installed = set(re.findall(r"\[([a-z0-9+-]+)\]=", script))
    assert "libhdf5-dev" in installed
    assert set(listed("System packages")) == installed
    assert all(listed("System packages").values())


@pytest.mark.parametrize(("heading", "folder"), [("Python packages", "plots"), ("ReFrame", "cluster")])
def test_every_python_package_is_pinned_and_listed(heading, folder):
    pinned = requirements(folder)
    assert all(re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9.]+(post[0-9]+)?", line) for line in pinned)
    assert set(listed(heading)) == {line.split("==")[0] for line in pinned}
    assert all(listed(heading).values())


def test_nothing_that_a_pinned_package_needs_is_left_open():
    pinned = {re.sub("[-_.]+", "-", line.split("==")[0]).lower() for line in requirements()}
    for name in pinned:
        for need in metadata.requires(name) or []:
            if ";" not in need:  # without a condition: always installed
                wanted = re.match(r"[A-Za-z0-9_.-]+", need)[0]
                assert re.sub("[-_.]+", "-", wanted).lower() in pinned, f"{name} needs {need}"


@pytest.mark.parametrize(("name", "licence"), listed("Python packages").items())
def test_licences_are_what_the_packages_say(name, licence):
    about = metadata.metadata(name)
    said = [about.get("License-Expression") or "", about.get("License") or ""]
    said += [line for line in about.get_all("Classifier") or [] if line.startswith("License")]
    word = {"PSF-2.0": "PSF|Python Software Foundation"}.get(licence, licence.split("-")[0])
    assert re.search(word, " ".join(said)), said
