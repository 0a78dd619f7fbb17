"""The program under test, and small helpers to drive it from outside."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = ROOT / "results" / "nvidia-h100"
BINARY = Path(os.environ.get("GRIDMARK", ROOT / "build" / "gridmark"))
# Tests run beside each other: their rows are disturbed, and count all the same.
SHARED = "--allow-shared"
# A run of a few CPU rows: three groups, done in seconds.
SMALL = ["run", "jacobi", SHARED, "--filter", "cpu.*/512x256/|cpu.*/4096x4096/float"]


class Program:
    """A binary and one result folder."""

    def __init__(self, folder, binary=BINARY):
        self.binary = binary
        self.out = folder / "results"
        self.file = self.out / "jacobi.json"

    def __call__(self, *words, timeout=300):
        """Runs to the end; returns the completed process."""
        return subprocess.run(
            [str(self.binary), *map(str, words)], capture_output=True, text=True, timeout=timeout, check=False
        )

    def start(self, *words):
        """Starts a run of a few rows into the folder and returns the process."""
        return subprocess.Popen(
            [str(self.binary), *SMALL, "--out", str(self.out), *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def small(self, *words):
        """A whole run of a few rows."""
        return self(*SMALL, "--out", self.out, *words)

    def rows(self):
        """The rows of the result file, by name."""
        return {row["name"]: row for row in json.loads(self.file.read_text())["rows"]}

    def measured(self):
        """Names of the rows that hold a number, for polling while a run goes on."""
        if not self.file.exists():
            return set()
        return {name for name, row in self.rows().items() if row["median"] is not None}


@pytest.fixture
def program(tmp_path):
    """The program with a fresh result folder."""
    assert BINARY.exists(), f"{BINARY} is not built: make build"
    return Program(tmp_path)


def described(study):
    """A study's variants with what its study.json says of each, in its order."""
    return json.loads((ROOT / "experiments" / study / "study.json").read_text())["variants"]


def complaint(done, code=2):
    """The one line that a refused command prints; checks that it is one, and the exit code."""
    assert done.returncode == code, (done.returncode, done.stderr)
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("gridmark: ")
    return lines[0]
