"""What a run may use of the machine, and what others take of it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import BINARY, Program
from faulty import FAULTS

ONE_ROW = ["run", "jacobi", "--filter", "cpu_naive/512x256/float"]


def on_one_cpu(*words, **environment):
    """The output of a command that may use one CPU."""
    cpu = min(os.sched_getaffinity(0))
    done = subprocess.run(
        [str(BINARY), *map(str, words)],
        env=os.environ | environment,
        preexec_fn=lambda: os.sched_setaffinity(0, {cpu}),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_rows_of_more_threads_than_cpus_cannot_run(tmp_path):
    words = ["run", "maxwell", "--filter", "cpu", "--dry-run", "--out", tmp_path]
    text = on_one_cpu(*words, OMP_NUM_THREADS="12")
    rows = [line for line in text.splitlines() if "11_threads" in line]
    assert rows
    assert all("cannot run: needs 11 threads" in line for line in rows)
    assert [line for line in text.splitlines() if "one_thread" in line and "cannot run" not in line]
    assert "OMP_NUM_THREADS=12" in text
    # So many that nobody would start them only to count them.
    named = on_one_cpu(*ONE_ROW[:3], "cpu_openmp", "--dry-run", "--threads", "3000")
    assert "cannot run: needs 3000 threads, and this process may use 1 CPU" in named


def test_a_run_on_other_cpus_begins_anew(program):
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        pytest.skip("one CPU")
    assert program(*ONE_ROW, "--threads", 1, "--out", program.out).returncode == 0
    assert not (program.out / "jacobi.old-1.json").exists()
    on_one_cpu(*ONE_ROW, "--threads", 1, "--out", program.out)
    assert (program.out / "jacobi.old-1.json").exists()


@pytest.mark.parametrize("name, value", [("OMP_THREAD_LIMIT", "1"), ("OMP_DYNAMIC", "true")])
def test_threads_are_those_that_come(name, value, tmp_path):
    env = os.environ | {name: value, "OMP_NUM_THREADS": "2"}
    done = subprocess.run([BINARY, "machine", "--json"], env=env, capture_output=True, text=True, check=True)
    machine = json.loads(done.stdout)
    threads = machine["cpu"]["threads"]
    assert threads == 1 if name == "OMP_THREAD_LIMIT" else threads in (1, 2)
    assert (threads < 2) == (f"{name}={value}" in machine["cpu"].get("threads_remark", ""))
    for ceiling in machine["ceilings"]:
        if "all_threads" in ceiling["name"] and "thread" in (ceiling["how"] or ""):
            assert f"{threads} thread" in ceiling["how"] or ceiling["name"] == "cpu_barrier_all_threads"
        assert "wrong value" not in (ceiling["reason"] or "")


@pytest.fixture
def busy_machine():
    """Other programs on every CPU."""
    loops = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"])
        for _ in range(2 * len(os.sched_getaffinity(0)))
    ]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


def test_rows_that_others_disturbed_give_no_verdict_unless_they_may(tmp_path, busy_machine):
    if not re.search(r"^cpu0 [1-9]", Path("/proc/stat").read_text(), re.M):
        pytest.skip("the system does not show CPU times")
    program = Program(tmp_path, FAULTS)
    file = program.out / "faulty.json"

    def run(*words):
        done = program("run", "--threads", 1, "--filter", "cpu", "--out", program.out, *words)
        assert done.returncode == 0, "others are no failure"
        document = json.loads(file.read_text())
        timed = [row for row in document["rows"] if row["clock"] == "wall" and row["median"] is not None]
        # A row that took a few ticks of the clock may show nobody.
        disturbed = [row for row in timed if "disturbed" in row]
        assert disturbed
        (claim,) = json.loads(program("claims", "F1", "--json", "--machine", program.out).stdout)["claims"]
        return done, document, disturbed, claim, len(disturbed) == len(timed)

    done, _, disturbed, claim, all_were = run()
    assert len(re.findall(r"disturbed: others took \d+ % of the CPU time; such rows", done.stdout)) == 1
    for row in disturbed:
        assert row["status"] == "estimate"
        assert row["reason"].startswith("disturbed: ")
        assert row["disturbed"]["allowed"] is False
    if all_were:
        assert claim["verdict"] == "NOT RUN"
        assert "was disturbed: others took" in claim["because"]

    # The same command takes none of them over.
    _, document, _, _, _ = run()
    again = {row["name"]: row["samples"] for row in document["rows"]}
    assert all(again[row["name"]] != row["samples"] for row in disturbed)

    done, document, disturbed, claim, _ = run("--allow-shared")
    assert file.with_suffix(".old-1.json").exists(), "they are other rows"
    assert "disturbed" not in done.stdout
    assert document["context"]["allow_shared"] is True
    assert all("disturbed" not in row["reason"] and row["disturbed"]["allowed"] for row in disturbed)
    assert claim["verdict"] != "NOT RUN"
    assert "disturbed rows, first" in program("check", program.out).stdout
