"""What README.md and docs/ say was measured is what the committed results give (scripts/documents.py)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("GRIDMARK", ROOT / "build" / "gridmark"))
sys.path.insert(0, str(ROOT / "scripts"))

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
        documents.row("jacobi/none")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1334.2, "1334"), (99.96, "100"), (12.04, "12.0"), (0.2889, "0.289"), (2.2454, "2.25")],
)
def test_digits(value, shown):
    assert documents.digits(value) == shown


def test_the_command_says_that_all_is_up_to_date():
    words = [sys.executable, ROOT / "scripts" / "documents.py", "--check", "--gridmark", BINARY]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "documents: all up to date\n"), done.stderr


def test_readme_is_short():
    """A newcomer reads it in a few minutes."""
    text = (ROOT / "README.md").read_text()
    assert len(text.split()) <= 900
    assert len(text.splitlines()) <= 120
    assert max(map(len, text.splitlines())) <= 130
