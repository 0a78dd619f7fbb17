"""What a run survives: killed children and parents, hangs, interrupts, full disks, damaged files."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from conftest import complaint

FIRST_GROUP = "jacobi/cpu_naive/512x256/float/one_thread/wall"


def wait_for(condition, seconds=60):
    """Polls until the condition gives something; fails when it never does."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.005)
    raise AssertionError("it never came to that")


def child_of(parent):
    """The measuring child's process number, or None."""
    for task in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = task.read_text().rsplit(")", 1)[1].split()
            if int(fields[1]) == parent and fields[0] != "Z":
                return int(task.parent.name)
        except (OSError, IndexError):
            continue
    return None


def in_mid_run(program, process):
    """The child's number once the first group is on the disk and the next, a second long, is under way."""
    wait_for(lambda: FIRST_GROUP in program.measured())
    time.sleep(0.3)
    assert process.poll() is None
    return wait_for(lambda: child_of(process.pid))


def test_a_killed_child_costs_its_group_only(program):
    process = program.start()
    os.kill(in_mid_run(program, process), signal.SIGKILL)
    process.communicate(timeout=120)
    rows = program.rows()
    failed = [row for row in rows.values() if row["status"] == "failed"]
    assert process.returncode == 1
    assert len(rows) == 9
    assert 0 < len(failed) <= 3
    assert all("SIGKILL" in row["reason"] and row["median"] is None for row in failed)
    assert program.small().returncode == 0  # what failed is tried again
    assert len(program.measured()) == 9


@pytest.mark.parametrize("delay", [0, 0.03])
def test_a_child_killed_between_groups_costs_nothing_else(program, delay):
    process = program.start()
    wait_for(lambda: FIRST_GROUP in program.measured())
    time.sleep(delay)
    os.kill(wait_for(lambda: child_of(process.pid)), signal.SIGKILL)
    process.communicate(timeout=120)
    failed = [row for row in program.rows().values() if row["status"] == "failed"]
    assert len(program.rows()) == 9
    assert process.returncode == (1 if failed else 0)


def test_a_killed_parent_loses_no_finished_row(program):
    process = program.start()
    child = in_mid_run(program, process)
    os.kill(child, signal.SIGSTOP)  # it cannot notice by itself that nobody listens
    process.kill()
    process.wait()
    wait_for(lambda: not Path(f"/proc/{child}").exists(), 10)
    kept = {name: program.rows()[name] for name in program.measured()}
    assert FIRST_GROUP in kept
    assert program.small().returncode == 0
    assert {name: program.rows()[name] for name in kept} == kept
    assert len(program.measured()) == 9


def test_a_hang_is_given_up(program):
    process = program.start("--timeout", "12")
    os.kill(in_mid_run(program, process), signal.SIGSTOP)
    process.communicate(timeout=120)
    failed = [row for row in program.rows().values() if row["status"] == "failed"]
    assert process.returncode == 1
    assert failed
    assert all("timed out" in row["reason"] for row in failed)
    assert len(program.rows()) == 9


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_done(program, number):
    process = program.start()
    in_mid_run(program, process)
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == 3
    document = json.loads(program.file.read_text())
    assert document["context"]["complete"] is False
    assert FIRST_GROUP in program.measured()
    assert program.small().returncode == 0
    assert len(program.measured()) == 9


def test_a_second_run_on_the_same_folder_is_refused(program):
    process = program.start()
    in_mid_run(program, process)
    assert "another run" in complaint(program.small())
    process.communicate(timeout=120)
    assert process.returncode == 0
    assert len(program.measured()) == 9


def test_a_full_disk_loses_nothing(program, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("a small disk cannot be mounted here")
    try:
        program.out, program.file = disk, disk / "jacobi.json"
        one = ["run", "jacobi", "--filter", "cpu_naive/512x256/float", "--out", disk]
        assert program(*one).returncode == 0
        before = program.file.read_text()
        free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_bsize
        (disk / "filler").write_bytes(b"x" * (free - 4096))
        line = complaint(program.small(), code=1)
        assert "jacobi.json" in line
        assert "No space left" in line
        assert program.file.read_text() == before
        assert not list(disk.glob("*.partial"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_a_damaged_file_is_refused_and_fresh_sets_it_aside(program):
    program.out.mkdir()
    program.file.write_text('{"schema_version": 1, "context"')
    line = complaint(program.small())
    assert "jacobi.json" in line
    assert "--fresh" in line
    assert program.file.read_text() == '{"schema_version": 1, "context"'
    assert program.small("--fresh").returncode == 0
    assert (program.out / "jacobi.old-1.json").exists()
