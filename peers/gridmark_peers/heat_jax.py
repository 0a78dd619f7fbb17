"""Heat in JAX: the temperature inside, bordered anew in every step; XLA makes one loop over all points of it."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from gridmark_peers.heat import update
from gridmark_peers.jax_loop import JaxPeer


FORM = 0


class Peer(JaxPeer):
    def __init__(self, problem):
        boundary = problem.number("boundary")
        weights = problem.number("dt_12"), problem.number("inverse_dx2")

        def step(t, beta):
            return update(jnp.pad(t, 2, constant_values=boundary), beta, *weights)

        def bordered(t, beta):
            return t.at[2:-2, 2:-2, 2:-2].set(update(t, beta, *weights))

        def repadded(t, beta):
            return jnp.pad(update(t, beta, *weights), 2, constant_values=boundary)

        first = problem.start if FORM == 0 else np.pad(problem.start, 2, constant_values=boundary)
        super().__init__([step, bordered, repadded][FORM], first, problem.arrays["beta"])

    def answer(self):
        return self.state() if FORM == 0 else self.state()[2:-2, 2:-2, 2:-2]
