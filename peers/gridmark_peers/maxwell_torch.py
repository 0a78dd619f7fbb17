"""Maxwell in PyTorch: torch.compile makes the kernels of a step of all of it."""

from __future__ import annotations

import numpy as np
import torch
from torch.utils import _pytree as tree

from gridmark_peers import maxwell
from gridmark_peers.torch_loop import TorchPeer, on_device


def diff(array, axis, low, high):
    return torch.diff(array, dim=axis, prepend=low, append=high)


class Peer(TorchPeer):
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
