"""Maxwell in JAX: XLA makes a kernel of each component, and small ones of the ghosts."""

from __future__ import annotations

import jax.numpy as jnp

from gridmark_peers import maxwell
from gridmark_peers.jax_loop import JaxPeer


def diff(array, axis, low, high):
    return jnp.diff(array, axis=axis, prepend=low, append=high)


class Peer(JaxPeer):
    def __init__(self, problem):
        self._problem = problem
        dct, numbers, nz = problem.number("dct"), problem.numbers, problem.start.shape[3] - 1

        def at_z_min(amount):
            return jnp.where(jnp.arange(nz) == 0, amount.astype(problem.dtype), 0)

        super().__init__(
            lambda state, k: maxwell.step(state, k, numbers, dct, at_z_min, diff),
            maxwell.first_state(problem),
            maxwell.coefficients(problem),
        )

    def answer(self):
        return maxwell.answer(self._problem, self.state())
