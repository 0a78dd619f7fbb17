"""Steps in PyTorch: a compiled step from one of two states into the other, many of them as one CUDA graph."""

from __future__ import annotations

import os

import torch

MODE = os.environ.get("MODE", "max-autotune-no-cudagraphs")
if "TILES" in os.environ:
    import torch._inductor.config as ic
    ic.triton.max_tiles = int(os.environ["TILES"])
    ic.triton.prefer_nd_tiling = True
if "COORD" in os.environ:
    import torch._inductor.config as ic
    ic.coordinate_descent_tuning = True


def version() -> str:
    return f"torch {torch.__version__}"


def device() -> str:
    return "cuda" if torch.cuda.is_available() else "cpu"


class TorchPeer:
    """`step(now, after)` makes state `after` of state `now`; both are lists of tensors, and the same one where
    the step works in place. Where steps are short, launching them one by one from Python costs more than they
    do: a CUDA graph of `together` steps (an even number) launches them at once."""

    together = 20

    def __init__(self, step, first, in_place=False):
        self._first = [torch.from_numpy(array) for array in first]
        now = [torch.empty_like(array, device=device()) for array in self._first]
        self._states = [now, now if in_place else [torch.empty_like(array) for array in now]]
        self._at = 0
        self._step = torch.compile(step, mode=MODE, fullgraph=True, dynamic=False)
        self._graph, self._graphs = None, False

    def start(self):
        self._at = 0
        for state in self._states:
            for tensor, first in zip(state, self._first, strict=True):
                tensor.copy_(first)

    def run(self, count: int):
        while count > 0:
            if self._graphs and self._at == 0 and count >= self.together:
                self._replay()
                count -= self.together
            else:
                self._one()
                count -= 1
        if device() == "cuda":
            torch.cuda.synchronize()

    def state(self):
        return [tensor.cpu().numpy() for tensor in self._states[self._at]]

    def _one(self):
        self._step(self._states[self._at], self._states[self._at ^ 1])
        self._at ^= 1
        self._graphs = device() == "cuda"

    def _replay(self):
        """The graph, captured at first; the steps before have compiled what it holds."""
        if self._graph is None:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                for _ in range(self.together):
                    self._one()
            self._graph = graph
        self._graph.replay()
