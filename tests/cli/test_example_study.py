"""examples/study, built where it lies and driven like any study."""

import json
import os
import re
import subprocess
import sys

import pytest
import rod
from conftest import BINARY, ROOT, SHARED, Program, complaint

EXAMPLE = BINARY.with_name("gridmark_example")
VARIANTS = ["cpu_openmp", "gpu_plain"]


@pytest.fixture
def example(tmp_path):
    """The program of that study alone."""
    assert EXAMPLE.exists(), f"{EXAMPLE} is not built: make build-all"
    return Program(tmp_path, EXAMPLE)


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """The program, with a run's results."""
    measured = Program(tmp_path_factory.mktemp("measured"), EXAMPLE)
    done = measured("run", SHARED, "--preset", "quick", "--out", measured.out)
    assert done.returncode == 0, done.stderr
    return measured


def rows(program):
    return json.loads((program.out / "diffusion.json").read_text())["rows"]


def test_the_program_has_the_example_and_gridmark_has_not(example, program):
    def listed(binary):
        return {e["id"]: e for e in json.loads(binary("list", "--json").stdout)["experiments"]}

    found = listed(example)
    assert set(found) == {"diffusion"}
    assert [v["name"] for v in found["diffusion"]["variants"]] == VARIANTS
    assert [claim["id"] for claim in found["diffusion"]["claims"]] == ["D1"]
    assert set(listed(program)) == {file.parent.name for file in (ROOT / "experiments").glob("*/study.json")}


def test_rows_are_verified_and_timed(measured):
    timed = [row for row in rows(measured) if row["variant"] == "cpu_openmp"]
    assert len(timed) == 4
    for row in timed:
        assert row["status"] in ("ok", "estimate")
        assert row["median"] > 0
        assert 0 <= row["verification"]["error"] <= row["verification"]["tolerance"] < 1e-5
        n, word = row["parameters"]["n"], 4 if row["parameters"]["precision"] == "float" else 8
        assert (row["bytes"], row["flops"]) == (2 * word * n, 5 * n)
    others = [row for row in rows(measured) if row["variant"] == "gpu_plain"]
    assert len(others) == 8
    assert all(row["median"] is not None or row["reason"] for row in others)


def test_the_claim_gets_a_verdict(measured):
    (claim,) = json.loads(measured("claims", "--json", "--machine", measured.out).stdout)["claims"]
    assert claim["verdict"] in ("REPRODUCED", "TREND ONLY", "NOT REPRODUCED", "INCONCLUSIVE")
    time = {r["name"]: r["median"] for r in rows(measured)}
    name = "diffusion/cpu_openmp/1000000/{}/all_threads/wall"
    assert claim["value"] == pytest.approx(time[name.format("double")] / time[name.format("float")])


def test_the_report_has_its_table_figure_and_claim(measured, tmp_path):
    (tmp_path / "results" / "published").mkdir(parents=True)
    words = ["report", "--experiments", ROOT / "examples" / "study" / "experiments"]
    words += ["--gridmark", EXAMPLE, "--results", tmp_path / "results", "--machines", measured.out]
    done = subprocess.run(
        [sys.executable, "-m", "gridmark_plots", *map(str, words), "--out", str(tmp_path / "report")],
        env=os.environ | {"PYTHONPATH": str(ROOT / "plots")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = (tmp_path / "report" / "tables" / "diffusion-steps.csv").read_text().splitlines()
    assert [line.split(",")[:2] for line in table[1:5]] == [
        [n, precision] for n in ("1000000", "1048576") for precision in ("float", "double")
    ]
    assert (tmp_path / "report" / "figures" / "diffusion-sizes.svg").exists()
    page = (tmp_path / "report" / "index.html").read_text()
    assert "single precision halves its time" in page
    assert "can mean 1000000 or 1048576" in page


@pytest.mark.parametrize("precision", ["float", "double"])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("n", [2, 97, 256, 1003])
def test_solve_equals_numpy(example, tmp_path, variant, precision, n):
    settings = [f"n={n}", "steps=37", "r=0.4", "seed=5", f"precision={precision}"]
    u, u0, p = rod.solve(example, tmp_path, "diffusion", variant, *settings)
    assert u.shape == u0.shape == (n,)
    assert (p["n"], p["steps"], p["r"], p["seed"], p["variant"]) == (n, 37, 0.4, 5, variant)
    assert abs(u - rod.recomputed(u0, p)).max() <= rod.bound(p)
    assert n == 2 or abs(u - u0).max() > 0.1  # it did something


def test_the_guides_solve_works(example, tmp_path):
    guide = (ROOT / "docs" / "add-a-study.md").read_text()
    (line,) = re.findall(r"^build/gridmark (solve wave .*)$", guide, re.M)
    words = line.replace("wave", "diffusion").replace("u.h5", str(tmp_path / "u.h5")).split()
    done = example(*words)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "u.h5").exists()


@pytest.mark.parametrize(
    "setting, word", [("r=0.6", "r must"), ("n=1", "n=1"), ("precision=half", "precision"), ("m=3", "seed")]
)
def test_bad_settings_are_refused(example, tmp_path, setting, word):
    out = tmp_path / "u.h5"
    done = example("solve", "diffusion", "--variant", "cpu_openmp", "--set", setting, "--out", out)
    assert word in complaint(done)
    assert not out.exists()
