"""What commands write: never over what is no file, with one rule of modes, and through links to files."""

import os
import stat

import pytest
from conftest import REFERENCE, complaint

SOLVE = ["solve", "jacobi", "--variant", "cpu_naive", "--set", "nx=9", "ny=9", "iterations=1"]
BENCHMARK = ["benchmark", "jacobi", "--benchmark_filter=cpu_naive/512x256/float"]
# What each writes to a path that is named.
WRITERS = {
    "solve": lambda out: [*SOLVE, "--out", out],
    "export": lambda out: ["export", REFERENCE, "--format", "csv", "--out", out],
    "benchmark": lambda out: [*BENCHMARK, f"--benchmark_out={out}"],
}
RUN = ["run", "jacobi", "--filter", "cpu_naive/512x256/float"]


def device(path, minor):
    """A character device of our own, as /dev/null (3) and /dev/full (7) are."""
    if os.geteuid() != 0:
        pytest.skip("only root makes devices")
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))


def make(kind, path):
    """Something that is no plain file, at the path."""
    if kind == "device":
        device(path, 3)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link to a device":
        device(path.with_name("target"), 3)
        path.symlink_to("target")
    else:
        path.symlink_to("nothing")


KINDS = ["device", "pipe", "folder", "link to a device", "link to nothing"]


def names_in(folder):
    """Of all that lies there."""
    return sorted(path.name for path in folder.iterdir())


def look(path):
    """What stands there."""
    status = path.lstat()
    return status.st_mode, status.st_rdev, status.st_ino


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", WRITERS)
def test_what_is_no_file_is_refused_and_stays(program, tmp_path, command, kind):
    out = tmp_path / "out"
    make(kind, out)
    before, names = look(out), names_in(tmp_path)
    line = complaint(program(*WRITERS[command](out), timeout=30))
    assert str(out) in line and "is no file" in line
    assert look(out) == before
    assert names_in(tmp_path) == names


@pytest.mark.parametrize("kind", KINDS)
def test_so_it_is_in_a_folder_of_results_before_anything_is_measured(program, kind):
    program.out.mkdir()
    make(kind, program.file)
    before = look(program.file)
    done = program(*RUN, "--out", program.out, timeout=30)
    assert str(program.file) in complaint(done)
    assert done.stdout == ""
    assert look(program.file) == before
    assert program(*RUN, "--out", program.out, "--fresh").returncode == 0
    assert look(program.out / "jacobi.old-1.json") == before
    assert stat.S_ISREG(look(program.file)[0])


@pytest.mark.parametrize("command", [name for name in WRITERS if name != "export"])
def test_a_dash_is_no_file_where_nothing_goes_to_standard_output(program, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert "standard output" in complaint(program(*WRITERS[command]("-")))
    assert names_in(tmp_path) == []


def written(program, folder):
    """A file of each kind, made by its command."""
    for command, words in WRITERS.items():
        done = program(*words(folder / command))
        assert done.returncode == 0, done.stderr
    assert program(*RUN, "--out", folder / "results").returncode == 0
    return [*(folder / command for command in WRITERS), folder / "results" / "jacobi.json"]


@pytest.mark.parametrize("mask", [0o002, 0o077])
def test_all_files_have_the_mode_that_the_mask_leaves(program, tmp_path, mask):
    old = os.umask(mask)
    try:
        files = written(program, tmp_path)
    finally:
        os.umask(old)
    assert {file.name: oct(file.stat().st_mode & 0o7777) for file in files} == {
        file.name: oct(0o666 & ~mask) for file in files
    }


def test_a_link_to_a_file_stays_one(program, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "results").mkdir()
    links = [*(tmp_path / command for command in WRITERS)]
    for link in links:
        target = tmp_path / "elsewhere" / link.name
        target.write_text("old")
        link.symlink_to(target)
    for link in [file for file in written(program, tmp_path) if file in links]:
        assert link.is_symlink()
        assert (tmp_path / "elsewhere" / link.name).read_bytes()[:3] != b"old"
    assert not list(tmp_path.rglob("*.partial"))
