"""Steps in JAX: a compiled loop of a fixed number of steps, whose state is donated."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

# The GPU is shared with Gridmark's process: nothing is taken beyond what the arrays need.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gridmark_peers import ginzburg_landau, heat, jacobi, maxwell, pyramid

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


def shifted(y, offset):
    return jnp.concatenate([y[1:], y[-1:]] if offset > 0 else [y[:1], y[:-1]])


class GinzburgLandau(JaxPeer):
    """On a GPU several steps stand in the loop's body, since one takes no longer than its launches. On a CPU
    one does, since XLA makes one loop of all and computes neighbours' neighbours over and over.
    """

    def __init__(self, problem):
        k = ginzburg_landau.numbers(problem)
        steps_per_launch = 8 if has_gpu() else 1
        super().__init__(
            lambda state, _: ginzburg_landau.step(*state, k, shifted),
            tuple(problem.start),
            unroll=steps_per_launch,
        )

    def answer(self):
        return np.stack(self.state())


class Heat(JaxPeer):
    """Bordered anew in every step, which XLA makes one kernel of."""

    def __init__(self, problem):
        boundary = problem.number("boundary")
        weights = problem.number("dt_12"), problem.number("inverse_dx2")

        def step(t, beta):
            return heat.update(jnp.pad(t, 2, constant_values=boundary), beta, *weights)

        super().__init__(step, problem.start, problem.arrays["beta"])


class Jacobi(JaxPeer):
    """Edges and body chosen point by point, which XLA makes one kernel of."""

    def __init__(self, problem):
        ny, nx = problem.start.shape
        held, k = jacobi.body(problem), jacobi.weights(problem)

        def step(psi, omega):
            j, i = jnp.arange(ny)[:, None], jnp.arange(nx)[None, :]
            return jacobi.sweep(psi, jnp.pad(psi, 1), omega, i, j, held, k, jnp.where)

        super().__init__(step, problem.start, problem.arrays["omega"])


def diff(array, axis, low, high):
    return jnp.diff(array, axis=axis, prepend=low, append=high)


class Maxwell(JaxPeer):
    """XLA makes a kernel of each component, and small ones of the ghosts."""

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


class Pyramid(JaxPeer):
    """XLA makes one kernel of the convolution, and small ones of the ends."""

    def __init__(self, problem):
        step = pyramid.rod(problem, jnp.flip, jnp.concatenate)
        super().__init__(lambda x, _: step.along(x, 0), problem.start)


class PyramidBox(JaxPeer):
    """On a GPU convolutions. On a CPU products of matrices: XLA makes loops without vectors of the others."""

    def __init__(self, problem, convolves=None):
        if has_gpu() if convolves is None else convolves:
            step = pyramid.convolved_box(problem, jnp.flip, jnp.concatenate)
        else:
            # A GPU's tensor cores would round to TF32.
            step = pyramid.multiplied_box(problem, partial(jnp.matmul, precision=lax.Precision.HIGHEST))
        super().__init__(lambda u, _: step(u), problem.start)


#: By study.
PEERS = {
    "ginzburg_landau": GinzburgLandau,
    "heat": Heat,
    "jacobi": Jacobi,
    "maxwell": Maxwell,
    "pyramid": Pyramid,
    "pyramid_box": PyramidBox,
}
