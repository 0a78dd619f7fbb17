"""Steps in JAX: a compiled loop of a fixed number of steps, whose state is donated."""

from __future__ import annotations

import os
from pathlib import Path

# The GPU is shared with Gridmark's process: nothing is taken beyond what the arrays need.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)


def version() -> str:
    return f"jax {jax.__version__}"


def has_gpu() -> bool:
    return jax.default_backend() == "gpu"


def keep_what_is_compiled():
    """On a GPU, in files: each process of a run compiles the same. (What the CPU's compiler makes, JAX reads
    back with warnings only.)"""
    if has_gpu() and jax.config.jax_compilation_cache_dir is None:
        caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        jax.config.update("jax_compilation_cache_dir", str(Path(caches, "gridmark", "jax")))


class JaxPeer:
    """Advances a state by `step(state, constants)`. The number of steps of a loop is known to the compiler: a
    loop whose end is computed would ask the host for it in every step. So there are a few lengths of loops,
    and any count is made of them. `unroll` steps stand in a loop's body, for steps as short as a launch.
    """

    lengths = (1024, 32, 1)

    def __init__(self, step, first, constants=None, unroll=1):
        keep_what_is_compiled()
        self._first = first
        self._constants = jax.device_put(constants)
        self._state = None

        def advance(state, constants, count):
            body = lambda _, state: step(state, constants)  # noqa: E731
            return lax.fori_loop(0, count, body, state, unroll=min(unroll, count))

        self._advance = jax.jit(advance, static_argnums=2, donate_argnums=0)

    def start(self):
        self._state = jax.device_put(self._first)

    def run(self, count: int):
        for length in self.lengths:
            for _ in range(count // length):
                self._state = self._advance(self._state, self._constants, length)
            count %= length
        jax.block_until_ready(self._state)

    def state(self):
        return jax.tree.map(np.asarray, self._state)

    answer = state
