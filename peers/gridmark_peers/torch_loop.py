"""Steps in PyTorch: a compiled step from one of two states into the other, many of them as one CUDA graph."""

from __future__ import annotations

import torch


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
