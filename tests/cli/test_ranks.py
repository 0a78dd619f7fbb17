"""Grids cut among ranks by MPI: `run --ranks`, `solve --ranks`, and what goes wrong there in one line."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import BINARY, ROOT, complaint

RANKS = BINARY.with_name("gridmark-ranks")
LAUNCHER = "mpirun --oversubscribe -n {}"
SMALL = ["--axis", "nx=203", "ny=101", "steps_per_exchange=1,3"]

pytestmark = pytest.mark.skipif(not RANKS.exists(), reason="built without MPI (libopenmpi-dev)")


@pytest.fixture(autouse=True)
def as_root(monkeypatch):
    """Open MPI refuses to start as root unless it is told twice; a rank's threads must not spin."""
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    monkeypatch.setenv("OMP_WAIT_POLICY", "passive")


def solved(program, tmp_path, name, *words):
    """The datasets, by their paths, and the parameters of a solve."""
    out = tmp_path / f"{name}.h5"
    done = program("solve", *words, "--out", out)
    assert done.returncode == 0, done.stderr
    fields = {}
    with h5py.File(out) as file:
        file.visititems(
            lambda path, item: fields.update({path: item[...]}) if isinstance(item, h5py.Dataset) else None
        )
        return fields, dict(file["parameters"].attrs)


SOLVES = {
    "jacobi": (["nx=61", "ny=37", "iterations=23", "precision=double"], "cpu_openmp"),
    "heat": (["nx=21", "ny=13", "nz=17", "steps=7", "dy=0.0011", "boundary=35"], "cpu_naive"),
    "maxwell": (["nx=13", "ny=11", "nz=17", "steps=9", "case=random", "amplitude_y=0.5"], "cpu_openmp"),
}


@pytest.mark.parametrize("study", SOLVES)
@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        (1, []),
        (3, ["--set", "steps_per_exchange=4"]),
        (4, ["--variant", "ranks_gpu", "--on", "host", "--set", "cut=1x4x1"]),
    ],
)
def test_ranks_write_the_file_of_one(program, tmp_path, study, ranks, words):
    sizes, one = SOLVES[study]
    settings = [word for size in sizes for word in ("--set", size)]
    words = [word.replace("1x4x1", "1x4") if study == "jacobi" else word for word in words]
    wanted, parameters = solved(program, tmp_path, "one", study, *settings, "--variant", one)
    answer, cut = solved(
        program, tmp_path, "cut", study, *settings, "--ranks", ranks, "--launcher", LAUNCHER, *words
    )
    assert answer.keys() == wanted.keys()
    # jacobi's rows on the CPU fuse a product and a sum, which the host executor and plain loops do not.
    within = 0 if study == "maxwell" or (study == "jacobi" and ranks < 4) else 1e-5
    for key, values in wanted.items():
        assert np.allclose(answer[key], values, rtol=0, atol=within), key
    differ = {"variant", "largest_last_change"}
    assert {k: v for k, v in cut.items() if k not in differ} == {
        k: v for k, v in parameters.items() if k not in differ
    }


def test_a_run_has_rows_for_every_number_of_ranks(program, tmp_path):
    done = program("run", "jacobi", "--ranks", "1,2", "--launcher", LAUNCHER, *SMALL, "--out", program.out)
    assert done.returncode == 0, done.stderr + done.stdout
    file = json.loads(program.file.read_text())
    rows = [row for row in file["rows"] if row["variant"] == "ranks_cpu"]
    timed = [row for row in rows if row["quantity"] == "time"]
    # Two scalings and two depths of halos; of two ranks the step, its computing and its exchange.
    assert len(timed) == 2 * 2 * (1 + 3)
    assert all(row["status"] == "estimate" and row["verification"]["error"] >= 0 for row in timed), [
        (row["name"], row["reason"]) for row in timed
    ]
    assert all(row["made_by"].startswith("gridmark-ranks, Open MPI") for row in timed)
    quantities = {row["quantity"] for row in rows}
    assert quantities == {"time", "efficiency", "exchange_visible", "exchange_hidden"}
    placed = file["context"]["rank_placement"]
    assert [rank["rank"] for rank in placed] == [0, 1]
    assert all(rank["cpus"] for rank in placed)
    ceilings = {ceiling["name"]: ceiling["value"] for ceiling in file["context"]["ceilings"]}
    assert 0.02 < ceilings["rank_latency"] < 1e4, "microseconds, whatever the machine"
    assert 0.05 < ceilings["rank_bandwidth"] < 1000, "GB/s"
    exchange = [row for row in timed if row["parameters"]["part"] == "exchange"]
    assert all(row["limit"]["ceiling"].startswith("rank_") for row in exchange)
    assert file["context"]["ranks"] == 2
    assert "measure with paper or full" in program("check", program.out).stdout
    # The model stands beside what was measured; on a network it goes on, to 1024 ranks unless told otherwise.
    network = ["--network", ROOT / "cluster" / "network-ndr400.json"]
    for words, most in (([], 2), (network, 1024), ([*network, "--most", "64"], 64)):
        curves = json.loads(program("scaling", program.out, *words, "--json").stdout)["curves"]
        assert max(point["ranks"] for point in curves["jacobi"]) == most
    # A row can be given back: its numbers of ranks, its cut and its grid are those that were timed.
    weak = next(
        row for row in timed if row["parameters"]["scaling"] == "weak" and row["parameters"]["ranks"] == 2
    )
    words = ["--row", weak["name"], "--from", program.out, "--launcher", LAUNCHER, "--set", "iterations=3"]
    _, parameters = solved(program, tmp_path, "row", "jacobi", *words)
    assert (parameters["variant"], parameters["ny"]) == ("ranks_cpu", 202)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--ranks", "0"], "--ranks"),
        (["--ranks", "1,1"], "named twice"),
        (["--ranks", "2", "--launcher", "mpirun"], "{} must stand in it once"),
        (["--ranks", "2", "--launcher", "no-such-launcher {}"], "not found"),
        (["--ranks", "64", "--launcher", "mpirun -n {}"], "not enough slots for 64 ranks"),
        (["--ranks", "3", "--launcher", LAUNCHER, "--axis", "nx=3", "ny=3", "cut=1x4"], "4 parts for 3"),
        (["--ranks", "7", "--launcher", LAUNCHER, "--axis", "nx=3", "ny=5"], "among 7 ranks"),
        (["--ranks", "2", "--launcher", LAUNCHER, "--axis", "tile_y=3"], "no such axis of ranks"),
        (["--ranks", "2", "--launcher", LAUNCHER, "--variant", "cpu_openmp"], "ranks_cpu and ranks_gpu"),
        (["--launcher", LAUNCHER], "--ranks asks for"),
    ],
)
def test_bad_input_is_one_line_before_anything_starts(program, words, says):
    done = program("run", "jacobi", *words, "--out", program.out)
    assert says in complaint(done)
    assert not program.file.exists()


