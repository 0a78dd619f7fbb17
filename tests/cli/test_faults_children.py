"""Whatever becomes of a measuring child, or of its clocks, costs the rows that it was measuring, with a
reason, and no other."""

import json
import os
import subprocess
import sys
import time

import pytest
from conftest import ROOT, complaint
from faulty import ALL, MEASURED, Faulty, assert_resumes
from faulty import FAULTS as PROGRAM

sys.path.append(str(ROOT / "tests" / "faults"))

import on_gpu

# What the reason must say, by what goes wrong.
FAULTS = {
    "segv": "killed by SIGSEGV (Segmentation fault)",
    "abort": "killed by SIGABRT (Aborted)",
    "kill": "killed by SIGKILL (Killed)",
    "exit": "the measuring process ended: without a result",
    "throw": "it went wrong",
    "bad_alloc": "bad_alloc",
    "no_json": "what it reported is damaged",
    "half_event": "without a result",
    "strange_event": "what it reported is damaged",
    "strange_row": "what it reported is damaged",
    "flood": "what it reported is damaged",
}
MOMENTS = ["prepare", "verify", "warm", "sample2"]


@pytest.fixture
def faulty(tmp_path):
    return Faulty(tmp_path)


def costs(faulty, reason, *lost):
    """After a run: these rows are failed for this reason, and all the others are measured."""
    assert list(faulty.failed()) == list(lost)
    assert all(reason in why for why in faulty.failed().values()), faulty.failed()
    assert sorted(faulty.rows()) == sorted(ALL)
    assert sorted(set(MEASURED) - set(faulty.measured())) == sorted(lost)


CASES = [(fault, moment) for fault in FAULTS for moment in (MOMENTS if fault == "segv" else MOMENTS[1::2])]


@pytest.mark.parametrize("fault, moment", CASES)
def test_a_fault_costs_its_row(faulty, fault, moment):
    done = faulty.run(faults=f"4:{moment}:{fault}")
    assert done.returncode == 1, done.stderr
    assert not done.stderr
    costs(faulty, FAULTS[fault], "faulty/cpu/4/wall")
    assert_resumes(faulty)


def test_rows_that_are_timed_in_turns_are_lost_together(faulty):
    """Their samples belong in pairs; one that is only wrong or cannot be prepared goes alone."""
    for fault in ("3:sample2:segv", "3:verify:segv", "2:sample1:throw"):
        assert faulty.run("--fresh", faults=fault).returncode == 1
        assert sorted(faulty.failed()) == ["faulty/cpu/2/wall", "faulty/cpu/3/wall"]
    for fault in ("3:prepare:throw", "3:verify:bad_alloc", "3:verify:wrong"):
        assert faulty.run("--fresh", faults=fault).returncode == 1
        assert list(faulty.failed()) == ["faulty/cpu/3/wall"]


@pytest.mark.parametrize("fault", ["wrong", "nan"])
def test_a_wrong_answer_gets_no_time(faulty, fault):
    assert faulty.run(faults=f"1:verify:{fault}").returncode == 1
    row = faulty.rows()["faulty/cpu/1/wall"]
    assert "wrong answer" in row["reason"]
    assert row["samples"] == []
    assert_resumes(faulty)


def test_what_a_child_prints_is_no_result(faulty):
    done = faulty.run(faults="1:verify:rubbish,4:sample1:rubbish")
    assert done.returncode == 0
    assert not faulty.failed()
    assert "\xff" not in done.stdout
    assert len(done.stdout) < 1000


def test_every_row_may_go_wrong_in_one_run(faulty):
    faults = "1:verify:segv,2:prepare:kill,4:sample1:abort,5:verify:exit,9:value:segv"
    done = faulty.run(faults=faults)
    assert done.returncode == 1
    assert sorted(faulty.failed()) == sorted(MEASURED)
    assert faulty.rows()["faulty/sum"]["median"] is None
    assert_resumes(faulty)


def test_a_failed_row_is_tried_again_by_the_next_run_only(faulty):
    done = faulty.run("--preset", "paper", faults="4:sample1:segv")
    assert done.returncode == 1
    assert done.stdout.count("faulty/cpu/4/wall: failed") == 1
    assert [row["process_samples"] for row in faulty.measured().values() if row["clock"]] == [[3, 3, 3]] * 4
    assert_resumes(faulty, "--preset", "paper")


@pytest.mark.parametrize("moment", ["prepare", "sample2"])
def test_a_hang_is_given_up(faulty, moment):
    done = faulty.run("--timeout", "3", faults=f"4:{moment}:hang")
    assert done.returncode == 1
    costs(faulty, "timed out: no result within 3 s", "faulty/cpu/4/wall")
    assert_resumes(faulty)


DEVICE = {
    "prepare:oom": "out of memory",
    "verify:illegal": "illegal memory",
    "sample1:illegal": "illegal memory",
}


@pytest.mark.parametrize("fault", DEVICE)
def test_a_device_error_costs_its_row(faulty, fault):
    """Through the launch layer, on a host device that fails as a GPU does; a new process does the rest."""
    done = faulty.run("--preset", "paper", faults=f"5:{fault}")
    assert done.returncode == 1
    costs(faulty, DEVICE[fault], "faulty/device/5/wall")
    assert_resumes(faulty, "--preset", "paper")


@pytest.mark.parametrize(
    "fault, reason", [("segv", "SIGSEGV"), ("exit", "without a word"), ("no_json", "damaged")]
)
def test_a_crash_while_the_ceilings_are_measured_costs_the_ceilings(faulty, fault, reason):
    """The rest of what is known of the machine stays, so that a later run goes on with the file."""
    done = faulty.run(faults=f"ceilings:measure:{fault}")
    assert done.returncode == 0, done.stderr
    context = faulty.document()["context"]
    assert context["ceilings"] == []
    assert reason in context["reasons"]["ceilings"]
    assert context["cpu"]["model"]
    assert len(faulty.measured()) == 7
    assert_resumes(faulty)


