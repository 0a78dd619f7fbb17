"""Steps in NumPy, on one core: what a script without any compiler takes."""

from __future__ import annotations

import numpy as np

from gridmark_peers import ginzburg_landau, heat, jacobi, maxwell, pyramid


def version() -> str:
    return f"numpy {np.__version__}"


def has_gpu() -> bool:
    return False


class NumpyPeer:
    """`step(now)` gives the next state."""

    def __init__(self, step, first):
        self._first, self._step, self._state = first, step, first

    def start(self):
        self._state = self._first

    def run(self, count: int):
        for _ in range(count):
            self._state = self._step(self._state)

    def answer(self):
        return self._state


def shifted(y, offset):
    return np.append(y[1:], y[-1:]) if offset > 0 else np.append(y[:1], y[:-1])


class GinzburgLandau(NumpyPeer):
    def __init__(self, problem):
        k = ginzburg_landau.numbers(problem)
        super().__init__(lambda state: np.stack(ginzburg_landau.step(*state, k, shifted)), problem.start)


class Heat(NumpyPeer):
    """The formula on slices of the bordered temperature."""

    def __init__(self, problem):
        beta, boundary = problem.arrays["beta"], problem.number("boundary")
        weights = problem.number("dt_12"), problem.number("inverse_dx2")
        super().__init__(
            lambda t: heat.update(np.pad(t, 2, constant_values=boundary), beta, *weights), problem.start
        )


class Jacobi(NumpyPeer):
    """All points but the edges, then the outflow, then the body back again."""

    def __init__(self, problem):
        omega, held = problem.arrays["omega"][1:-1, 1:-1], jacobi.body(problem)

        def step(psi):
            after = psi.copy()
            after[1:-1, 1:-1] = jacobi.relaxed(psi, omega, *jacobi.weights(problem))
            after[1:-1, -1] = psi[1:-1, -2]
            after[held] = psi[held]
            return after

        super().__init__(step, problem.start)


def diff(array, axis, low, high):
    ends = {name: end for name, end in (("prepend", low), ("append", high)) if end is not None}
    return np.diff(array, axis=axis, **ends)


class Maxwell(NumpyPeer):
    def __init__(self, problem):
        self._problem = problem
        dct, numbers, k = problem.number("dct"), problem.numbers, maxwell.coefficients(problem)
        first_of_line = np.eye(1, problem.start.shape[3] - 1, dtype=problem.dtype)[0]

        def at_z_min(amount):
            return amount.astype(problem.dtype) * first_of_line

        super().__init__(
            lambda state: maxwell.step(state, k, numbers, dct, at_z_min, diff), maxwell.first_state(problem)
        )

    def answer(self):
        return maxwell.answer(self._problem, super().answer())


class Pyramid(NumpyPeer):
    def __init__(self, problem):
        step = pyramid.rod(problem, np.flip, np.concatenate)
        super().__init__(lambda x: step.along(x, 0), problem.start)


class PyramidBox(NumpyPeer):
    """Products of matrices, by one thread (peers/start)."""

    def __init__(self, problem):
        super().__init__(pyramid.multiplied_box(problem, np.matmul), problem.start)


#: By study.
PEERS = {
    "ginzburg_landau": GinzburgLandau,
    "heat": Heat,
    "jacobi": Jacobi,
    "maxwell": Maxwell,
    "pyramid": Pyramid,
    "pyramid_box": PyramidBox,
}
