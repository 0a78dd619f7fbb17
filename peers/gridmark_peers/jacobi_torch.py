from __future__ import annotations

import torch

from gridmark_peers.jacobi import body, relaxed
from gridmark_peers.torch_loop import TorchPeer, device

FORM = 0


class Peer(TorchPeer):
    def __init__(self, problem):
        weights = [problem.number(key) for key in "abc"]
        omega = torch.from_numpy(problem.arrays["omega"]).to(device())
        y, x = problem.start.shape
        x1, y1, x2, y2 = (int(problem.numbers[key]) for key in ("x1", "y1", "x2", "y2"))

        def step(now, next_):
            (psi,), (after,) = now, next_
            j = torch.arange(1, y - 1, device=psi.device)[:, None]
            i = torch.arange(1, x - 1, device=psi.device)[None, :]
            held = (j >= y1) & (j <= y2) & (i >= x1) & (i <= x2)
            after[1:-1, 1:-1] = torch.where(held, psi[1:-1, 1:-1], relaxed(psi, omega, *weights))
            after[1:-1, -1] = psi[1:-1, -2]

        def rolled(now, next_):
            (psi,), (after,) = now, next_
            j = torch.arange(y, device=psi.device)[:, None]
            i = torch.arange(x, device=psi.device)[None, :]
            a, b, c = weights
            east, west = torch.roll(psi, -1, 1), torch.roll(psi, 1, 1)
            north, south = torch.roll(psi, -1, 0), torch.roll(psi, 1, 0)
            new = a * (east + west) + b * (north + south) + c * omega
            new = torch.where(i == x - 1, west, new)
            held = (i == 0) | (j == 0) | (j == y - 1) | (j >= y1) & (j <= y2) & (i >= x1) & (i <= x2)
            after.copy_(torch.where(held, psi, new))

        held = body(problem)

        def boxed(now, next_):
            (psi,), (after,) = now, next_
            after[1:-1, 1:-1] = relaxed(psi, omega, *weights)
            after[1:-1, -1] = psi[1:-1, -2]
            after[held] = psi[held]

        super().__init__([step, rolled, boxed][FORM], [problem.start])

    def answer(self):
        return self.state()[0]
