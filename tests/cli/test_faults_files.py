"""A run's parent is killed, the power fails, or the disk says no, before each single operation on its files:
one after the other, until a run comes through by itself.
And folders that fail under a run: full, read-only, gone, or another run's; and files that are no results."""

import errno
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest
from conftest import complaint
from faulty import ALL, FINISHED_TOGETHER, GPU, Faulty, assert_resumes, is_alive, wait_for, walk

SOME = ["--filter", "cpu/[14]|sum"]  # two rows, three times saved


def settings(faulty, n, what):
    """Of the library of faults: the n-th operation in the parent."""
    return {"FOLDER": faulty.out, "IN": "run", "AT": n, "DO": what, "LOG": faulty.folder / "log"}


def logged(faulty):
    """The operations that succeeded."""
    log = faulty.folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def kept(faulty, saves, finished):
    """After a fault: the file is whole, and holds all that stood in it when it was saved the last time."""
    names = [name for together in finished[:saves] for name in together]
    rows = faulty.rows()
    assert set(names) <= set(rows)
    expected = {name: rows[name] for name in names if name not in GPU}
    assert not {n: (row["status"], row["reason"]) for n, row in expected.items() if row["median"] is None}
    every = {name for together in finished for name in together}
    assert not faulty.document()["context"]["complete"] or every <= set(rows)


@pytest.mark.parametrize("what, flushed", [("kill", "rename"), ("power", "fsync folder")])
def test_a_parent_that_dies_at_any_boundary_loses_no_finished_row(tmp_path, what, flushed):
    """The first save holds the rows that cannot run here."""

    def at(n):
        faulty = Faulty(Path(tempfile.mkdtemp(dir=tmp_path)))
        done = faulty.run(preload=settings(faulty, n, what))
        if done.returncode == 0:
            return True
        assert done.returncode == -9, (n, done.stderr)
        kept(faulty, logged(faulty).count(flushed), [GPU, *FINISHED_TOGETHER])
        assert_resumes(faulty)
        return False

    # The folder is opened and closed, and there are seven saves of eight operations, as below. Where the
    # parent is slow, rows of two groups have come when it saves, and one save is less.
    saves, rest = divmod(walk(at) - 2, 8)
    assert rest == 0 and 5 <= saves <= 7


@pytest.mark.parametrize("number, words", [(28, "No space left on device"), (5, "Input/output error")])
def test_an_error_at_any_boundary_is_one_line_and_loses_no_finished_row(tmp_path, number, words):
    def at(n):
        faulty = Faulty(Path(tempfile.mkdtemp(dir=tmp_path)))
        done = faulty.run(*SOME, preload=settings(faulty, n, number))
        if done.returncode == 0:
            return True
        line = complaint(done, code=2 if n == 1 else 1)
        assert (str(faulty.file) in line and words in line) or (n == 1 and "cannot write" in line)
        kept(faulty, logged(faulty).count("rename"), [["faulty/cpu/1/wall"], ["faulty/cpu/4/wall"]])
        assert not list(faulty.out.glob("*.partial"))
        assert_resumes(faulty)
        return False

    # A save is: open, write, fsync, rename, close; open, fsync, close the folder. Only closing the folder may
    # fail without harm: the run goes on, and a walk ends there.
    for save in (0, 1, 2):
        assert walk(at, first=1 if save == 0 else 2 + 8 * save) == 1 + 8 * save + 7


def test_writes_that_are_cut_short_are_continued(tmp_path):
    faulty = Faulty(tmp_path)
    done = faulty.run(preload=settings(faulty, 0, "short"))
    assert done.returncode == 0
    assert logged(faulty).count("write") > 100
    assert sorted(faulty.rows()) == sorted(ALL)


def test_two_rows_a_process_are_joined_whatever_dies_between(tmp_path):
    """Three processes a number: a parent that is killed in any of them keeps the samples of those before."""

    def at(n):
        faulty = Faulty(Path(tempfile.mkdtemp(dir=tmp_path)))
        done = faulty.run("--preset", "paper", *SOME, preload=settings(faulty, 4 + 8 * n, "kill"))
        if done.returncode == 0:
            return True
        rows = faulty.measured()
        assert sum(len(row["process_samples"]) for row in rows.values()) == n
        again = faulty.run("--preset", "paper", *SOME)
        assert again.returncode == 0
        for name, row in faulty.measured().items():
            if row["clock"] is None:
                continue
            assert row["process_samples"] == [3, 3, 3]
            before = rows[name]["samples"] if name in rows else []
            assert row["samples"][: len(before)] == before
        return False

    assert walk(at) == 2 * 3


# --- folders


@pytest.fixture
def faulty(tmp_path):
    return Faulty(tmp_path)


@pytest.fixture
def disk(faulty):
    """A disk of 128 KiB in the place of the result folder."""
    faulty.out.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(faulty.out)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    yield faulty.out
    subprocess.run(["umount", str(faulty.out)], check=True)


