"""Maxwell in NumPy."""

from __future__ import annotations

import numpy as np

from gridmark_peers import maxwell
from gridmark_peers.numpy_loop import NumpyPeer


def diff(array, axis, low, high):
    ends = {name: end for name, end in (("prepend", low), ("append", high)) if end is not None}
    return np.diff(array, axis=axis, **ends)


class Peer(NumpyPeer):
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
