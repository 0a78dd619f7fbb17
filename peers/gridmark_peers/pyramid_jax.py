from __future__ import annotations

import jax.numpy as jnp
from jax import lax

from gridmark_peers.jax_loop import JaxPeer


class Peer(JaxPeer):
    def __init__(self, problem):
        s = problem.number("s")

        def step(x, _):
            off = jnp.full_like(x, -s)
            lower, upper = off.at[0].set(0), off.at[-1].set(0)
            return lax.linalg.tridiagonal_solve(lower, jnp.full_like(x, 1 + 2 * s), upper, x[:, None])[:, 0]

        super().__init__(step, problem.start, None)

    def answer(self):
        return self.state()
