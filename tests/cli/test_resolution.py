"""The program that asks what the measuring resolves, and its judge."""

import copy
import json
import subprocess
import sys

import pytest
from conftest import BINARY, ROOT, SHARED

PROGRAM = BINARY.with_name("gridmark_resolution")
JUDGE = BINARY.with_name("gridmark_resolution_judge")
POINT = "resolution/cpu/heat/cpu_naive/32x32x32/float/one_thread"


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """A set of one CPU point of a study, which a run takes three times."""
    out = tmp_path_factory.mktemp("run")
    words = ["run", SHARED, "--preset", "paper", "--filter", POINT, "--out", str(out)]
    done = subprocess.run([str(PROGRAM), *words], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads((out / "resolution.json").read_text())


def judged(tmp_path, **kinds):
    """The last column of the judge's table for these documents."""
    words = []
    for kind, documents in kinds.items():
        words.append(f"--{kind}")
        for number, one in enumerate(documents):
            folder = tmp_path / f"{kind}-{number}"
            folder.mkdir()
            (folder / "resolution.json").write_text(json.dumps(one))
            words.append(str(folder))
    done = subprocess.run([str(JUDGE), *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return [line.split("|")[-2].strip() for line in done.stdout.strip().splitlines()[2:]]


def with_times(document, factors, clock="wall"):
    """The document with samples that differ by a ten-thousandth, times a factor a row."""
    changed = copy.deepcopy(document)
    for row in changed["rows"]:
        factor = next(f for end, f in factors.items() if row["name"].endswith(end))
        row["clock"] = clock
        row["samples"] = [factor * (1 + 1e-4 * (k % 3)) for k in range(30)]
        row["process_samples"] = [10, 10, 10]
        row["median"] = factor * 1.0001
        row["interval"] = [factor, factor * 1.0002]
    return changed


def test_a_point_is_taken_three_times_in_turns(document):
    rows = {row["name"]: row for row in document["rows"]}
    assert list(rows) == [f"{POINT}/{name}/wall" for name in ("first", "again", "slower")]
    assert len({row["group"] for row in rows.values()}) == 1
    first, again, slower = (row["flops"] for row in rows.values())
    assert (again, slower) == (first, pytest.approx(first * 34 / 33))


@pytest.mark.parametrize(
    ("again", "slower", "seen"),
    [
        (1, 34 / 33, ["0 of 1 (0.0 %)", "1 of 1 (100.0 %)"]),
        (1.009, 1.009, ["0 of 1 (0.0 %)", "0 of 1 (0.0 %)"]),
        (0.98, 0.98, ["1 of 1 (100.0 %)", "0 of 1 (0.0 %)"]),
    ],
)
def test_rows_in_turns_differ_beyond_one_percent(tmp_path, document, again, slower, seen):
    factors = {"first/wall": 1, "again/wall": again, "slower/wall": slower}
    assert judged(tmp_path, cpu=[with_times(document, factors)] * 2)[2:] == seen


def test_a_launch_that_differs_hides_what_few_launches_show(tmp_path, document):
    fine = with_times(document, {"first/wall": 1, "again/wall": 1, "slower/wall": 34 / 33})
    odd = with_times(document, {"first/wall": 1, "again/wall": 1, "slower/wall": 1})
    assert judged(tmp_path, cpu=[fine, odd])[3] == "0 of 1 (0.0 %)"


def test_sets_differ_beyond_two_percent(tmp_path, document):
    def of(factor):
        return with_times(document, {"wall": factor}, "kernel")

    seen = judged(tmp_path, same=[of(1), of(1.001), of(1.03)], slower=[of(34 / 33)])
    assert seen[0] == "6 of 9 (66.7 %)"
    assert seen[1] == "6 of 9 (66.7 %)"


def test_bad_sets_are_refused(tmp_path):
    for words in (["--same", str(tmp_path)], [str(tmp_path)]):
        done = subprocess.run([str(JUDGE), *words], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert str(tmp_path) in done.stderr


def test_intervals_hold_the_repeats_of_another_model():
    script = ROOT / "scripts" / "resolution.py"
    words = [sys.executable, str(script), "--repeats", "--build", str(BINARY.parent)]
    table = subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout
    assert table in (ROOT / "docs" / "reliability.md").read_text(), "the document shows another table"
    rows = {cells[0]: cells for cells in (line.strip("| ").split(" | ") for line in table.splitlines()[2:])}
    for kind in ("kernel", "step", "up to the host"):
        assert "fitted" not in rows[kind][1], f"{kind}: what machines differ by is not what the sets give"
    held = {kind: float(cells[3].split(" %")[0]) for kind, cells in rows.items()}
    assert held["all of a GPU"] >= 90
    assert held["CPU"] >= 80
    assert float(rows["kernel"][4].split(" %")[0]) <= 1