def test_a_hang_while_the_ceilings_are_measured_costs_the_ceilings(faulty):
    done = faulty.run("--timeout", "3", faults="ceilings:measure:hang")
    assert done.returncode == 0, done.stderr
    assert "hung" in faulty.document()["context"]["reasons"]["ceilings"]
    assert_resumes(faulty)


def test_a_child_that_cannot_even_start_ends_the_experiment(faulty):
    """No row is to blame: the set is marked, and what there was stays."""
    faulty.run("--filter", "cpu/1")
    before = faulty.measured()
    done = faulty.run(faults="plan:plan:segv")
    assert done.returncode == 1
    assert "the measuring process ended: killed by SIGSEGV" in done.stdout
    assert not done.stderr
    assert faulty.measured() == before
    assert faulty.document()["context"]["complete"] is False


def test_errors_are_one_line(faulty):
    faulty.out.write_text("a file where the folder should be")
    assert "cannot write" in complaint(faulty.run())


def benchmark(faults):
    """The exit code of `gridmark benchmark`, and its runs by their rows' names."""
    done = subprocess.run(
        [PROGRAM, "benchmark", "--threads", "1", "--benchmark_format=json", "--benchmark_min_time=0.001"],
        env=os.environ | {"GRIDMARK_FAULTS": faults},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    runs = json.loads(done.stdout)["benchmarks"]
    return done.returncode, {run["name"].removesuffix("/manual_time"): run for run in runs}


@pytest.mark.parametrize(
    ("fault", "says", "code"),
    [("4:verify:wrong", "wrong answer", 1), ("4:prepare:unavailable", "it cannot be had here", 0)],
)
def test_google_benchmark_times_no_row_without_a_right_answer(fault, says, code):
    """A row that is wrong, or cannot be had here, has an error in the place of a time; others are timed."""
    returned, runs = benchmark(fault)
    assert returned == code
    assert says in runs["faulty/cpu/4/wall"]["error_message"]
    assert all(run["real_time"] > 0 for name, run in runs.items() if name != "faulty/cpu/4/wall")
    assert len(runs) > 3


# --- clocks that go back: no time that is not above 0 becomes a number, and the watchdog lives on


BACK = "its clock went back or stood still: -86"


def test_a_clock_that_goes_back_while_a_row_is_timed_fails_it(faulty):
    """Whatever moment it goes back at; the samples before and after it are fine."""
    for moment in ("warm", "sample1", "sample2", "sample3"):
        done = faulty.run(
            "--fresh", "--timeout", "20", faults=f"4:{moment}:clock", preload={"CLOCK": "monotonic"}
        )
        assert done.returncode == 1, (moment, done.stdout)
        assert list(faulty.failed()) == ["faulty/cpu/4/wall"], moment
        assert BACK in faulty.failed()["faulty/cpu/4/wall"]
        faulty.document()
    for old in faulty.out.glob("*.old-*.json"):
        old.unlink()
    assert_resumes(faulty)


@pytest.mark.parametrize("moment", ["prepare", "verify"])
def test_a_clock_that_goes_back_before_a_row_is_timed_costs_nothing(faulty, moment):
    done = faulty.run(faults=f"4:{moment}:clock", preload={"CLOCK": "monotonic"})
    assert done.returncode == 0
    assert set(MEASURED) < set(faulty.measured())
    faulty.document()


def test_a_clock_that_always_falls_gives_no_time_at_all(faulty):
    done = faulty.run("--timeout", "20", preload={"CLOCK": "monotonic", "FALLING": 1, "IN": "_child"})
    assert done.returncode == 1
    assert all("its clock went back" in reason for reason in faulty.failed().values())
    assert [name for name, row in faulty.measured().items() if row["clock"]] == []
    assert sorted(faulty.rows()) == sorted(ALL)
    assert_resumes(faulty)


@pytest.mark.parametrize("where", ["run", "_child"])
def test_the_date_may_be_any(faulty, where):
    done = faulty.run(preload={"CLOCK": "realtime", "FALLING": 1, "IN": where})
    assert done.returncode == 0
    assert_resumes(faulty)


def test_the_watchdog_does_not_go_by_a_falling_clock(faulty):
    start = time.monotonic()
    falling = {"CLOCK": "monotonic", "FALLING": 1, "IN": "run"}
    done = faulty.run("--timeout", "2", faults="4:verify:hang", preload=falling)
    assert done.returncode == 1
    assert "timed out" in faulty.failed()["faulty/cpu/4/wall"]
    assert time.monotonic() - start < 60
    assert_resumes(faulty)


# Real faults on a real GPU, where there is one; tests/faults/on_gpu.py is for machines without pytest.


@pytest.fixture
def gpu_runs(tmp_path):
    available, reason = on_gpu.has_a_gpu(str(PROGRAM))
    if not available:
        pytest.skip(reason)
    return on_gpu.Runs(str(PROGRAM), tmp_path)


@pytest.mark.parametrize("fault, reason, lost", on_gpu.CASES.values(), ids=on_gpu.CASES)
def test_a_fault_on_the_gpu_costs_its_row(gpu_runs, fault, reason, lost):
    on_gpu.costs_its_row(gpu_runs, fault, reason, lost)


def test_a_run_is_interrupted_in_an_endless_kernel(gpu_runs):
    on_gpu.is_interrupted_in_an_endless_kernel(gpu_runs)
