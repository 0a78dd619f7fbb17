"""Jacobi in JAX: edges and body chosen point by point, which XLA makes one kernel of."""

from __future__ import annotations

import jax.numpy as jnp

from gridmark_peers.jacobi import body, sweep, weights
from gridmark_peers.jax_loop import JaxPeer


class Peer(JaxPeer):
    def __init__(self, problem):
        ny, nx = problem.start.shape
        held, k = body(problem), weights(problem)

        def step(psi, omega):
            j, i = jnp.arange(ny)[:, None], jnp.arange(nx)[None, :]
            return sweep(psi, jnp.pad(psi, 1), omega, i, j, held, k, jnp.where)

        super().__init__(step, problem.start, problem.arrays["omega"])
