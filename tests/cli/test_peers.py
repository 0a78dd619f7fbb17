"""Peers: other frameworks' steps, checked and timed by `run --peers`. NumPy's are always here."""

import importlib
import json
import os
import subprocess
import sys

import jsonschema
import numpy as np
import pytest
from conftest import ROOT, SHARED

START = ROOT / "peers" / "start"
STUDIES = ["ginzburg_landau", "heat", "jacobi", "maxwell", "pyramid"]
NUMPY = "peer_numpy_cpu"


@pytest.fixture(autouse=True)
def python_of_peers(monkeypatch):
    monkeypatch.setenv("PEERS_PYTHON", sys.executable)


def rows_of(program, study):
    return json.loads((program.out / f"{study}.json").read_text())["rows"]


def program_that(tmp_path, script):
    path = tmp_path / "peers"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_numpy_gives_the_studies_answers(program):
    done = program("run", *STUDIES, "--peers", START, "--filter", NUMPY, "--out", program.out, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    for study in STUDIES:
        document = json.loads((program.out / f"{study}.json").read_text())
        jsonschema.validate(document, json.loads((ROOT / "harness" / "result.schema.json").read_text()))
        assert document["rows"]
        for row in document["rows"]:
            assert row["status"] == "estimate", row
            assert row["made_by"].startswith("numpy ")
            assert row["clock"] == "wall"
            assert row["verification"]["error"] <= row["verification"]["tolerance"]
            assert len(row["samples"]) >= 9
            assert row["limit"] is None or 0 < row["limit"]["share"] < 1


def stepped_box(u, s, steps):
    """Crank and Nicolson's steps in each axis, as full matrices in double."""
    for axis, n in enumerate(u.shape):
        d = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
        step = np.linalg.solve(np.eye(n) + s / 2 * d, np.eye(n) - s / 2 * d)
        u = np.moveaxis(np.tensordot(np.linalg.matrix_power(step, steps), u, (1, axis)), 0, axis)
    return u


@pytest.mark.parametrize(
    ("framework", "form"),
    [
        ("numpy", {}),
        ("jax", {"convolves": True}),
        ("jax", {"convolves": False}),
        ("torch", {"convolves": True}),
        ("torch", {"convolves": False}),
    ],
)
def test_a_box_is_stepped_as_full_matrices_in_double_do(framework, form, monkeypatch):
    """At sizes that divide by nothing."""
    pytest.importorskip(framework, reason=f"{framework} is not installed")
    monkeypatch.syspath_prepend(ROOT / "peers")
    problem_of = importlib.import_module("gridmark_peers.server").Problem
    box = importlib.import_module(f"gridmark_peers.{framework}_peers").PEERS["pyramid_box"]
    u = np.random.default_rng(1).uniform(-1, 1, (59, 67, 61)).astype(np.float32)
    peer = box(problem_of({"s": 1}, {"start": u}), **form)
    peer.start()
    peer.run(3)
    assert peer.answer().dtype == np.float32
    assert np.abs(peer.answer() - stepped_box(u.astype(float), 1, 3)).max() < 1e-6


def test_a_box_is_convolved_as_full_matrices_do(monkeypatch):
    """The form of GPUs, by NumPy."""
    monkeypatch.syspath_prepend(ROOT / "peers")
    pyramid = importlib.import_module("gridmark_peers.pyramid")
    problem_of = importlib.import_module("gridmark_peers.server").Problem
    u = np.random.default_rng(2).uniform(-1, 1, (67, 59, 61)).astype(np.float32)
    step = pyramid.convolved_box(problem_of({"s": 1}, {"start": u}), np.flip, np.concatenate)
    assert np.abs(step(step(u)) - stepped_box(u.astype(float), 1, 2)).max() < 1e-6
    with pytest.raises(ValueError, match="fewer than 56"):
        pyramid.convolved_box(problem_of({"s": 1}, {"start": u[:55]}), np.flip, np.concatenate)


def test_they_are_measured_beside_ours_and_only_when_asked_for(program):
    words = ["run", "jacobi", SHARED, "--filter", "(peer_numpy|openmp).*512x256/float", "--out", program.out]
    assert program(*words).returncode == 0
    assert {row["variant"] for row in rows_of(program, "jacobi")} == {"cpu_openmp"}
    assert program(*words, "--peers", START).returncode == 0
    # What was measured without them cannot stand beside them.
    assert (program.out / "jacobi.old-1.json").exists()
    rows = rows_of(program, "jacobi")
    assert {row["variant"] for row in rows} == {"cpu_openmp", "peer_numpy_cpu"}
    assert len({row["group"] for row in rows}) == 1
    assert len({len(row["samples"]) for row in rows}) == 1
    before = (program.out / "jacobi.json").read_text()
    assert program(*words, "--peers", START).returncode == 0
    assert json.loads(before)["rows"] == rows_of(program, "jacobi")


def test_their_table_holds_all_against_one_of_ours(program):
    words = [SHARED, "--filter", "(peer_numpy|openmp).*512x256/float", "--out", program.out, "--peers", START]
    assert program("run", "jacobi", *words).returncode == 0
    tables = json.loads(program("tables", "--machine", program.out, "--json").stdout)["tables"]
    (table,) = [t for t in tables if t["id"] == "peers-cpu"]
    median = {
        (row["variant"], row["parameters"]["team"]): row["median"] for row in rows_of(program, "jacobi")
    }
    ratios = {(row["key"]["variant"], row["key"]["team"]): row["ratio"] for row in table["rows"]}
    assert ("cpu_openmp", "all") not in ratios
    peer = ("peer_numpy_cpu", "one")
    assert ratios[peer] == pytest.approx(median[peer] / median["cpu_openmp", "all"])


def test_a_framework_that_is_not_here_is_skipped_and_says_how_to_get_it(program, tmp_path, monkeypatch):
    (tmp_path / "jax.py").write_text("raise ImportError(\"No module named 'jax'\")")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    done = program("run", "jacobi", "--peers", START, "--filter", "peer_jax_cpu", "--out", program.out)
    assert done.returncode == 0
    (row,) = rows_of(program, "jacobi")
    assert row["status"] == "skipped"
    assert "No module named 'jax'; pip install" in row["reason"]
    told = subprocess.run([START], capture_output=True, text=True, check=True).stdout
    assert told.count("\n") == 1
    assert "numpy" in told.split("|")[0]
    assert "No module named 'jax'; pip install" in told


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo no luck >&2; exit 3", "exit code 3: no luck"),
        ("kill -SEGV $$", "SIGSEGV"),
        ("while read -r line; do echo hello >&3; done", "damaged"),
        ('while read -r line; do echo \'{"program": "liar 1", "seconds": 1}\' >&3; done', "wrong answer"),
    ],
)
def test_a_faulty_program_costs_its_own_row(program, tmp_path, script, reason):
    peers = program_that(tmp_path, script)
    words = ["--filter", "(peer_numpy|openmp).*512x256/float", "--out", program.out]
    assert program("run", "jacobi", "--peers", peers, *words).returncode == 1
    rows = {row["name"]: row for row in rows_of(program, "jacobi")}
    failed = rows.pop("jacobi/peer_numpy_cpu/512x256/float/wall")
    assert failed["status"] == "failed"
    assert reason in failed["reason"]
    assert rows
    assert all(row["status"] == "estimate" for row in rows.values())


