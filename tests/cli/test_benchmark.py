"""`gridmark benchmark`: rows of the studies' plans by Google Benchmark's own flags and reports."""

import json

import pytest

NAIVE = "jacobi/cpu_naive/512x256/float/one_thread/wall"


def test_lists_rows_by_the_names_of_result_files(program):
    done = program("benchmark", "jacobi", "--benchmark_list_tests", "--benchmark_filter=cpu")
    assert done.returncode == 0
    names = [line.split("/iterations:")[0] for line in done.stdout.splitlines()]
    assert NAIVE in names
    assert all(name.startswith("jacobi/cpu") for name in names)


def test_a_repetition_is_a_verified_sample(program, tmp_path):
    out = tmp_path / "out.json"
    done = program(
        "benchmark",
        "jacobi",
        "--benchmark_filter=cpu_naive/512x256/float",
        "--benchmark_repetitions=3",
        f"--benchmark_out={out}",
        "--benchmark_out_format=json",
    )
    assert done.returncode == 0, done.stderr
    runs = [run for run in json.loads(out.read_text())["benchmarks"] if run["run_type"] == "iteration"]
    assert len(runs) == 3
    # Each a time of its own, in us: half a million points take longer than 1 us and less than 1 s.
    assert len({run["real_time"] for run in runs}) > 1
    for run in runs:
        assert run["name"].startswith(NAIVE)
        assert 1 < run["real_time"] < 1e6
        assert run["time_unit"] == "us"
        assert run["bytes_per_second"] > 0
        assert run["label"].startswith("error ")
        assert run["label"].endswith(" allowed")


@pytest.mark.parametrize(
    ("flag", "says"),
    [
        ("--benchmark_format=xml", "console, json or csv"),
        ("--benchmark_repetitions=many", "not a flag of Google Benchmark"),
        ("--benchmark_enable_random_interleaving=true", "one after the other"),
        ("--nonsense", "not a flag of Google Benchmark"),
        ("--benchmark_filter=no_such_row", "no row matches"),
        ("--preset=none", "none"),
    ],
)
def test_bad_flags_cost_one_line(program, flag, says):
    done = program("benchmark", "jacobi", flag)
    assert done.returncode == 2
    assert done.stdout == ""
    assert says in done.stderr.splitlines()[-1]
    assert done.stderr.splitlines()[-1].startswith("gridmark: ")


def test_names_what_cannot_run_here_by_its_reason(program):
    done = program("benchmark", "jacobi", "--benchmark_list_tests")
    listed = json.loads(program("list", "jacobi", "--json").stdout)["experiments"][0]["variants"]
    reasons = {variant["reason"] for variant in listed if variant["kind"] == "cuda"}
    if reasons != {None}:
        assert "rows not here: " in done.stderr
