"""Ginzburg-Landau in JAX. On a GPU several steps stand in the loop's body, since one takes no longer than its
launches; on a CPU one, since XLA makes one loop of all and computes neighbours' neighbours over and over.
"""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from gridmark_peers.ginzburg_landau import numbers, step
from gridmark_peers.jax_loop import JaxPeer, has_gpu


def shifted(y, offset):
    return jnp.concatenate([y[1:], y[-1:]] if offset > 0 else [y[:1], y[:-1]])


class Peer(JaxPeer):
    def __init__(self, problem):
        k = numbers(problem)
        steps_per_launch = 8 if has_gpu() else 1
        super().__init__(
            lambda state, _: step(*state, k, shifted), tuple(problem.start), unroll=steps_per_launch
        )

    def answer(self):
        return np.stack(self.state())
