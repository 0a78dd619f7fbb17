"""Steps in CuPy: expressions from one of two states into the other, which cupy.fuse makes kernels of."""

from __future__ import annotations

import cupy
import numpy as np

from gridmark_peers import jacobi


def version() -> str:
    return f"cupy {cupy.__version__}"


def has_gpu() -> bool:
    try:
        return cupy.cuda.runtime.getDeviceCount() > 0
    except cupy.cuda.runtime.CUDARuntimeError:
        return False


class CupyPeer:
    """`step(now, after)` puts the next state into `after`; what it does not write stays as at first."""

    def __init__(self, step, first):
        self._first, self._step, self._at = first, step, 0
        self._states = [cupy.asarray(first), cupy.asarray(first)]

    def start(self):
        self._at = 0
        for state in self._states:
            state.set(self._first)

    def run(self, count: int):
        for _ in range(count):
            self._step(self._states[self._at], self._states[self._at ^ 1])
            self._at ^= 1
        cupy.cuda.Device().synchronize()

    def answer(self):
        return self._states[self._at].get()


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


class Heat(CupyPeer):
    """One kernel of the formula by cupy.fuse, which takes 13 views of the bordered temperature."""

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


@cupy.fuse(kernel_name="relaxed")
def relaxed(east, west, north, south, omega, a, b, c):
    return a * (east + west) + b * (north + south) + c * omega


class Jacobi(CupyPeer):
    """One kernel of the formula by cupy.fuse; the outflow and the body by assignments."""

    def __init__(self, problem):
        omega, held = cupy.asarray(problem.arrays["omega"])[1:-1, 1:-1], jacobi.body(problem)
        # As scalars of the fields' type: Python's own would make the formula one in double.
        weights = [problem.dtype.type(problem.numbers[key]) for key in "abc"]

        def step(now, after):
            after[1:-1, 1:-1] = relaxed(*jacobi.neighbours(now), omega, *weights)
            after[1:-1, -1] = now[1:-1, -2]
            after[held] = now[held]

        super().__init__(step, problem.start)


#: By study.
PEERS = {
    "heat": Heat,
    "jacobi": Jacobi,
}
