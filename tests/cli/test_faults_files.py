"""A run's parent is killed, the power fails, or the disk says no, before each single operation on its files:
one after the other, until a run comes through by itself."""

import tempfile
from pathlib import Path

import pytest
from conftest import complaint
from faulty import ALL, FINISHED_TOGETHER, GPU, Faulty, assert_resumes, walk

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
    assert all(rows[name]["median"] is not None for name in names if name not in GPU)
    assert not faulty.document()["context"]["complete"] or saves > len(finished)


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

    # The folder is opened and closed, and there are seven saves of eight operations, as below.
    assert walk(at) == 2 + 7 * 8


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

    # A save is: open, write, fsync, close, rename; open, fsync, close the folder. Only closing the folder may
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
