"""templates/study: copied by scripts/new-study.sh, built and driven like any study; and a copy whose kernels
are wrong."""

import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT, TOYS, complaint
from solving import Solving

# --- whole copies, and ids that are refused


TEMPLATE = ROOT / "templates" / "study"
PARTS = ("kernels", "experiments", "tests")


def new_study(*words):
    return subprocess.run(
        [str(ROOT / "scripts" / "new-study.sh"), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def letters(text):
    """A text's characters, less what clang-format may change: white space, breaks of strings and comments,
    and the order of includes."""
    return sorted(re.sub(r'[\s"/]', "", text))


@pytest.mark.parametrize("id", ["w", "wave_2", "a_rather_long_name_of_a_study"])
def test_a_copy_is_whole_and_well_formed(tmp_path, id):
    done = new_study(id, tmp_path)
    assert done.returncode == 0, done.stderr
    for part in PARTS:
        files = {file.name: file for file in (TEMPLATE / part / "diffusion").iterdir()}
        copies = {file.name: file for file in (tmp_path / part / id).iterdir()}
        assert set(copies) == set(files)
        for name, file in files.items():
            assert letters(copies[name].read_text()) == letters(file.read_text().replace("diffusion", id))
    if shutil.which("clang-format"):
        sources = [file for file in tmp_path.rglob("*") if file.suffix in (".cpp", ".hpp", ".cu")]
        style = f"--style=file:{ROOT / '.clang-format'}"
        subprocess.run(["clang-format", style, "--dry-run", "--Werror", *map(str, sources)], check=True)


@pytest.mark.parametrize(
    "id, reason",
    [
        ("", "a letter first"),
        ("Wave", "lower-case"),
        ("2d", "a letter first"),
        ("_wave", "a letter first"),
        ("shallow-water", "lower-case"),
        ("../wave", "lower-case"),
        ("wave two", "lower-case"),
        ("double", "a word of C++"),
        ("std", "a namespace"),
        ("harness", "a namespace"),
        ("embedded", "a namespace"),
        ("testing", "a namespace"),
    ],
)
def test_bad_ids_are_refused(tmp_path, id, reason):
    done = new_study(id, tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("new-study: ")
    assert len(done.stderr.splitlines()) == 1
    assert id in done.stderr
    assert reason in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [[], ["wave", "one", "two"]])
def test_wrong_arguments_are_refused(arguments):
    done = new_study(*arguments)
    assert done.returncode == 2
    assert done.stderr == "new-study: scripts/new-study.sh ID [FOLDER]: which id shall the study have?\n"


@pytest.mark.parametrize("part", PARTS)
def test_what_is_there_stays(tmp_path, part):
    mine = tmp_path / part / "wave" / "mine.cpp"
    mine.parent.mkdir(parents=True)
    mine.write_text("precious")
    done = new_study("wave", tmp_path)
    assert (done.returncode, done.stderr) == (2, f"new-study: {part}/wave is there already\n")
    assert [file for file in tmp_path.rglob("*") if file.is_file()] == [mine]
    assert mine.read_text() == "precious"


def test_the_repositorys_own_studies_are_there():
    before = {part: sorted((ROOT / part / "heat").iterdir()) for part in PARTS}
    assert new_study("heat").stderr == "new-study: kernels/heat is there already\n"
    assert before == {part: sorted((ROOT / part / "heat").iterdir()) for part in PARTS}


# --- copies that are built and driven


VARIANTS = ["cpu_openmp", "gpu_plain"]


def rows(toys, study):
    return json.loads((toys.out / f"{study}.json").read_text())["rows"]


def solve(toys, tmp_path, study, variant, *settings):
    with Solving(study)(toys, tmp_path, variant, *settings) as file:
        return file["u"][:], file["u0"][:], dict(file["parameters"].attrs)


def recomputed(u, p):
    """The steps in double; the ends stay."""
    u = u.astype(np.float64)
    for _ in range(p["steps"]):
        u[1:-1] += p["r"] * (u[:-2] - 2 * u[1:-1] + u[2:])
    return u


def bound(p):
    epsilon = np.finfo(np.float32 if p["precision"] == "float" else np.float64).eps
    return p["steps"] * (15 * p["r"] + 1) * epsilon


def test_the_program_has_the_copies_and_gridmark_has_not(toys, program):
    def listed(binary):
        return {e["id"]: e for e in json.loads(binary("list", "--json").stdout)["experiments"]}

    found = listed(toys)
    assert set(found) == {"toy_diffusion", "toy_broken"}
    toy = found["toy_diffusion"]
    assert [v["name"] for v in toy["variants"]] == VARIANTS
    assert [claim["id"] for claim in toy["claims"]] == ["D1"]
    assert set(listed(program)) == {file.parent.name for file in (ROOT / "experiments").glob("*/study.json")}


def test_rows_are_verified_and_timed(toys):
    measured = [row for row in rows(toys, "toy_diffusion") if row["variant"] == "cpu_openmp"]
    assert len(measured) == 4
    for row in measured:
        assert row["status"] in ("ok", "estimate")
        assert row["median"] > 0
        assert 0 <= row["verification"]["error"] <= row["verification"]["tolerance"] < 1e-5
        n, word = row["parameters"]["n"], 4 if row["parameters"]["precision"] == "float" else 8
        assert (row["bytes"], row["flops"]) == (2 * word * n, 5 * n)
    others = [row for row in rows(toys, "toy_diffusion") if row["variant"] == "gpu_plain"]
    assert len(others) == 8
    assert all(row["median"] is not None or row["reason"] for row in others)


def test_a_wrong_coefficient_gets_no_time(toys):
    assert toys.run.returncode == 1
    timed = [row for row in rows(toys, "toy_broken") if row["variant"] == "cpu_openmp"]
    assert len(timed) == 4
    for row in timed:
        assert (row["status"], row["median"], row["samples"]) == ("failed", None, [])
        assert "wrong answer" in row["reason"]
        assert row["verification"]["error"] > 100 * row["verification"]["tolerance"]


def test_the_claim_gets_a_verdict(toys):
    answer = json.loads(toys("claims", "--json", "--machine", toys.out).stdout)
    claims = {claim["experiment"]: claim for claim in answer["claims"]}
    right, wrong = claims["toy_diffusion"], claims["toy_broken"]
    assert right["verdict"] in ("REPRODUCED", "TREND ONLY", "NOT REPRODUCED", "INCONCLUSIVE")
    time = {r["name"]: r["median"] for r in rows(toys, "toy_diffusion")}
    name = "toy_diffusion/cpu_openmp/1000000/{}/wall"
    assert right["value"] == pytest.approx(time[name.format("double")] / time[name.format("float")])
    assert wrong["verdict"] == "NOT RUN"
    assert "wrong answer" in wrong["because"]


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 97, 256, 1003])
def test_solve_equals_numpy(toys, tmp_path, variant, precision, n):
    settings = [f"n={n}", "steps=37", "r=0.4", "seed=5", f"precision={precision}"]
    u, u0, p = solve(toys, tmp_path, "toy_diffusion", variant, *settings)
    assert u.shape == u0.shape == (n,)
    assert (p["n"], p["steps"], p["r"], p["seed"], p["variant"]) == (n, 37, 0.4, 5, variant)
    assert np.abs(u - recomputed(u0, p)).max() <= bound(p)
    assert n == 2 or np.abs(u - u0).max() > 0.1  # it did something


