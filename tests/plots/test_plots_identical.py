"""Committed results give the tables and figures that are on record, byte for byte, on any machine."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from synthetic import REFERENCE, ROOT

BINARY = Path(os.environ.get("GRIDMARK", ROOT / "build" / "gridmark"))
RECORD = ROOT / "results" / "report.sha256"


TASTE = "font.family: serif\naxes.linewidth: 4\nsavefig.bbox: tight\nlines.linestyle: --\nfigure.dpi: 300\n"


def drawing(out, project=ROOT, **environment):
    """A process that draws the report of the machines that come with the project, without solved fields."""
    assert BINARY.exists(), f"{BINARY} is not built: make build"
    listed = [sys.executable, project / "scripts" / "machines.py", "results/none"]
    machines = subprocess.check_output(listed, text=True).split()
    assert [ROOT / name for name in machines] == [REFERENCE]
    words = ["report", "--gridmark", BINARY, "--results", project / "results"]
    words += ["--machines", *(project / name for name in machines), "--out", out]
    return subprocess.Popen(
        [sys.executable, "-m", "gridmark_plots", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(project / "plots"), **environment},
        cwd=out.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    """Two drawings of it, made at the same time; one by a copy of the project that knows no git."""
    here = tmp_path_factory.mktemp("here") / "report"
    there = tmp_path_factory.mktemp("there") / "elsewhere"
    other = {"TZ": "Asia/Tokyo", "LC_ALL": "C", "COLUMNS": "40", "OMP_NUM_THREADS": "1"}
    other |= {"HOME": str(there.parent), "XDG_CONFIG_HOME": str(there.parent), "SOURCE_DATE_EPOCH": "1"}
    other |= {"MPLBACKEND": "nonsense"}
    (there.parent / "matplotlibrc").write_text(TASTE)  # the working folder, which Matplotlib asks first
    archive = tmp_path_factory.mktemp("archive")
    for entry in ROOT.iterdir():
        if entry.is_dir() and not entry.name.startswith((".", "build", "report")):
            unwanted = shutil.ignore_patterns("local*", "__pycache__")
            shutil.copytree(entry, archive / entry.name, ignore=unwanted)
    both = [drawing(here, PYTHONHASHSEED="1"), drawing(there, archive, PYTHONHASHSEED="2", **other)]
    for one in both:
        said = one.communicate()[1]
        assert one.returncode == 0, said
    return here, there


@pytest.fixture(scope="module")
def here(drawn):
    """One of them."""
    return drawn[0]


def test_a_copy_without_git_time_zone_language_and_hash_seed_change_no_byte(drawn):
    here, there = drawn
    files = sorted(path.relative_to(here) for path in here.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(there) for path in there.rglob("*") if path.is_file())
    assert len(files) > 50
    different = [str(name) for name in files if (here / name).read_bytes() != (there / name).read_bytes()]
    assert different == []


@pytest.mark.parametrize(
    ("place", "variables"),
    [
        ("matplotlibrc", {}),
        (".config/matplotlib/matplotlibrc", {"HOME": ""}),
        ("matplotlib/matplotlibrc", {"XDG_CONFIG_HOME": ""}),
        ("matplotlibrc", {"MPLCONFIGDIR": ""}),
        ("taste", {"MATPLOTLIBRC": "taste"}),
    ],
)
def test_nobodys_taste_changes_a_figure(tmp_path, place, variables):
    code = """from gridmark_plots.figures import canvas
print(canvas.draw(canvas.WIDE, 2, lambda figure, layout: figure.subplots().plot([1, 2], [3, 1])))"""

    def drawn(folder, **environment):
        return subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONPATH": str(ROOT / "plots"), **environment},
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    file = tmp_path / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(TASTE)
    where = ROOT if variables else tmp_path
    theirs = drawn(where, **{name: str(tmp_path / value) for name, value in variables.items()})
    assert theirs == drawn(ROOT) and "<svg" in theirs


def test_the_report_leaves_room_for_solved_fields_within_seven_megabytes(here):
    """The fields that figures show add 0.95 MB; solving them takes too long for a test."""
    assert sum(path.stat().st_size for path in here.rglob("*") if path.is_file()) < 7e6 - 0.95e6


def test_tables_and_figures_are_those_on_record(here):
    sums = (here / "SHA256SUMS").read_text().splitlines()
    recorded = RECORD.read_text().splitlines()
    changed = sorted({line.split()[1] for line in set(sums) ^ set(recorded)})
    assert changed == [], "make record writes the new ones down"


def test_the_sums_are_those_of_the_files(here):
    done = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=here, check=False)
    assert done.returncode == 0
    named = {line.split()[1] for line in (here / "SHA256SUMS").read_text().splitlines()}
    folders = [here / "tables", here / "figures"]
    assert named == {str(path.relative_to(here)) for folder in folders for path in folder.iterdir()}


def test_the_picture_of_the_readme_is_on_record():
    digest = hashlib.sha256((ROOT / "docs" / "report.svg").read_bytes()).hexdigest()
    assert f"{digest}  figures/generations-speedups.svg" in RECORD.read_text().splitlines()
