"""A study as scripts/new-study.sh starts it, but with wrong kernels (tests/new_study): it gets no time."""

import json

import pytest
import rod
from conftest import BINARY, SHARED, Program

WRONG = BINARY.with_name("gridmark_wrong")


@pytest.fixture
def wrong(tmp_path):
    assert WRONG.exists(), f"{WRONG} is not built: make build-all"
    return Program(tmp_path, WRONG)


def test_a_wrong_coefficient_gets_no_time(wrong):
    assert wrong("run", SHARED, "--preset", "quick", "--out", wrong.out).returncode == 1
    rows = json.loads((wrong.out / "wrong_diffusion.json").read_text())["rows"]
    timed = [row for row in rows if row["variant"] == "cpu_openmp"]
    assert len(timed) == 4
    for row in timed:
        assert (row["status"], row["median"], row["samples"]) == ("failed", None, [])
        assert "wrong answer" in row["reason"]
        assert row["verification"]["error"] > 100 * row["verification"]["tolerance"]
    (claim,) = json.loads(wrong("claims", "--json", "--machine", wrong.out).stdout)["claims"]
    assert claim["verdict"] == "NOT RUN"
    assert "wrong answer" in claim["because"]


@pytest.mark.parametrize("variant", ["cpu_openmp", "gpu_plain"])
def test_numpy_finds_the_wrong_coefficient(wrong, tmp_path, variant):
    u, u0, p = rod.solve(wrong, tmp_path, "wrong_diffusion", variant, "n=97", "steps=3")
    assert abs(u - rod.recomputed(u0, p)).max() > 100 * rod.bound(p)
