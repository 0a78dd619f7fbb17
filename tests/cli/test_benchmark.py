"""`gridmark benchmark`: rows of the studies' plans by Google Benchmark's own flags and reports."""

import json

import pytest

NAIVE = "jacobi/cpu_naive/512x256/float/one_thread/wall"


def test_lists_rows_by_the_names_of_result_files(program):
    done = program("benchmark", "jacobi", "--benchmark_list_tests", "--benchmark_filter=cpu")
    assert done.returncode == 0
    names = [line.removesuffix("/manual_time") for line in done.stdout.splitlines()]
    assert NAIVE in names
    assert all(name.startswith("jacobi/cpu") for name in names)


def runs_of(program, out, *flags):
    """The repetitions that Google Benchmark tells of."""
    done = program("benchmark", "jacobi", f"--benchmark_out={out}", "--benchmark_out_format=json", *flags)
    assert done.returncode == 0, done.stderr
    assert "gridmark's own clocks" in done.stderr and "DEBUG" in done.stderr
    return [run for run in json.loads(out.read_text())["benchmarks"] if run["run_type"] == "iteration"]


def test_a_repetition_is_verified_and_has_as_many_steps_as_fill_its_time(program, tmp_path):
    flags = ["--benchmark_filter=cpu_naive/512x256/float", "--benchmark_repetitions=3"]
    runs = runs_of(program, tmp_path / "out.json", *flags, "--benchmark_min_time=0.2")
    (short, *_) = runs_of(program, tmp_path / "short.json", *flags, "--benchmark_min_time=0.0001")
    assert len(runs) == 3
    for run in runs:
        assert run["iterations"] == runs[0]["iterations"] > 2 * short["iterations"]
        nodes = run["bytes_per_second"] * run["real_time"] * 1e-6 / (3 * 4)
        assert nodes == pytest.approx(512 * 256), "bytes of one step"
    # Each a time of its own, in us: half a million points take longer than 1 us and less than 1 s.
    assert len({run["real_time"] for run in runs}) > 1
    for run in runs:
        assert run["name"] == f"{NAIVE}/manual_time"
        assert 1 < run["real_time"] < 1e6
        assert run["time_unit"] == "us"
        assert run["bytes_per_second"] > 0
        assert run["label"].startswith("error ")
        assert run["label"].endswith(" allowed")


def test_rows_of_one_kind_are_interleaved_at_random(program, tmp_path):
    flags = ["--benchmark_filter=cpu_(naive|openmp)/512x256/float", "--benchmark_repetitions=8"]
    flags += ["--benchmark_enable_random_interleaving=true", "--benchmark_min_time=0.001"]
    names = [run["run_name"] for run in runs_of(program, tmp_path / "out.json", *flags)]
    assert len(set(names)) >= 2


@pytest.mark.parametrize(
    ("flag", "says"),
    [
        ("--benchmark_format=xml", "console, json or csv"),
        ("--benchmark_repetitions=many", "not a flag of Google Benchmark"),
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
