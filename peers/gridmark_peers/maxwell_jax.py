"""Maxwell in JAX: a loop over all points for each of the six components."""

from __future__ import annotations

import jax.numpy as jnp

from gridmark_peers import maxwell
from gridmark_peers.jax_loop import JaxPeer


def diff(array, axis, low, high):
    return jnp.diff(array, axis=axis, prepend=low, append=high)


class Peer(JaxPeer):
    def __init__(self, problem):
        self._problem = problem
        first = maxwell.first_state(problem)
        first["drive"] = [jnp.float64(value) for value in first["drive"]]
        dct, numbers = problem.number("dct"), problem.numbers
        constants = maxwell.coefficients(problem)
        nz = len(constants["half"][2])

        def at_z_min(amount):
            return jnp.where(jnp.arange(nz) == 0, amount.astype(problem.dtype), 0)

        def step(state, k):
            return maxwell.step(state, k, numbers, dct, at_z_min, diff)

        super().__init__(step, first, constants)

    def answer(self):
        return maxwell.answer(self._problem, self.state())
