"""Heat in CuPy: cupy.fuse makes one kernel of the formula, which takes 13 views of the temperature."""

from __future__ import annotations

import cupy
import numpy as np

from gridmark_peers.cupy_loop import CupyPeer


@cupy.fuse(kernel_name="heat_step")
def star(beta, c, a1, a2, a3, a4, b1, b2, b3, b4, c1, c2, c3, c4, dt_12, inverse_dx2):
    x = (16 * a2 - a1 - 30 * c + 16 * a3 - a4) * inverse_dx2
    y = (16 * b2 - b1 - 30 * c + 16 * b3 - b4) * inverse_dx2
    z = (16 * c2 - c1 - 30 * c + 16 * c3 - c4) * inverse_dx2
    return c + beta * dt_12 * (x + y + z)


class Peer(CupyPeer):
    def __init__(self, problem):
        beta = cupy.asarray(problem.arrays["beta"])
        weights = [problem.dtype.type(problem.numbers[k]) for k in ("dt_12", "inverse_dx2")]
        first = np.pad(problem.start, 2, constant_values=problem.number("boundary"))

        def views(t):
            yield t[2:-2, 2:-2, 2:-2]
            for axis in (2, 1, 0):
                for offset in (-2, -1, 1, 2):
                    index = [slice(2, -2)] * 3
                    index[axis] = slice(2 + offset, t.shape[axis] - 2 + offset)
                    yield t[tuple(index)]

        def step(now, after):
            star(beta, *views(now), *weights, out=after[2:-2, 2:-2, 2:-2])

        super().__init__(step, [first, first])

    def answer(self):
        return self.state()[2:-2, 2:-2, 2:-2]
