"""Folders that fail under a run: full, read-only, gone, or another run's; and files that are no results."""

import os
import shutil
import signal
import subprocess

import pytest
from conftest import complaint
from faulty import Faulty, assert_resumes, is_alive, wait_for


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
    assert "Is a directory" in complains(process, faulty)
    assert not list(faulty.out.glob("*.partial"))
    assert "--fresh sets it aside" in complaint(faulty.run())
    assert faulty.run("--fresh").returncode == 0
    assert (faulty.out / "faulty.old-1.json").is_dir()


@pytest.mark.parametrize("text", ["", '{"schema_version": 1, "context"', "[]", "\0" * 4096])
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
