from __future__ import annotations

import jax.numpy as jnp

from gridmark_peers.jacobi import body, relaxed
from gridmark_peers.jax_loop import JaxPeer

FORM = 0


class Peer(JaxPeer):
    def __init__(self, problem):
        weights = [problem.number(key) for key in "abc"]
        y, x = problem.start.shape
        x1, y1, x2, y2 = (int(problem.numbers[key]) for key in ("x1", "y1", "x2", "y2"))

        def step(psi, omega):
            j, i = jnp.arange(1, y - 1)[:, None], jnp.arange(1, x - 1)[None, :]
            held = (j >= y1) & (j <= y2) & (i >= x1) & (i <= x2)
            inside = jnp.where(held, psi[1:-1, 1:-1], relaxed(psi, omega, *weights))
            rows = jnp.concatenate([psi[1:-1, :1], inside, psi[1:-1, -2:-1]], axis=1)
            return jnp.concatenate([psi[:1], rows, psi[-1:]], axis=0)

        def rolled(psi, omega):
            j, i = jnp.arange(y)[:, None], jnp.arange(x)[None, :]
            a, b, c = weights
            east, west = jnp.roll(psi, -1, 1), jnp.roll(psi, 1, 1)
            north, south = jnp.roll(psi, -1, 0), jnp.roll(psi, 1, 0)
            after = a * (east + west) + b * (north + south) + c * omega
            after = jnp.where(i == x - 1, west, after)
            held = (i == 0) | (j == 0) | (j == y - 1) | (j >= y1) & (j <= y2) & (i >= x1) & (i <= x2)
            return jnp.where(held, psi, after)

        held = body(problem)

        def boxed(psi, omega):
            after = psi.at[1:-1, 1:-1].set(relaxed(psi, omega, *weights))
            after = after.at[1:-1, -1].set(psi[1:-1, -2])
            return after.at[held].set(psi[held])

        super().__init__([step, rolled, boxed][FORM], problem.start, problem.arrays["omega"])

    def answer(self):
        return self.state()