@pytest.mark.parametrize("variant", VARIANTS)
def test_numpy_finds_the_wrong_coefficient(toys, tmp_path, variant):
    u, u0, p = solve(toys, tmp_path, "toy_broken", variant, "n=97", "steps=3")
    assert np.abs(u - recomputed(u0, p)).max() > 100 * bound(p)


@pytest.mark.parametrize(
    "setting, word", [("r=0.6", "r must"), ("n=1", "n=1"), ("precision=half", "precision"), ("m=3", "seed")]
)
def test_bad_settings_are_refused(toys, tmp_path, setting, word):
    out = tmp_path / "u.h5"
    done = toys("solve", "toy_diffusion", "--variant", "cpu_openmp", "--set", setting, "--out", out)
    assert word in complaint(done)
    assert not out.exists()


def test_the_report_has_its_table_figure_and_claim(toys, tmp_path):
    (tmp_path / "results" / "published").mkdir(parents=True)
    words = ["report", "--experiments", TOYS.parent / "tests" / "template" / "toys" / "experiments"]
    words += ["--gridmark", TOYS, "--results", tmp_path / "results", "--machines", toys.out]
    done = subprocess.run(
        [sys.executable, "-m", "gridmark_plots", *map(str, words), "--out", str(tmp_path / "report")],
        env=os.environ | {"PYTHONPATH": str(ROOT / "plots")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = (tmp_path / "report" / "tables" / "toy_diffusion-steps.csv").read_text().splitlines()
    assert [line.split(",")[:2] for line in table[1:5]] == [
        [n, precision] for n in ("1000000", "1048576") for precision in ("float", "double")
    ]
    assert (tmp_path / "report" / "figures" / "toy_diffusion-sizes.svg").exists()
    page = (tmp_path / "report" / "index.html").read_text()
    assert "single precision halves its time" in page
    assert "can mean 1000000 or 1048576" in page