def test_a_study_that_is_not_cut_says_so(program):
    done = program("run", "pyramid", "--ranks", "2", "--launcher", LAUNCHER, "--out", program.out)
    assert "pyramid is not cut among ranks" in complaint(done)


def test_programs_of_another_mpi_are_told_apart(program, tmp_path):
    """A launcher that starts every rank as a program of its own, as mpirun of another MPI does."""
    script = tmp_path / "other-mpirun"
    script.write_text('#!/bin/sh\nshift\n"$@" </dev/null >/dev/null &\nexec "$@"\n')
    script.chmod(0o755)
    done = program("run", "jacobi", "--ranks", "2", "--launcher", f"{script} {{}}", "--out", program.out)
    line = complaint(done)
    assert "another MPI" in line
    assert "Open MPI" in line


def test_a_lost_rank_costs_its_group_and_one_line_a_row(program):
    """A rank that is killed ends its job; the groups of other numbers of ranks are measured all the same."""
    run = subprocess.Popen(
        [str(BINARY), "run", "jacobi", "--ranks", "1,2", "--launcher", LAUNCHER, *SMALL, "--axis",
         "scaling=strong", "--out", str(program.out)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    killed = False
    for _ in range(600):
        if program.file.exists() and not killed:
            names = program.measured()
            found = subprocess.run(["pgrep", "-f", "gridmark-ranks"], capture_output=True, text=True)
            pids = [int(pid) for pid in found.stdout.split() if is_second_rank(int(pid), run.pid)]
            if any("1_ranks" in name for name in names) and pids:
                os.kill(pids[0], signal.SIGKILL)
                killed = True
        if run.poll() is not None:
            break
        time.sleep(0.1)
    out, err = run.communicate(timeout=60)
    assert killed, out + err
    assert run.returncode == 1, out + err
    rows = program.rows().values()
    lost = [row for row in rows if row["status"] == "failed"]
    assert lost
    assert all(row["parameters"]["ranks"] == 2 for row in lost)
    assert all("rank 1 was ended by signal 9" in row["reason"] for row in lost), lost[0]["reason"]
    assert any(row["median"] is not None and row["parameters"]["ranks"] == 1 for row in rows)


def is_second_rank(pid, run):
    """Whether a process is rank 1 of two, started by this run: other tests may have ranks of their own."""
    try:
        words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        ancestor = pid
        while ancestor > 1 and ancestor != run:
            ancestor = int(Path(f"/proc/{ancestor}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return False
    return ancestor == run and b"OMPI_COMM_WORLD_RANK=1" in words and b"OMPI_COMM_WORLD_SIZE=2" in words


def test_what_a_launcher_says_as_root_comes_with_how_to_allow_it(program, tmp_path):
    """Open MPI's words, by a launcher that says them whoever starts it."""
    said = tmp_path / "said"
    said.write_text(
        "-" * 74 + "\nmpirun has detected an attempt to run as root.\n\nRunning as root is *strongly*\n"
    )
    words = ["solve", "jacobi", "--ranks", "2", "--out", tmp_path / "x.h5", "--launcher"]
    line = complaint(program(*words, f"sh -c 'cat {said} >&2; exit {{}}'"))
    assert "--allow-run-as-root" in line and "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1" in line
    said.write_text("-" * 74 + "\nThe job cannot be\n  started here.\n\nMore of it.\n")
    line = complaint(program(*words, f"sh -c 'cat {said} >&2; exit {{}}'"))
    assert line.endswith("The job cannot be started here.")


def test_a_checkout_may_lie_in_any_folder(program, tmp_path):
    """The launcher is a command of the shell, the program's path is none."""
    odd = tmp_path / "o'brien's \"$HOME\" checkout"
    odd.mkdir()
    for name in (BINARY.name, RANKS.name):
        shutil.copy(BINARY.with_name(name), odd / name)
    words = ["solve", "jacobi", "--ranks", "1", "--set", "nx=9", "ny=9", "iterations=1"]
    done = subprocess.run(
        [odd / BINARY.name, *words, "--launcher", LAUNCHER, "--out", tmp_path / "x.h5"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
