"""The jacobi study's sweep, for any framework whose arrays can be sliced."""

from __future__ import annotations


def relaxed(psi, omega, a, b, c):
    """All points but the edges, as kernels/jacobi/update.hpp; the body's are not held yet."""
    return (
        a * (psi[1:-1, 2:] + psi[1:-1, :-2]) + b * (psi[2:, 1:-1] + psi[:-2, 1:-1]) + c * omega[1:-1, 1:-1]
    )


def body(problem) -> tuple[slice, slice]:
    """The box of points that the body takes."""
    x1, y1, x2, y2 = (int(problem.numbers[key]) for key in ("x1", "y1", "x2", "y2"))
    return slice(y1, y2 + 1), slice(x1, x2 + 1)
