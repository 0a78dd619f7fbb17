"""Numbers, units and selectors as text and as choices."""

import pytest
from synthetic import row

from gridmark_plots import numbers, units
from gridmark_plots.errors import InputError
from gridmark_plots.selector import key_of, matches


@pytest.mark.parametrize(
    ("value", "measured", "published"),
    [
        (41, "41.00", "41"),
        (1.8719, "1.872", "1.872"),
        (0.062, "0.06200", "0.062"),
        (123456.7, "123\u202f457", "123\u202f457"),
        (0, "0", "0"),
        (9.7e-7, "9.700e-07", "9.700e-07"),
        (None, "–", "–"),
    ],
)
def test_numbers_have_four_digits_and_published_ones_no_more_than_they_had(value, measured, published):
    assert numbers.measured(value) == measured
    assert numbers.published(value) == published


def test_both_ends_of_an_interval_have_equal_decimals():
    assert numbers.interval((9.98, 10.02)) == "9.98 to 10.02"
    assert numbers.interval(None) == ""


def test_times_convert_and_nothing_else_does():
    assert units.factor({"unit": "ms", "name": "r"}, "us", "f") == 1000
    assert units.factor({"unit": "%", "name": "r"}, "%", "f") == 1
    assert units.seconds({"unit": "%", "median": 5.0}) is None


def test_a_time_becomes_a_speed_by_the_rows_work_and_its_interval_swaps_ends():
    time = row("a", {"nx": 100, "ny": 50, "nz": 20}, 2.0, unit="ms", flops=1.3e6, interval=[1.0, 4.0])
    for unit, wanted in (
        ("GFLOP/s", (0.65, 0.325, 1.3)),
        ("Gpoint/s", (0.05, 0.025, 0.1)),
        ("us", (2e3, 1e3, 4e3)),
    ):
        value, bounds = units.convert(time, unit, "f")
        assert (value, *bounds) == pytest.approx(wanted)
    for grid in ({"nx": 100, "ny": 50}, {"n": 5000, "block": 256}):
        fewer = row("a", grid, 2.0, unit="ms", interval=None)
        assert units.convert(fewer, "Gpoint/s", "f") == (pytest.approx(0.0025), None)


@pytest.mark.parametrize(
    ("unit", "changes", "reason"),
    [
        ("GFLOP/s", {}, "GFLOP/s is asked for, but it states no flops"),
        ("GFLOP/s", {"flops": 1e6, "interval": [0.0, 2.0]}, "is asked for, but its time is not above 0"),
        ("Gpoint/s", {"parameters": {"k": 1}}, "Gpoint/s is asked for, but its 'nx' is no size"),
        ("Gpoint/s", {"parameters": {"n": 1, "nx": 4}}, "Gpoint/s is asked for, but its 'ny' is no size"),
        ("Gpoint/s", {"parameters": {"n": "all"}}, "Gpoint/s is asked for, but its 'n' is no size"),
        ("Gpoint/s", {"parameters": {"nx": 4, "ny": "all"}}, "but its 'ny' is no size"),
        ("GFLOP/s", {"unit": "%"}, "its unit is '%' where 'GFLOP/s' is asked for"),
        ("ms", {"unit": "GFLOP/s"}, "its unit is 'GFLOP/s' where 'ms' is asked for"),
    ],
)
def test_a_row_without_the_work_that_a_speed_needs_is_refused(unit, changes, reason):
    with pytest.raises(InputError, match=f"^f: toy/a/n:1: .*{reason}$"):
        units.convert({**row("a", {"n": 1}, 1.0), **changes}, unit, "f")


def test_a_list_in_a_selector_means_any_of_its_values():
    rows = [row(name, {"n": n}, 1.0) for name, n in (("a", 1), ("b", 2), ("c", 1))] + [
        row("a", {"n": 3}, None)
    ]
    assert [matches({"variant": ["a", "b"], "n": [1, 2]}, one) for one in rows] == [True, True, False, False]
    assert [matches({"status": ["measured", "skipped"]}, one) for one in rows] == [True] * 4
    assert not matches({"missing": [1, 2]}, rows[0]) and not matches({"n": [True]}, rows[0])
    assert matches({"missing": [1, None]}, rows[0]) and not matches({"n": [None]}, rows[0])  # null: lacking
    assert matches({"clock": [None]}, {**rows[0], "clock": None})


def test_a_selector_asks_for_parameters_and_for_measured():
    good, estimate, skipped = (
        row("a", {"n": 1}, 1.0),
        row("a", {"n": 1}, 1.0, status="estimate"),
        row("a", {"n": 1}, None),
    )
    selector = {"variant": "a", "n": 1, "status": "measured"}
    assert [matches(selector, one) for one in (good, estimate, skipped)] == [True, True, False]
    assert not matches({"missing": 1}, good)
    assert not matches({"n": True}, good)
    assert key_of(row("a", {"n": 2.0, "on": True}, 1.0), ["variant", "n", "on", "none"]) == (
        "a",
        "2",
        "yes",
        "",
    )
