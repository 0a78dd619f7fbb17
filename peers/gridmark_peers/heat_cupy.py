"""Heat in CuPy: one kernel of the formula by cupy.fuse, which takes 13 views of the bordered temperature."""

from __future__ import annotations

import cupy
import numpy as np

from gridmark_peers.cupy_loop import CupyPeer

INSIDE = (slice(2, -2),) * 3


def neighbours(t, axis):
    """Views of the four neighbours along an axis, from low to high."""
    for offset in (-2, -1, 1, 2):
        index = list(INSIDE)
        index[axis] = slice(2 + offset, t.shape[axis] - 2 + offset)
        yield t[tuple(index)]


@cupy.fuse(kernel_name="heat_step")
def star(t, beta, x1, x2, x3, x4, y1, y2, y3, y4, z1, z2, z3, z4, dt_12, inverse_dx2):
    x = (16 * x2 - x1 - 30 * t + 16 * x3 - x4) * inverse_dx2
    y = (16 * y2 - y1 - 30 * t + 16 * y3 - y4) * inverse_dx2
    z = (16 * z2 - z1 - 30 * t + 16 * z3 - z4) * inverse_dx2
    return t + beta * dt_12 * (x + y + z)


class Peer(CupyPeer):
    def __init__(self, problem):
        beta = cupy.asarray(problem.arrays["beta"])
        # As scalars of the fields' type: Python's own would make the formula one in double.
        weights = [problem.dtype.type(problem.numbers[name]) for name in ("dt_12", "inverse_dx2")]

        def step(now, after):
            around = [view for axis in (2, 1, 0) for view in neighbours(now, axis)]
            after[INSIDE] = star(now[INSIDE], beta, *around, *weights)

        super().__init__(step, np.pad(problem.start, 2, constant_values=problem.number("boundary")))

    def answer(self):
        return super().answer()[INSIDE]
