"""Numbers as text: four significant digits at most, grouped thousands, never an exponent where avoidable."""

import math

NARROW_SPACE = "\u202f"
DASH = "\u2013"


def decimals_for(value, digits=4):
    """How many decimals show `digits` significant digits of a value, as rounded: 9.9996 is 10.00."""
    if value == 0 or not math.isfinite(value):
        return 0
    power = int(f"{value:.{digits - 1}e}".split("e")[1])
    return max(0, digits - 1 - power)


def fixed(value, decimals):
    """A value with this many decimals and its thousands set apart."""
    return f"{value:,.{decimals}f}".replace(",", NARROW_SPACE)


def measured(value, digits=4):
    """A measured value: always the same number of significant digits, so that columns line up."""
    if value is None:
        return DASH
    if value != 0 and not 1e-4 <= abs(value) < 1e9:
        return f"{value:.{digits - 1}e}"
    return fixed(value, decimals_for(value, digits))


def published(value, digits=4):
    """A published value: as it was printed, without digits that it never had."""
    if value is None:
        return DASH
    text = measured(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def interval(bounds, digits=4):
    """An interval as text, both ends with the decimals of the larger one; empty when there is none."""
    if bounds is None:
        return ""
    low, high = bounds
    largest = max(abs(low), abs(high))
    if largest != 0 and not 1e-4 <= largest < 1e9:
        return f"{measured(low, digits)} to {measured(high, digits)}"
    decimals = decimals_for(largest, digits)
    return f"{fixed(low, decimals)} to {fixed(high, decimals)}"


def exact(value):
    """A value for a CSV cell: up to ten significant digits, a plain point, nothing for a missing one."""
    return "" if value is None else f"{value:.10g}"


def count(number, noun):
    """`1 row`, `3 rows`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
