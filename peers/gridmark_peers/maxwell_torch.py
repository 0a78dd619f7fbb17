"""Maxwell in PyTorch: torch.compile makes the kernels of a step of it all."""

from __future__ import annotations

import numpy as np
import torch
from torch.utils import _pytree as tree

from gridmark_peers import maxwell
from gridmark_peers.torch_loop import TorchPeer, device


def diff(array, axis, low, high):
    return torch.diff(array, dim=axis, prepend=low, append=high)


class Peer(TorchPeer):
    def __init__(self, problem):
        self._problem = problem
        dct, numbers = problem.number("dct"), problem.numbers
        first, self._form = tree.tree_flatten(tree.tree_map(np.asarray, maxwell.first_state(problem)))
        k = tree.tree_map(lambda a: torch.from_numpy(np.ascontiguousarray(a)).to(device()), maxwell.coefficients(problem))
        first_of_line = torch.zeros_like(k["half"][2])
        first_of_line[0] = 1

        def at_z_min(amount):
            return amount.to(first_of_line.dtype) * first_of_line

        def step(now, after):
            state = tree.tree_unflatten(now, self._form)
            for old, new in zip(after, tree.tree_leaves(maxwell.step(state, k, numbers, dct, at_z_min, diff)), strict=True):
                old.copy_(new)

        super().__init__(step, [np.ascontiguousarray(a) for a in first])

    def answer(self):
        return maxwell.answer(self._problem, tree.tree_unflatten(self.state(), self._form))
