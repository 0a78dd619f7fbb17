"""Jacobi in PyTorch: edges and body chosen point by point, which torch.compile makes one kernel of."""

from __future__ import annotations

import torch
from torch.nn.functional import pad

from gridmark_peers.jacobi import body, sweep, weights
from gridmark_peers.torch_loop import TorchPeer, on_device


class Peer(TorchPeer):
    def __init__(self, problem):
        omega = on_device(problem.arrays["omega"])
        ny, nx = problem.start.shape
        held, k = body(problem), weights(problem)

        def step(now):
            (psi,) = now
            j = torch.arange(ny, device=psi.device)[:, None]
            i = torch.arange(nx, device=psi.device)[None, :]
            return [sweep(psi, pad(psi, [1] * 4), omega, i, j, held, k, torch.where)]

        super().__init__(step, [problem.start])
