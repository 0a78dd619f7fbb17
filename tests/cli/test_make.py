"""The Makefile's words: whatever a variable holds reaches the programs as it is, in a folder of any name."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

import machines

# In place of all that the Makefile starts: notes how it was called.
STUB = """#!/usr/bin/env python3
import json, sys
with open({log!r}, "a") as log:
    print(json.dumps([{name!r}, *sys.argv[1:]]), file=log)
"""
STARTED = [
    "scripts/run.sh",
    "scripts/report.sh",
    "scripts/new-study.sh",
    "build/gridmark",
    "scripts/python",
]
ODD = "o'brien's \"card\" 1"


@pytest.fixture
def called(tmp_path):
    """Runs make in a folder of an odd name; what it started, and with which words."""
    folder = tmp_path / "o'brien x"
    for name in ("scripts", "build/venv/bin", "results"):
        (folder / name).mkdir(parents=True)
    shutil.copy(ROOT / "Makefile", folder)
    log = tmp_path / "log"
    for name in STARTED:
        (folder / name).write_text(STUB.format(log=str(log), name=name))
    for name in ("scripts/install.sh", "scripts/build.sh"):
        (folder / name).write_text("#!/bin/sh\n")
    for name in (*STARTED, "scripts/install.sh", "scripts/build.sh"):
        (folder / name).chmod(0o755)

    def call(*words):
        log.unlink(missing_ok=True)
        done = subprocess.run(["make", *words], cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in log.read_text().splitlines()]

    return call


@pytest.mark.parametrize("name", ["my machine", ODD])
def test_a_machine_may_be_called_anything(called, name):
    out = f"results/{name}"
    assert called("reproduce", f"MACHINE={name}") == [["scripts/run.sh", out, "--preset", "quick"]]
    assert called("plots", f"MACHINE={name}") == [["scripts/report.sh", out]]
    assert called("run", "EXPERIMENT=jacobi heat", f"MACHINE={name}") == [
        ["scripts/run.sh", out, "jacobi", "heat", "--preset", "quick"]
    ]
    assert called("contribute", f"MACHINE={name}") == [
        ["build/gridmark", "run", "--preset", "paper", "--out", out],
        ["build/gridmark", "check", out],
    ]


def test_folders_of_two_machines_may_have_blanks(called):
    compared, drawn = called("compare", "BASE=a b", f"NEW={ODD}")
    assert compared == ["build/gridmark", "compare", "a b", ODD]
    assert drawn[3:6] == ["compare", "a b", ODD]
    (scaling,) = called("scaling", "SET=a b", f"NETWORK={ODD}")
    assert scaling[4] == "a b" and scaling[5:7] == ["--network", ODD]


def test_axes_are_words_of_their_own(called):
    run, drawn = called("run", "EXPERIMENT=jacobi", "AXIS=nx=64:128:*2 ny=64", "VARIANT=cpu_naive,cpu_openmp")
    axes = ["--axis", "nx=64:128:*2", "--axis", "ny=64", "--variant", "cpu_naive,cpu_openmp"]
    assert run == ["build/gridmark", "run", "jacobi", "--preset", "quick", *axes, "--out", "results/own"]
    assert drawn[3] == "own"


# --- which folders a report shows


def listed(capsys, *own):
    machines.main(*own)
    return capsys.readouterr().out.splitlines()


def test_the_report_shows_what_is_delivered_without_asking_git(capsys, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    assert listed(capsys, "results/none") == list(machines.DELIVERED)
    assert listed(capsys, machines.DELIVERED[0]) == list(machines.DELIVERED)


def test_a_set_of_ones_own_stands_last(capsys, tmp_path):
    assert listed(capsys, str(tmp_path)) == list(machines.DELIVERED)
    shutil.copy(ROOT / machines.DELIVERED[0] / "heat.json", tmp_path / "heat.old-1.json")
    (tmp_path / "notes.json").write_text("[]")
    assert listed(capsys, str(tmp_path)) == list(machines.DELIVERED)
    shutil.copy(ROOT / machines.DELIVERED[0] / "heat.json", tmp_path)
    assert listed(capsys, str(tmp_path)) == [*machines.DELIVERED, str(tmp_path)]


def test_every_committed_machine_is_delivered():
    git = ["git", "-C", str(ROOT), "ls-files", "results/*.json"]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("no git here, or another owner's checkout")
    folders = {Path(name).parent.as_posix() for name in done.stdout.splitlines() if name.count("/") == 2}
    assert folders == set(machines.DELIVERED)
