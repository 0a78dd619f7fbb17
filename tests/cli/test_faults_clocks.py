"""Clocks that go back: no time that is not above 0 becomes a number, and the watchdog lives on."""

import time

import pytest
from faulty import ALL, MEASURED, Faulty, assert_resumes

BACK = "its clock went back or stood still: -86"


@pytest.fixture
def faulty(tmp_path):
    return Faulty(tmp_path)


def test_a_clock_that_goes_back_while_a_row_is_timed_fails_it(faulty):
    """Whatever moment it goes back at; the samples before and after it are fine."""
    for moment in ("warm", "sample1", "sample2", "sample3"):
        done = faulty.run(
            "--fresh", "--timeout", "20", faults=f"4:{moment}:clock", preload={"CLOCK": "monotonic"}
        )
        assert done.returncode == 1, (moment, done.stdout)
        assert list(faulty.failed()) == ["faulty/cpu/4/wall"], moment
        assert BACK in faulty.failed()["faulty/cpu/4/wall"]
        faulty.document()
    for old in faulty.out.glob("*.old-*.json"):
        old.unlink()
    assert_resumes(faulty)


@pytest.mark.parametrize("moment", ["prepare", "verify"])
def test_a_clock_that_goes_back_before_a_row_is_timed_costs_nothing(faulty, moment):
    done = faulty.run(faults=f"4:{moment}:clock", preload={"CLOCK": "monotonic"})
    assert done.returncode == 0
    assert set(MEASURED) < set(faulty.measured())
    faulty.document()


def test_a_clock_that_always_falls_gives_no_time_at_all(faulty):
    done = faulty.run("--timeout", "20", preload={"CLOCK": "monotonic", "FALLING": 1, "IN": "_child"})
    assert done.returncode == 1
    assert all("its clock went back" in reason for reason in faulty.failed().values())
    assert [name for name, row in faulty.measured().items() if row["clock"]] == []
    assert sorted(faulty.rows()) == sorted(ALL)
    assert_resumes(faulty)


@pytest.mark.parametrize("where", ["run", "_child"])
def test_the_date_may_be_any(faulty, where):
    done = faulty.run(preload={"CLOCK": "realtime", "FALLING": 1, "IN": where})
    assert done.returncode == 0
    assert_resumes(faulty)


def test_the_watchdog_does_not_go_by_a_falling_clock(faulty):
    start = time.monotonic()
    falling = {"CLOCK": "monotonic", "FALLING": 1, "IN": "run"}
    done = faulty.run("--timeout", "2", faults="4:verify:hang", preload=falling)
    assert done.returncode == 1
    assert "timed out" in faulty.failed()["faulty/cpu/4/wall"]
    assert time.monotonic() - start < 60
    assert_resumes(faulty)
