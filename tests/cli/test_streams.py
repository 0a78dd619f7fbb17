"""Standard streams that are full or closed: lost output is an error; descriptors keep their meaning."""

import os
import resource
import subprocess
import sys

import h5py
import pytest
from conftest import BINARY, REFERENCE, ROOT, complaint
from test_outputs import SOLVE, device

PRINTING = {
    "help": ["--help"],
    "list": ["list"],
    "list --json": ["list", "--json"],
    "machine": ["machine"],
    "claims": ["claims", "J1", "--machine", REFERENCE],
    "claims --json": ["claims", "--json", "--machine", REFERENCE],
    "tables": ["tables", "--machine", REFERENCE],
    "check": ["check", REFERENCE],
    "compare": ["compare", REFERENCE, REFERENCE],
    "forecast": ["forecast", "--list"],
    "export": ["export", REFERENCE, "--format", "csv"],
    "dry run": ["run", "jacobi", "--dry-run"],
    "benchmark help": ["benchmark", "--help"],
}


def ended(words, **streams):
    """A process that has ended; what it said on standard error is text."""
    return subprocess.run(
        [str(BINARY), *map(str, words)],
        stderr=subprocess.PIPE,
        text=True,
        timeout=120,
        check=False,
        **streams,
    )


def closed(*descriptors):
    """Closes them in the child, before the program starts."""
    return {"preexec_fn": lambda: [os.close(descriptor) for descriptor in descriptors]}


@pytest.mark.parametrize("command", PRINTING)
def test_output_that_nobody_gets_is_an_error(command):
    assert "standard output" in complaint(ended(PRINTING[command], **closed(1)), code=1)


def test_so_it_is_where_google_benchmark_prints():
    """It says first which rows cannot be measured here."""
    done = ended(["benchmark", "jacobi", "--benchmark_list_tests", "--benchmark_filter=cpu"], **closed(1))
    assert done.returncode == 1
    assert "standard output" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("command", PRINTING)
def test_output_that_finds_no_room_is_an_error(tmp_path, command):
    device(tmp_path / "full", 7)
    with (tmp_path / "full").open("w") as full:
        line = complaint(ended(PRINTING[command], stdout=full), code=1)
    # Of text that a library writes no error is known, only that it is lost.
    assert "No space left on device" in line or "standard output" in line


def test_a_run_measures_all_and_then_says_that_its_output_is_lost(program):
    words = ["run", "jacobi", "--filter", "cpu_naive/512x256/float", "--out", program.out]
    line = complaint(ended(words, **closed(1)), code=1)
    assert "standard output" in line
    assert all(row["median"] for row in program.rows().values())


def test_files_do_not_take_the_places_of_closed_streams(program, tmp_path):
    assert ended([*SOLVE, "--out", tmp_path / "one.h5"]).returncode == 0
    heat = ["solve", "heat", "--variant", "cpu_naive", "--set", "nx=5", "ny=5", "nz=5", "steps=1"]
    assert ended([*heat, "--out", tmp_path / "start.h5"]).returncode == 0
    with h5py.File(tmp_path / "start.h5") as start, h5py.File(tmp_path / "input.h5", "w") as file:
        for name in ("t0", "beta"):
            file[name] = start[name][:]
    given = ["solve", "heat", "--variant", "cpu_naive", "--set", "steps=1", "--input", tmp_path / "input.h5"]
    for streams in ([0], [1], [0, 1], [0, 1, 2]):
        out = tmp_path / f"{len(streams)}{streams[0]}.h5"
        done = ended([*given, "--out", out], **closed(*streams))
        assert (done.returncode, done.stderr) == (0, ""), streams
        with h5py.File(out) as file:
            assert file["t"].shape == (5, 5, 5)
    words = ["run", "jacobi", "--filter", "cpu_naive/512x256/float", "--out", program.out]
    assert ended(words, **closed(0, 2)).returncode == 0
    assert all(row["median"] for row in program.rows().values())


def test_a_full_standard_error_changes_no_exit_code(tmp_path):
    device(tmp_path / "full", 7)
    for words, code in ((["nonsense"], 2), (["claims", "--machine", "/none"], 2)):
        with (tmp_path / "full").open("w") as full:
            done = subprocess.run([str(BINARY), *words], stderr=full, timeout=60, check=False)
        assert done.returncode == code


@pytest.mark.parametrize("size", [0, 64, 8192])
def test_a_limit_on_files_is_told_by_its_own_name(program, tmp_path, size):
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))}
    words = ["run", "jacobi", "--filter", "cpu_naive/512x256/float", "--out", program.out]
    assert "File too large" in complaint(ended(words, **limit), code=1)
    solved = ended([*SOLVE, "--out", tmp_path / "one.h5"], **limit)
    assert "File too large" in complaint(solved, code=1) and "one.h5" in solved.stderr
    assert not (tmp_path / "one.h5").exists()
    exported = ended(["export", REFERENCE, "--format", "csv", "--out", tmp_path / "x.csv"], **limit)
    assert "File too large" in complaint(exported, code=1)


def in_python(body):
    """The words for Python that run it as a command."""
    start = "from gridmark_plots.streams import run; "
    return ["-c", f"{start}raise SystemExit(run('x', lambda: exec({body!r})))"]


SCRIPTS = {
    "body": in_python("assert open('/proc/self/stat').fileno() > 2; print('a')"),
    "machines": [ROOT / "scripts" / "machines.py"],
}


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("how", ["full", "closed"])
def test_the_programs_in_python_see_lost_output_too(tmp_path, how, script):
    stream = "<&- >&-"
    if how == "full":
        device(tmp_path / "full", 7)
        stream = f'>"{tmp_path}/full"'
    done = subprocess.run(
        ["bash", "-c", f'exec "$@" {stream}', "_", sys.executable, *map(str, SCRIPTS[script])],
        env=os.environ | {"PYTHONPATH": str(ROOT / "plots"), "PYTHONUNBUFFERED": ""},
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    (line,) = done.stderr.splitlines()
    assert "cannot write to standard output" in line
    assert how == "closed" or "No space left on device" in line


@pytest.mark.parametrize(
    ("body", "code", "said"),
    [
        ("open('/nowhere/x')", 2, "x: /nowhere/x: No such file or directory\n"),
        ("open('/dev/full', 'w').write('a' * 100000)", 1, "x: No space left on device\n"),
        ("print('a')", 0, ""),
    ],
)
def test_what_the_system_refuses_a_program_in_python_is_one_line(body, code, said):
    environment = os.environ | {"PYTHONPATH": str(ROOT / "plots")}
    words = [sys.executable, *in_python(body)]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, said)
