"""Steps in PyTorch: a compiled step from one of two states into the other, many of them as one CUDA graph."""

from __future__ import annotations

import torch


def version() -> str:
    return f"torch {torch.__version__}"


def has_gpu() -> bool:
    return torch.cuda.is_available()


def on_device(array) -> torch.Tensor:
    return torch.from_numpy(array).to("cuda" if has_gpu() else "cpu")


class TorchPeer:
    """`step(now)` gives the next state; states are lists of tensors. Where steps are short, launching them
    one by one from Python costs more than they do: a CUDA graph of `together` steps (an even number, so that
    it ends in the state in which it began) launches them at once.
    """

    together = 20

    def __init__(self, step, first):
        self._first = [torch.from_numpy(array) for array in first]
        self._states = [[on_device(array) for array in first] for _ in range(2)]
        self._at, self._graph = 0, None

        @torch.compile(fullgraph=True, dynamic=False)
        def into(now, after):
            for old, new in zip(after, step(now), strict=True):
                old.copy_(new)

        self._into = into

    def start(self):
        self._at = 0
        for tensor, first in zip(self._states[0], self._first, strict=True):
            tensor.copy_(first)

    def run(self, count: int):
        if has_gpu() and count > self.together:
            count -= self._replay(count)
        for _ in range(count):
            self._one()
        if has_gpu():
            torch.cuda.synchronize()

    def state(self):
        return [tensor.cpu().numpy() for tensor in self._states[self._at]]

    def answer(self):
        return self.state()[0]

    def _one(self):
        self._into(self._states[self._at], self._states[self._at ^ 1])
        self._at ^= 1

    def _replay(self, count: int) -> int:
        """Steps by the graph, as many as make whole ones; those before compile, and begin it in its state."""
        before = 2 if self._graph is None else 0
        before += (self._at + before) % 2
        for _ in range(before):
            self._one()
        if self._graph is None:
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                for _ in range(self.together):
                    self._one()
            self._graph = graph
        replays = (count - before) // self.together
        for _ in range(replays):
            self._graph.replay()
        return before + replays * self.together
