"""Jacobi in NumPy: all points but the edges, then the outflow, then the body back again."""

from __future__ import annotations

from gridmark_peers.jacobi import body, relaxed, weights
from gridmark_peers.numpy_loop import NumpyPeer


class Peer(NumpyPeer):
    def __init__(self, problem):
        omega, held = problem.arrays["omega"][1:-1, 1:-1], body(problem)

        def step(psi):
            after = psi.copy()
            after[1:-1, 1:-1] = relaxed(psi, omega, *weights(problem))
            after[1:-1, -1] = psi[1:-1, -2]
            after[held] = psi[held]
            return after

        super().__init__(step, problem.start)
