"""`gridmark compare` asked by tests, and sets of results for it."""

import json
import subprocess

from conftest import BINARY, ROOT
from jsonschema import Draft7Validator

RESULTS = ROOT / "results"
REPEATS = RESULTS / "repeats"
SCHEMA = json.loads((ROOT / "harness" / "compare" / "compare.schema.json").read_text())


def compare(*words):
    """The finished program."""
    return subprocess.run([BINARY, "compare", *map(str, words)], capture_output=True, text=True, check=False)


def told(*words):
    """What it prints as text, in one line."""
    done = compare(*words)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def document(*words):
    """What it prints as JSON, which keeps to the schema."""
    done = compare(*words, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    Draft7Validator(SCHEMA).validate({**found, "rows": found["rows"][::10]})
    return found


def saved(folder, file):
    """The folder, in which the file's experiment is written."""
    folder.mkdir(exist_ok=True)
    (folder / f"{file['context']['experiment']}.json").write_text(json.dumps(file))
    return folder


def scale(row, factor):
    """Makes a row's times longer."""
    row["samples"] = [factor * sample for sample in row["samples"]]
    row["median"] *= factor
    row["interval"] = [factor * end for end in row["interval"]]
