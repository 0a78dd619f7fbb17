"""What a run is asked for and is not there: a filter without a match, a GPU's number."""

import json

import pytest
from conftest import complaint
from test_outputs import SOLVE

COMMANDS = {
    "run": ["run", "jacobi", "--out", "{}"],
    "dry run": ["run", "jacobi", "--dry-run"],
    "solve": [*SOLVE, "--out", "{}"],
    "machine": ["machine"],
    "benchmark": ["benchmark", "jacobi", "--benchmark_filter=cpu", "--benchmark_list_tests"],
}


@pytest.mark.parametrize("number", ["-1", "1000"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_gpu_that_is_not_there_is_refused_at_once(program, tmp_path, command, number):
    out = tmp_path / "out"
    words = [word.format(out) for word in COMMANDS[command]]
    done = program(*words, "--device", number, timeout=30)
    assert f"--device {number}: there is no such GPU" in complaint(done)
    assert done.stdout == ""
    assert not out.exists()


def test_the_first_gpu_may_be_named_where_there_is_none(program, tmp_path):
    assert program(*SOLVE, "--device", "0", "--out", tmp_path / "out").returncode == 0
    assert program("run", "jacobi", "--device", "0", "--dry-run").returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["run", "jacobi", "--out", "{}"],
        ["run", "--out", "{}"],
        ["run", "--dry-run"],
        ["run", "jacobi", "--axis", "nx=64", "--out", "{}"],
    ],
)
def test_a_filter_that_matches_nothing_is_refused_before_anything_is_measured(program, tmp_path, words):
    out = tmp_path / "out"
    done = program(*(word.format(out) for word in words), "--filter", "no_such_row", timeout=30)
    assert "--filter no_such_row: no row of " in complaint(done)
    assert done.stdout == ""
    assert not out.exists()


def test_a_filter_that_matches_only_what_cannot_run_here_is_no_error(program):
    listed = json.loads(program("list", "jacobi", "--json").stdout)["experiments"][0]["variants"]
    if all(variant["available"] for variant in listed):
        pytest.skip("there is a GPU")
    done = program("run", "jacobi", "--filter", "gpu_rows/512x256/float", "--out", program.out)
    assert done.returncode == 0, done.stderr
    rows = program.rows().values()
    assert rows and all(row["status"] == "skipped" for row in rows)
    benchmark = program("benchmark", "jacobi", "--benchmark_filter=gpu_rows/512x256/float")
    assert benchmark.returncode == 0
    assert "rows not here: " in benchmark.stderr


def test_a_study_without_a_match_keeps_its_file(program):
    program.out.mkdir()
    kept = program.out / "heat.json"
    kept.write_text("kept")
    done = program(
        "run", "jacobi", "heat", "--filter", "jacobi/cpu_naive/512x256/float", "--out", program.out
    )
    assert done.returncode == 0, done.stderr
    assert kept.read_text() == "kept"
    assert program.rows()
