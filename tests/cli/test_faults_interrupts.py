"""Ctrl-C once, twice, to one process and to all of a terminal's; and what a parent that is killed leaves."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT
from faulty import FAULTS, Faulty, assert_resumes, children_of, is_alive, wait_for


@pytest.fixture
def faulty(tmp_path):
    return Faulty(tmp_path)


def in_mid_run(faulty, **options):
    """A run that waits in row 4, with rows 1 to 3 on the disk; and its child."""
    process = faulty.start(faults="4:sample2:wait", **options)
    faulty.waiting()
    wait_for(lambda: "faulty/cpu/3/wall" in faulty.measured())
    return process, children_of(process.pid)[0]


def ends(process, *codes):
    """Waits for the end of a run with one of these exit codes; returns what it said."""
    out, errors = process.communicate(timeout=60)
    assert process.returncode in codes, (process.returncode, errors)
    return out


def handled(pid, number):
    """Returns once a process has taken a signal: it is pending no more."""

    def is_pending():
        status = Path(f"/proc/{pid}/status").read_text()
        masks = [line.split()[1] for line in status.splitlines() if line.startswith(("SigPnd", "ShdPnd"))]
        return any(int(mask, 16) >> (number - 1) & 1 for mask in masks)

    wait_for(lambda: not is_pending())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("whole_group", [False, True])
def test_an_interrupt_keeps_what_is_done(faulty, number, whole_group):
    process, child = in_mid_run(faulty, start_new_session=True)
    (os.killpg if whole_group else os.kill)(process.pid, number)
    assert "interrupted: what was measured is kept" in ends(process, 3)
    assert not is_alive(child)
    assert faulty.document()["context"]["complete"] is False
    assert set(faulty.measured()) == {f"faulty/cpu/{n}/wall" for n in (1, 2, 3)}
    assert not faulty.failed()
    assert_resumes(faulty)


def test_a_scheduler_that_signals_the_child_first_costs_no_row(faulty):
    """Slurm signals all processes of a job in any order."""
    process, child = in_mid_run(faulty)
    os.kill(child, signal.SIGTERM)
    handled(child, signal.SIGTERM)
    assert is_alive(child)
    process.send_signal(signal.SIGTERM)
    ends(process, 3)
    assert not is_alive(child)
    assert not faulty.failed()
    assert_resumes(faulty)


def test_an_interrupt_before_anything_is_measured_leaves_nothing(faulty):
    process = faulty.start(faults="ceilings:measure:wait")
    faulty.waiting()
    process.send_signal(signal.SIGINT)
    assert "interrupted" in ends(process, 3)
    assert list(faulty.out.iterdir()) == []
    assert_resumes(faulty)


@pytest.mark.parametrize("operation", ["write", "fsync", "rename"])
def test_a_second_interrupt_ends_a_run_that_the_first_cannot(faulty, operation):
    """Its disk answers no more: the first waits for it, the second does not."""
    second_save = 1 + 8 + {"write": 2, "fsync": 3, "rename": 5}[operation]
    log = faulty.folder / "log"
    stall = {"FOLDER": faulty.out, "IN": "run", "AT": second_save, "DO": "stall", "LOG": log}
    process = faulty.start(faults="4:verify:hang", preload=stall)
    wait_for(lambda: log.exists() and "stalled" in log.read_text())
    child = wait_for(lambda: children_of(process.pid))[0]
    process.send_signal(signal.SIGINT)
    handled(process.pid, signal.SIGINT)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    ends(process, 3)
    wait_for(lambda: not is_alive(child))
    assert faulty.document()["context"]["complete"] is False
    assert_resumes(faulty)


def test_two_interrupts_at_once_break_nothing(faulty):
    for _ in range(10):
        process, child = in_mid_run(faulty)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        ends(process, 3)
        wait_for(lambda child=child: not is_alive(child))
        faulty.document()
        (faulty.folder / "waiting").unlink()
    assert_resumes(faulty)


def test_a_killed_parent_takes_its_child_along(faulty):
    process, child = in_mid_run(faulty)
    os.kill(child, signal.SIGSTOP)  # it cannot notice by itself that nobody listens
    process.kill()
    ends(process, -signal.SIGKILL)
    wait_for(lambda: not is_alive(child))
    assert_resumes(faulty)


def test_a_stopped_run_is_not_taken_for_a_hang(faulty):
    """Ctrl-Z stops parent and child; the time until `fg` is nobody's fault."""
    process, child = in_mid_run(faulty)
    process.send_signal(signal.SIGINT)
    ends(process, 3)
    (faulty.folder / "waiting").unlink()
    process = faulty.start("--timeout", "3", faults="4:sample2:wait")
    faulty.waiting()
    child = children_of(process.pid)[0]
    for pid in (process.pid, child):
        os.kill(pid, signal.SIGSTOP)
    subprocess.run(["sleep", "5"], check=True)  # longer than the watchdog waits
    for pid in (child, process.pid):
        os.kill(pid, signal.SIGCONT)
    faulty.go()
    ends(process, 0)
    assert not faulty.failed()


def reported(faulty, name):
    """The report on the folder's results."""
    (faulty.folder / "none" / "published").mkdir(parents=True, exist_ok=True)
    words = ["report", "--experiments", ROOT / "tests" / "faults" / "experiments", "--gridmark", FAULTS]
    words += ["--results", faulty.folder / "none", "--machines", faulty.out, "--out", faulty.folder / name]
    command = [sys.executable, "-m", "gridmark_plots", *map(str, words)]
    env = os.environ | {"PYTHONPATH": str(ROOT / "plots")}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [(faulty.folder / name / page).read_text() for page in ("index.html", "report.md")]


def test_report_claims_and_check_say_incomplete_as_long_as_it_is(faulty):
    def said(command):
        done = subprocess.run([FAULTS, *command], capture_output=True, text=True, check=False)
        return done.stdout

    process, _ = in_mid_run(faulty)
    process.send_signal(signal.SIGINT)
    assert "INCOMPLETE" in ends(process, 3)
    assert "incomplete; the same run again goes on with it" in said(["check", faulty.out])
    assert "(INCOMPLETE)" in said(["claims", "--machine", faulty.out])
    for page in reported(faulty, "first"):
        assert "INCOMPLETE" in page
    assert_resumes(faulty)
    assert "incomplete" not in said(["check", faulty.out])
    assert "INCOMPLETE" not in said(["claims", "--machine", faulty.out])
    for page in reported(faulty, "second"):
        assert "INCOMPLETE" not in page
