"""Steps in CuPy: array expressions that cupy.fuse makes one kernel of, launched as a CUDA graph."""

from __future__ import annotations

import cupy


def version() -> str:
    return f"cupy {cupy.__version__}"


class CupyPeer:
    """`step(now, next)` puts the next state into `next`."""

    together = 20

    def __init__(self, step, first):
        self._first = first
        self._states = [cupy.empty(array.shape, array.dtype) for array in first]
        self._at = 0
        self._step = step
        self._graph = None

    def start(self):
        for state, first in zip(self._states, self._first, strict=True):
            state.set(first)
        self._at = 0

    def run(self, count: int):
        while count > 0:
            if self._at == 0 and count >= self.together:
                self._replay()
                count -= self.together
            else:
                self._one()
                count -= 1
        cupy.cuda.Device().synchronize()

    def state(self):
        return self._states[self._at].get()

    def _one(self):
        self._step(self._states[self._at], self._states[self._at ^ 1])
        self._at ^= 1

    def _replay(self):
        if self._graph is None:
            stream = cupy.cuda.Stream(non_blocking=True)
            cupy.cuda.Device().synchronize()
            with stream:
                stream.begin_capture()
                for _ in range(self.together):
                    self._one()
                self._graph = stream.end_capture()
            self._stream = stream
        self._graph.launch(self._stream)
