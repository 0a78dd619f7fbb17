"""scripts/alone.py: what it says of rows that were measured alone and in their groups."""

import json
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import alone


def put(folder, rows, commit="0123456789abcdef", dirty=False):
    """A result file with the samples of each row, by process."""
    folder.mkdir(parents=True)
    context = {"build": {"commit": commit, "dirty": dirty}, "gpu": {"name": "NVIDIA H100"}}
    saved = [
        {
            "name": name,
            "samples": [sample for process in processes for sample in process],
            "process_samples": [len(process) for process in processes],
            "median": sorted(sample for process in processes for sample in process)[
                sum(map(len, processes)) // 2
            ],
        }
        for name, processes in rows.items()
    ]
    (folder / "heat.json").write_text(json.dumps({"context": context, "rows": saved}))


def judged(folder):
    """Exit code and lines of the verdict."""
    command = [sys.executable, ROOT / "scripts" / "alone.py", "--from", folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def row(time, spread=0.0):
    """Three processes, of which one is slower by `spread` and one faster."""
    return [[time * factor] * 3 for factor in (1 - spread / 2, 1, 1 + spread / 2)]


@pytest.mark.parametrize(
    ("own", "other", "differs"),
    [
        (row(100), row(100.4), False),
        (row(100), row(100.6), True),
        (row(100.6), row(100), True),
        (row(100, 0.02), row(101.5), False),
        (row(100), row(101.5, 0.02), False),
        (row(100, 0.02), row(103, 0.02), True),
    ],
)
def test_a_row_may_differ_by_half_a_per_cent_or_by_what_processes_do(tmp_path, own, other, differs):
    put(tmp_path / "alone-0", {"heat/gpu_a/kernel/hot": own})
    put(tmp_path / "together", {"heat/gpu_a/kernel/hot": other, "heat/gpu_b/kernel/hot": row(1)})
    code, lines = judged(tmp_path)
    assert code == differs
    assert lines[-1] == f"{int(differs)} of 1 rows differ"
    assert lines[-3].endswith("| differs |") == differs


def test_rows_of_all_turns_are_judged_and_their_builds_named(tmp_path):
    put(tmp_path / "alone-0", {"heat/gpu_a/kernel/hot": row(1)})
    put(tmp_path / "alone-1", {"heat/gpu_b/kernel/hot": row(2)}, dirty=True)
    put(tmp_path / "together", {"heat/gpu_a/kernel/hot": row(1), "heat/gpu_b/kernel/hot": row(2)})
    code, lines = judged(tmp_path)
    assert code == 0
    assert lines[:2] == [
        "NVIDIA H100, commit 0123456789ab",
        "NVIDIA H100, commit 0123456789ab with changes",
    ]
    assert lines[-1] == "0 of 2 rows differ"


def test_names_become_an_expression_for_them_alone():
    names = ["heat/gpu_a/8x8/kernel", "heat/gpu_a/8x8/step", "heat/gpu_b.c/4"]
    pattern = alone.re.compile(f"^{alone.pattern(names)}$")
    assert all(pattern.match(name) for name in names)
    others = ["heat/gpu_a/8x8/kernel/hot", "heat/gpu_a/8x8", "heat/gpu_bxc/4", "heat/gpu_a/8x8/kern"]
    assert not any(pattern.match(name) for name in others)


def test_without_a_program_or_a_folder_it_says_what_to_name():
    done = subprocess.run([sys.executable, ROOT / "scripts" / "alone.py"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "name the program and a folder, or --from FOLDER" in done.stderr


def test_two_alike_differ_by_more_than_their_processes_in_6_per_cent():
    """docs/reliability.md says so."""
    draws = np.random.default_rng(1).normal(size=(2, 200_000, 3))
    apart = np.abs(np.diff(np.median(draws, axis=2), axis=0))[0]
    assert np.mean(apart > np.ptp(draws, axis=2).max(axis=0)) == pytest.approx(0.06, abs=0.003)