def waiting_in_row_4(faulty):
    """A run with rows 1 to 3 on the disk."""
    process = faulty.start(faults="4:sample1:wait")
    faulty.waiting()
    wait_for(lambda: "faulty/cpu/3/wall" in faulty.measured())
    return process


def complains(process, faulty, code=1):
    """Lets a waiting run go on; returns the one line that it ends with."""
    faulty.go()
    out, errors = process.communicate(timeout=60)
    return complaint(subprocess.CompletedProcess(process.args, process.returncode, out, errors), code)


def read_only(folder, yes):
    """Makes a mounted disk read-only, or writable again."""
    subprocess.run(["mount", "-o", f"remount,{'ro' if yes else 'rw'}", str(folder)], check=True)


def test_a_full_disk_loses_nothing(faulty, disk):
    process = waiting_in_row_4(faulty)
    before = faulty.file.read_bytes()
    free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
    (disk / "filler").write_bytes(b"x" * (free - 4096))
    line = complains(process, faulty)
    assert "faulty.json" in line
    assert "No space left" in line
    assert faulty.file.read_bytes() == before
    assert not list(disk.glob("*.partial"))
    (disk / "filler").unlink()
    assert_resumes(faulty)


def test_a_disk_that_becomes_read_only_loses_nothing(faulty, disk):
    process = waiting_in_row_4(faulty)
    before = faulty.file.read_bytes()
    read_only(disk, True)
    line = complains(process, faulty)
    assert "faulty.json" in line
    assert "Read-only file system" in line
    assert faulty.file.read_bytes() == before
    assert "cannot write" in complaint(faulty.run())  # and before it measures anything
    read_only(disk, False)
    assert_resumes(faulty)


def test_a_read_only_folder_is_refused(faulty):
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere; see the read-only disk")
    faulty.out.mkdir(mode=0o555)
    assert "cannot write" in complaint(faulty.run())


def test_a_folder_that_goes_away_ends_the_run(faulty):
    process = waiting_in_row_4(faulty)
    shutil.rmtree(faulty.out)
    line = complains(process, faulty)
    assert str(faulty.file) in line
    assert "No such file or directory" in line
    assert_resumes(faulty)


def test_a_folder_in_the_place_of_the_file(faulty):
    process = waiting_in_row_4(faulty)
    faulty.file.unlink()
    faulty.file.mkdir()
    assert "is a directory" in complains(process, faulty)
    assert not list(faulty.out.glob("*.partial"))
    assert "--fresh sets it aside" in complaint(faulty.run())
    assert faulty.run("--fresh").returncode == 0
    assert (faulty.out / "faulty.old-1.json").is_dir()


@pytest.mark.parametrize("text", ["", '{"schema_version": 2, "context"', "[]", "\0" * 4096])
def test_a_damaged_file_is_refused_and_fresh_sets_it_aside(faulty, text):
    faulty.out.mkdir()
    faulty.file.write_text(text)
    line = complaint(faulty.run())
    assert "faulty.json" in line
    assert "--fresh" in line
    assert faulty.file.read_text() == text
    assert faulty.run("--fresh").returncode == 0
    assert (faulty.out / "faulty.old-1.json").read_text() == text


def test_a_second_run_is_refused_and_the_first_is_not_disturbed(faulty):
    process = waiting_in_row_4(faulty)
    before = faulty.file.read_bytes()
    for words in ([], ["--fresh"], ["--preset", "paper"]):
        assert "another run is writing" in complaint(faulty.run(*words))
    assert faulty.file.read_bytes() == before
    faulty.go()
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert_resumes(faulty)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_lock_goes_with_its_run(faulty, number):
    process = waiting_in_row_4(faulty)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert_resumes(faulty)


def test_of_runs_that_start_together_one_runs(faulty):
    for _ in range(5):
        runs = [faulty.start(faults="4:sample1:hang") for _ in range(4)]
        wait_for(lambda runs=runs: sum(run.poll() is not None for run in runs) == 3)
        refused = [run for run in runs if run.poll() is not None]
        assert all(run.returncode == 2 for run in refused)
        assert all("another run is writing" in run.communicate()[1] for run in refused)
        winner = next(run for run in runs if run.poll() is None)
        wait_for(lambda: "faulty/cpu/3/wall" in faulty.measured())
        winner.kill()
        winner.communicate()
        wait_for(lambda pid=winner.pid: not is_alive(pid))
    assert_resumes(faulty)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EBADF])
def test_a_file_system_without_locks_is_said_and_harms_nothing(faulty, number):
    done = faulty.run(*SOME, preload={"LOCKS": number})
    assert done.returncode == 0, done.stderr
    (line,) = done.stderr.splitlines()
    assert str(faulty.out) in line and os.strerror(number) in line and "locked" in line
    assert_resumes(faulty)
