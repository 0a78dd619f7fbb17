"""The pyramid study's steps, for any framework whose arrays can be sliced.

The matrix has constant coefficients, so its inverse is known: away from the ends a row of it is
lambda^|k| / sqrt(1 + 4 s), and falls below rounding a few dozen values from its middle. A step of a rod is a
convolution with that; at the ends, where what is zero outside mirrors the row with the other sign, it is a
small matrix.

A step of a box is 2 (I + s/2 D)^-1 - I an axis (Crank and Nicolson's), in one of two forms. A convolution
computes least. Products with full matrices compute more, which a CPU's libraries make up for.
"""

from __future__ import annotations

import numpy as np


def inverse_of(s: float, shortest: int, dtype) -> tuple[np.ndarray, np.ndarray]:
    """Half a row of the inverse from its middle on, and the rows of the first values, which reach twice as
    far. Throws ValueError where the shortest line has fewer values than two of these.
    """
    root = np.sqrt(1 + 4 * s)
    decay = (1 + 2 * s - root) / (2 * s)
    reach = int(np.ceil(np.log(np.finfo(dtype).eps / 8) / np.log(decay)))
    if shortest < 4 * reach:
        raise ValueError(f"a line of fewer than {4 * reach} values")
    i, j = np.arange(reach)[:, None], np.arange(2 * reach)[None, :]
    ends = (decay ** np.abs(i - j) - decay ** (i + j + 2)) / root
    return decay ** np.arange(reach + 1) / root, ends


class Convolution:
    """A matrix that is a row away from the ends and `ends` there, by functions of a framework: flip(array,
    axis) and concatenate(arrays, axis). `on_device` puts an array where the steps are.
    """

    def __init__(self, problem, row, ends, flip, concatenate, on_device=np.asarray):
        self._row = [float(weight) for weight in row]
        self._ends = on_device(ends.astype(problem.dtype))
        self._flip, self._concatenate = flip, concatenate

    def along(self, x, axis):
        """Of the lines of an array: the ends by the small matrix, the rest by the convolution."""
        row, reach, n = self._row, len(self._row) - 1, x.shape[axis]

        def part(begin, end):
            return x[(slice(None),) * axis + (slice(begin, end),)]

        inside = row[0] * part(reach, n - reach)
        for k in range(1, reach + 1):
            inside = inside + row[k] * (part(reach - k, n - reach - k) + part(reach + k, n - reach + k))
        ends = self._ends.reshape(self._ends.shape + (1,) * (len(x.shape) - axis - 1))

        def low(first):
            return (ends * first[(slice(None),) * axis + (None,)]).sum(axis + 1)

        high = self._flip(low(self._flip(part(n - 2 * reach, n), axis)), axis)
        return self._concatenate([low(part(0, 2 * reach)), inside, high], axis)


def rod(problem, *framework) -> Convolution:
    """A step of a rod."""
    row, ends = inverse_of(problem.numbers["s"], problem.start.size, problem.dtype)
    return Convolution(problem, row, ends, *framework)


def convolved_box(problem, *framework):
    """A step of a box, a function of the values: a convolution an axis."""
    row, ends = inverse_of(problem.numbers["s"] / 2, min(problem.start.shape), problem.dtype)
    row, ends = 2 * row, 2 * ends - np.eye(*ends.shape)
    row[0] -= 1
    sweep = Convolution(problem, row, ends, *framework)

    def step(u):
        for axis in (2, 1, 0):
            u = sweep.along(u, axis)
        return u

    return step


def multiplied_box(problem, matmul, on_device=np.asarray):
    """The same by a full matrix an axis."""

    def matrix(n):
        d = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
        inverse = np.linalg.inv(np.eye(n) + problem.numbers["s"] / 2 * d)
        return on_device((2 * inverse - np.eye(n)).astype(problem.dtype))

    nz, ny, nx = problem.start.shape
    along_z, along_y, along_x = matrix(nz), matrix(ny), matrix(nx)

    def step(u):
        u = matmul(along_y, matmul(u, along_x))  # symmetric, as all are
        return matmul(along_z, u.reshape(nz, ny * nx)).reshape(nz, ny, nx)

    return step
