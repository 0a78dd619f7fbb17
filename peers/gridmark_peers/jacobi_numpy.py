"""Jacobi in NumPy: all points inside, then the outflow, then the body back again."""

from __future__ import annotations

from gridmark_peers.jacobi import body, relaxed
from gridmark_peers.numpy_loop import NumpyPeer


class Peer(NumpyPeer):
    def __init__(self, problem):
        omega, held = problem.arrays["omega"], body(problem)
        weights = [problem.number(key) for key in "abc"]

        def step(psi):
            after = psi.copy()
            after[1:-1, 1:-1] = relaxed(psi, omega, *weights)
            after[1:-1, -1] = psi[1:-1, -2]
            after[held] = psi[held]
            return after

        super().__init__(step, problem.start)

    def answer(self):
        return self.state()
