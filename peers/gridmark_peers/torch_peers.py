"""Steps in PyTorch: a compiled step from one of two states into the other, many of them as one CUDA graph."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import pad
from torch.utils import _pytree as tree

from gridmark_peers import ginzburg_landau, heat, jacobi, maxwell, pyramid


def version() -> str:
    return f"torch {torch.__version__}"


def has_gpu() -> bool:
    return torch.cuda.is_available()


def on_device(array) -> torch.Tensor:
    return torch.from_numpy(array).to("cuda" if has_gpu() else "cpu", copy=True)


class TorchPeer:
    """`step(now)` gives the next state; states are lists of tensors. Where steps are short, launching them
    one by one from Python costs more than they do: a CUDA graph of `steps_per_launch` steps launches them, of
    which `unroll` are compiled as one. It ends in the state in which it began: `steps_per_launch / unroll` is
    even.
    """

    def __init__(self, step, first, steps_per_launch=32, unroll=1):
        self._first = [torch.from_numpy(array) for array in first]
        self._states = [[on_device(array) for array in first] for _ in range(2)]
        self._steps_per_launch, self._unroll = steps_per_launch, unroll
        self._at, self._graph = 0, None

        def compiled(steps):
            @torch.compile(fullgraph=True, dynamic=False)
            def into(now, after):
                for _ in range(steps):
                    now = step(now)
                for old, new in zip(after, now, strict=True):
                    old.copy_(new)

            return into

        self._one = compiled(1)
        self._replayed = compiled(unroll) if unroll > 1 else self._one

    def start(self):
        self._at = 0
        for tensor, first in zip(self._states[0], self._first, strict=True):
            tensor.copy_(first)

    def run(self, count: int):
        if has_gpu() and count > self._steps_per_launch + 2 * self._unroll:
            count -= self._replay(count)
        self._launch(self._one, count)
        if has_gpu():
            torch.cuda.synchronize()

    def state(self):
        return [tensor.cpu().numpy() for tensor in self._states[self._at]]

    def answer(self):
        return self.state()[0]

    def _launch(self, steps, times: int):
        for _ in range(times):
            steps(self._states[self._at], self._states[self._at ^ 1])
            self._at ^= 1

    def _replay(self, count: int) -> int:
        """Does most of `count` steps by the graph, and says how many. It is captured from the first state on,
        after what it holds has been compiled."""
        before = self._at
        self._launch(self._one, before)
        if self._graph is None:
            self._launch(self._replayed, 2)
            before += 2 * self._unroll
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                self._launch(self._replayed, self._steps_per_launch // self._unroll)
            self._graph = graph
        replays = (count - before) // self._steps_per_launch
        for _ in range(replays):
            self._graph.replay()
        return before + replays * self._steps_per_launch


def shifted(y, offset):
    return torch.cat([y[1:], y[-1:]] if offset > 0 else [y[:1], y[:-1]])


class GinzburgLandau(TorchPeer):
    """torch.compile makes kernels of the stages, a CUDA graph launches them."""

    def __init__(self, problem):
        k = ginzburg_landau.numbers(problem)
        super().__init__(
            lambda now: ginzburg_landau.step(*now, k, shifted),
            list(problem.start),
            steps_per_launch=128,
            unroll=4,
        )

    def answer(self):
        return np.stack(self.state())


class Heat(TorchPeer):
    """Bordered anew in every step, which torch.compile makes one kernel of."""

    def __init__(self, problem):
        beta, boundary = on_device(problem.arrays["beta"]), problem.number("boundary")
        weights = problem.number("dt_12"), problem.number("inverse_dx2")
        super().__init__(
            lambda now: [heat.update(pad(now[0], [2] * 6, value=boundary), beta, *weights)], [problem.start]
        )


class Jacobi(TorchPeer):
    """Edges and body chosen point by point, which torch.compile makes one kernel of."""

    def __init__(self, problem):
        omega = on_device(problem.arrays["omega"])
        ny, nx = problem.start.shape
        held, k = jacobi.body(problem), jacobi.weights(problem)

        def step(now):
            (psi,) = now
            j = torch.arange(ny, device=psi.device)[:, None]
            i = torch.arange(nx, device=psi.device)[None, :]
            return [jacobi.sweep(psi, pad(psi, [1] * 4), omega, i, j, held, k, torch.where)]

        super().__init__(step, [problem.start])


def diff(array, axis, low, high):
    return torch.diff(array, dim=axis, prepend=low, append=high)


class Maxwell(TorchPeer):
    """torch.compile makes the kernels of a step of all of it."""

    def __init__(self, problem):
        self._problem = problem
        dct, numbers = problem.number("dct"), problem.numbers
        first, self._form = tree.tree_flatten(maxwell.first_state(problem))
        k = tree.tree_map(lambda a: on_device(np.ascontiguousarray(a)), maxwell.coefficients(problem))
        first_of_line = on_device(np.eye(1, problem.start.shape[3] - 1, dtype=problem.dtype)[0])

        def at_z_min(amount):
            return amount.to(first_of_line.dtype) * first_of_line

        def step(now):
            state = tree.tree_unflatten(now, self._form)
            return tree.tree_leaves(maxwell.step(state, k, numbers, dct, at_z_min, diff))

        super().__init__(step, [np.array(array, order="C") for array in first])

    def answer(self):
        return maxwell.answer(self._problem, tree.tree_unflatten(self.state(), self._form))


def flip(array, axis):
    return torch.flip(array, (axis,))


class Pyramid(TorchPeer):
    """torch.compile makes one kernel of the convolution, and small ones of the ends."""

    def __init__(self, problem):
        step = pyramid.rod(problem, flip, torch.cat, on_device)
        super().__init__(lambda now: [step.along(now[0], 0)], [problem.start])


class PyramidBox(TorchPeer):
    """On a GPU convolutions, as above. On a CPU products of matrices."""

    def __init__(self, problem, convolves=None):
        if has_gpu() if convolves is None else convolves:
            step = pyramid.convolved_box(problem, flip, torch.cat, on_device)
        else:
            torch.set_float32_matmul_precision("highest")  # no TF32
            step = pyramid.multiplied_box(problem, torch.matmul, on_device)
        super().__init__(lambda now: [step(now[0])], [problem.start])


#: By study.
PEERS = {
    "ginzburg_landau": GinzburgLandau,
    "heat": Heat,
    "jacobi": Jacobi,
    "maxwell": Maxwell,
    "pyramid": Pyramid,
    "pyramid_box": PyramidBox,
}
