#!/usr/bin/env python3
"""Real faults on a real GPU: an illegal address, more memory than there is, kernels that never end.

    tests/faults/on_gpu.py PROGRAM     PROGRAM: gridmark_faults, built with CUDA

Needs nothing but Python; prints a table of PASS and FAIL, and returns 1 if anything failed. For a machine
without a compiler: cmake -DPROGRAM=build/gridmark_faults -DFOLDER=build/carried -P
cmake/CollectLibraries.cmake, and there LD_LIBRARY_PATH=carried python3 on_gpu.py carried/gridmark_faults.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# A fault in row 7, what its reason must say, and which of its rows must be lost (the others may be).
LOST_BOTH = ["faulty/gpu/7/step/stream", "faulty/gpu/7/kernel/hot"]
CASES = {
    "illegal address while the answer is checked": ("7:verify:illegal", "illegal", LOST_BOTH),
    "illegal address in a sample": ("7:sample2:illegal", "illegal", LOST_BOTH[:1]),
    "more memory than there is": ("7:prepare:oom", "memory", LOST_BOTH),
    "endless kernel while the answer is checked": ("7:verify:spin", "timed out", LOST_BOTH),
    "endless kernel in warming up": ("7:warm:spin", "timed out", LOST_BOTH[:1]),
    "killed with work on the GPU": ("7:verify:kill", "SIGKILL", LOST_BOTH),
}


class Runs:
    """Runs of the program into one folder."""

    def __init__(self, program, folder):
        self.program, self.out = program, Path(folder) / "results"

    def start(self, faults=""):
        """Starts a run."""
        command = [self.program, "run", "--timeout", "30", "--out", str(self.out)]
        env = os.environ | {"GRIDMARK_FAULTS": faults}
        return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def rows(self):
        """The rows of the result file, by name."""
        file = self.out / "faulty.json"
        rows = json.loads(file.read_text())["rows"] if file.exists() else []
        return {row["name"]: row for row in rows}

    def end(self, process, code):
        """Waits for a run's end and checks its exit code."""
        out, errors = process.communicate(timeout=300)
        assert process.returncode == code, (process.returncode, out, errors)

    def fine(self, but=()):
        """Every row but these holds a number, or the reason why it cannot run here."""
        wrong = {n: r["reason"] for n, r in self.rows().items() if r["status"] == "failed" and n not in but}
        assert not wrong, wrong
        for name in ("faulty/gpu/6/step/stream", "faulty/gpu/8/step/stream", "faulty/device/5/wall"):
            assert self.rows()[name]["median"] > 0, self.rows()[name]["reason"]

    def resumes(self):
        """A run without faults completes the set and leaves what there was as it is."""
        before = {name: row["samples"] for name, row in self.rows().items() if row["samples"]}
        self.end(self.start(), 0)
        self.fine()
        assert {name: self.rows()[name]["samples"] for name in before} == before
        assert all(self.rows()[name]["status"] != "failed" for name in LOST_BOTH)


def costs_its_row(runs, fault, reason, lost):
    """A fault costs its own rows, with the reason."""
    runs.end(runs.start(fault), 1)
    runs.fine(but=LOST_BOTH)
    for name in lost:
        row = runs.rows()[name]
        if row["status"] == "skipped":
            continue  # no CUPTI: no kernel clock
        assert row["status"] == "failed" and reason in row["reason"], (name, row["status"], row["reason"])
    runs.resumes()


def is_interrupted_in_an_endless_kernel(runs):
    """Ctrl-C while a kernel never ends: the run ends, and what was measured is kept."""
    process = runs.start("7:verify:spin")
    end = time.monotonic() + 60
    while "faulty/gpu/6/step/stream" not in runs.rows():
        assert time.monotonic() < end, "row 6 never came"
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    runs.end(process, 3)
    runs.resumes()


def has_a_gpu(program):
    """Whether the program can run its GPU variant here; else why not."""
    listed = json.loads(subprocess.run([program, "list", "--json"], check=True, capture_output=True).stdout)
    variants = {variant["name"]: variant for variant in listed["experiments"][0]["variants"]}
    return variants["gpu"]["available"], variants["gpu"]["reason"]


def main():
    """All cases in turn."""
    program = str(Path(sys.argv[1]).resolve())
    available, reason = has_a_gpu(program)
    if not available:
        sys.exit(f"on_gpu: {reason}")
    tests = {name: (costs_its_row, *case) for name, case in CASES.items()}
    tests["Ctrl-C in an endless kernel"] = (is_interrupted_in_an_endless_kernel,)
    failed = 0
    for name, (test, *case) in tests.items():
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Runs(program, folder), *case)
                verdict = "PASS"
            except (AssertionError, KeyError, subprocess.TimeoutExpired) as error:
                verdict, failed = f"FAIL: {error!r}", failed + 1
        print(f"{name:45} {time.monotonic() - start:5.1f} s  {verdict}", flush=True)
    print(f"{len(tests) - failed} of {len(tests)} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
