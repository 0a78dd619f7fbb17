"""Numbers, units and selectors as text and as choices."""

import pytest
from synthetic import row

from gridmark_plots import numbers, units
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