def test_a_program_that_hangs_is_given_up_before_its_group_is(program, tmp_path):
    peers = program_that(tmp_path, "exec sleep 1000")
    words = ["--filter", "(peer_numpy|openmp).*512x256/float", "--timeout", "10", "--out", program.out]
    assert program("run", "jacobi", "--peers", peers, *words).returncode == 1
    by_status = {row["status"] for row in rows_of(program, "jacobi") if row["variant"] == "cpu_openmp"}
    assert by_status == {"estimate"}


def test_a_program_that_is_none_is_refused(program):
    for path in ("nowhere/at/all", ROOT / "README.md"):
        done = program("run", "jacobi", "--peers", path, "--out", program.out)
        assert done.returncode == 2
        assert f"--peers: {path}: no program that can be started" in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_study_that_a_framework_has_no_peer_of_is_an_error():
    set_up = {"do": "set up", "device": -1, "file": 0, "numbers": {}, "arrays": []}
    started = ["sh", "-c", 'exec "$0" nothing_numpy 3>&1', START]
    done = subprocess.run(started, input=json.dumps(set_up), capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == {
        "error": "LookupError: nothing has no peer in gridmark_peers.numpy_peers"
    }


def test_without_its_python_it_does_not_start():
    env = os.environ | {"PEERS_PYTHON": "/nowhere/python"}
    assert subprocess.run([START], env=env, capture_output=True, check=False).returncode != 0
