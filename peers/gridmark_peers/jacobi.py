"""The jacobi study's sweep, for any framework whose arrays can be sliced."""

from __future__ import annotations


def relaxed(bordered, omega, a, b, c):
    """Points from their neighbours, as kernels/jacobi/update.hpp; `bordered` has one more on each side."""
    east, west, north, south = neighbours(bordered)
    return a * (east + west) + b * (north + south) + c * omega


def neighbours(psi):
    return psi[1:-1, 2:], psi[1:-1, :-2], psi[2:, 1:-1], psi[:-2, 1:-1]


def body(problem) -> tuple[slice, slice]:
    """The box of points that the body takes, rows first."""
    x1, y1, x2, y2 = (int(problem.numbers[key]) for key in ("x1", "y1", "x2", "y2"))
    return slice(y1, y2 + 1), slice(x1, x2 + 1)


def weights(problem) -> list[float]:
    return [problem.number(key) for key in "abc"]


def sweep(psi, bordered, omega, i, j, held, k, where):
    """All of a sweep as one expression: `i` and `j` are the points' columns and rows, `held` is the body, `k`
    the weights.
    """
    ny, nx = psi.shape
    rows, columns = held
    after = where(i == nx - 1, bordered[1:-1, :-2], relaxed(bordered, omega, *k))
    on_body = (j >= rows.start) & (j < rows.stop) & (i >= columns.start) & (i < columns.stop)
    return where((i == 0) | (j == 0) | (j == ny - 1) | on_body, psi, after)
