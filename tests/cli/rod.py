"""The steps of examples/study, computed again."""

import numpy as np
from solving import Solving


def solve(program, folder, study, variant, *settings):
    """The last field, the first one and the settings that `solve` wrote."""
    with Solving(study)(program, folder, variant, *settings) as file:
        return file["u"][:], file["u0"][:], dict(file["parameters"].attrs)


def recomputed(u, p):
    """The steps in double; the ends stay."""
    u = u.astype(np.float64)
    for _ in range(p["steps"]):
        u[1:-1] += p["r"] * (u[:-2] - 2 * u[1:-1] + u[2:])
    return u


def bound(p):
    """How far rounding can take any value from that."""
    epsilon = np.finfo(np.float32 if p["precision"] == "float" else np.float64).eps
    return p["steps"] * (15 * p["r"] + 1) * epsilon
