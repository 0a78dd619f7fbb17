"""The program whose study goes wrong where it is told to (tests/faults), and what holds after any fault."""

import json
import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conftest import BINARY, ROOT, SHARED
from jsonschema import Draft7Validator

FAULTS = BINARY.with_name("gridmark_faults")
LIBRARY = BINARY.with_name("libgridmark_faults_preload.so")
SCHEMA = Draft7Validator(json.loads((ROOT / "harness" / "result.schema.json").read_text()))

# What a run without a GPU measures, by the event that finishes it.
FINISHED_TOGETHER = [
    ["faulty/cpu/1/wall"],
    ["faulty/cpu/2/wall", "faulty/cpu/3/wall"],
    ["faulty/cpu/4/wall"],
    ["faulty/device/5/wall"],
    ["faulty/value/9"],
]
MEASURED = [name for names in FINISHED_TOGETHER for name in names]
GPU = [f"faulty/gpu/{n}/{clock}" for n in (6, 7, 8) for clock in ("step/stream", "kernel/hot")]
ALL = [*MEASURED, *GPU, "faulty/sum"]


class Faulty:
    """The faulty program and one result folder."""

    def __init__(self, folder):
        assert FAULTS.exists(), f"{FAULTS} is not built: make build"
        self.folder = folder
        self.out = folder / "results"
        self.file = self.out / "faulty.json"

    def start(self, *words, faults="", preload=None, **options):
        """Starts a run with faults (see tests/faults/experiments/faulty/fault.hpp) and settings of the
        library of faults (see tests/faults/preload.cpp)."""
        env = os.environ | {"GRIDMARK_FAULTS": faults, "GRIDMARK_FAULTS_FOLDER": str(self.folder)}
        if preload is not None:
            env |= {"LD_PRELOAD": str(LIBRARY)} | {
                f"GRIDMARK_FAULT_{key}": str(preload[key]) for key in preload
            }
        command = [str(FAULTS), "run", SHARED, "--threads", "1", "--out", str(self.out), *map(str, words)]
        return subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )

    def run(self, *words, **more):
        """A whole run; returns the completed process."""
        process = self.start(*words, **more)
        out, errors = process.communicate(timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, out, errors)

    def document(self):
        """The result file, whole and valid, or an empty set where there is none."""
        if not self.file.exists():
            return {"context": {"complete": False}, "rows": []}
        document = json.loads(self.file.read_text())
        SCHEMA.validate(document)
        for row in document["rows"]:
            assert row["clock"] is None or all(sample > 0 for sample in row["samples"]), row
        return document

    def rows(self):
        """The rows by name; none stands there twice."""
        rows = self.document()["rows"]
        named = {row["name"]: row for row in rows}
        assert len(named) == len(rows)
        return named

    def measured(self):
        """The rows that hold a number."""
        return {name: row for name, row in self.rows().items() if row["median"] is not None}

    def failed(self):
        """The failed rows' reasons, by name; less that of the sum, which only follows."""
        rows = self.rows().items()
        return {n: row["reason"] for n, row in rows if row["status"] == "failed" and n != "faulty/sum"}

    def waiting(self):
        """Returns once a fault `wait` waits for go()."""
        wait_for((self.folder / "waiting").exists)

    def go(self):
        """Lets a fault `wait` go on."""
        (self.folder / "go").touch()


def wait_for(condition, seconds=60):
    """Polls until the condition gives something; fails when it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.005)
    raise AssertionError("it never came to that")


def assert_resumes(faulty, *words):
    """A run without faults keeps every finished row as it is and completes the set."""
    before = {name: row for name, row in faulty.measured().items() if row["variant"] != "sum"}
    done = faulty.run(*words)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = faulty.rows()
    assert sorted(rows) == sorted(ALL)
    assert all(rows[name]["median"] is not None for name in [*MEASURED, "faulty/sum"])
    assert {name: rows[name]["samples"] for name in before} == {n: before[n]["samples"] for n in before}
    assert rows["faulty/sum"]["median"] == sum(rows[f"faulty/cpu/{n}/wall"]["median"] for n in (1, 4))
    assert faulty.document()["context"]["complete"] is True
    assert sorted(file.name for file in faulty.out.iterdir()) == ["faulty.json"]


def walk(at, first=1):
    """Calls at(n) for n = first, first + 1, ..., two at a time, until it says that n lies beyond the last
    boundary. Returns the last one."""
    with ThreadPoolExecutor(2) as pool:
        for start in range(first, 10_000, 2):
            for n, beyond in zip((start, start + 1), pool.map(at, (start, start + 1)), strict=True):
                if beyond:
                    return n - 1
    raise AssertionError("boundaries without end")


def children_of(parent):
    """Process numbers of those that a process has started."""
    found = []
    for task in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = task.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.append(int(task.parent.name))
    return found


def is_alive(pid):
    """Whether a process still runs: neither gone nor a corpse."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False
