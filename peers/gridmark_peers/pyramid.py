"""The pyramid study's step, for any framework whose arrays can be sliced.

The matrix has constant coefficients, so its inverse is known: away from the ends a row of it is
lambda^|k| / sqrt(1 + 4 s), and falls below rounding a few dozen values from its middle. A step is a
convolution with that; at the ends, where what is zero outside mirrors the row with the other sign, it is a
small matrix.
"""

from __future__ import annotations

import numpy as np


def inverse_of(problem) -> tuple[list[float], np.ndarray]:
    """Half a row of the inverse from its middle on, and the rows of the first values, which reach twice as
    far. Throws ValueError where the rod is shorter than two of these.
    """
    s = problem.numbers["s"]
    root = np.sqrt(1 + 4 * s)
    decay = (1 + 2 * s - root) / (2 * s)
    reach = int(np.ceil(np.log(np.finfo(problem.dtype).eps / 8) / np.log(decay)))
    if problem.start.size < 4 * reach:
        raise ValueError(f"a rod of fewer than {4 * reach} values")
    i, j = np.arange(reach)[:, None], np.arange(2 * reach)[None, :]
    ends = (decay ** np.abs(i - j) - decay ** (i + j + 2)) / root
    return [float(weight) for weight in decay ** np.arange(reach + 1) / root], ends.astype(problem.dtype)


def solve(x, row, ends, flip, concatenate):
    """A step: the ends by the small matrix, the rest by the convolution."""
    reach, n = len(row) - 1, x.shape[0]
    inside = row[0] * x[reach : n - reach]
    for k in range(1, reach + 1):
        inside = inside + row[k] * (x[reach - k : n - reach - k] + x[reach + k : n - reach + k])
    low = (ends * x[: 2 * reach]).sum(1)
    high = flip((ends * flip(x[n - 2 * reach :])).sum(1))
    return concatenate([low, inside, high])
