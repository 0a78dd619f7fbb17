"""Steps in CuPy: expressions from one of two states into the other, which cupy.fuse makes kernels of."""

from __future__ import annotations

import cupy


def version() -> str:
    return f"cupy {cupy.__version__}"


def has_gpu() -> bool:
    try:
        return cupy.cuda.runtime.getDeviceCount() > 0
    except cupy.cuda.runtime.CUDARuntimeError:
        return False


class CupyPeer:
    """`step(now, after)` puts the next state into `after`; what it does not write stays as at first."""

    def __init__(self, step, first):
        self._first, self._step, self._at = first, step, 0
        self._states = [cupy.asarray(first), cupy.asarray(first)]

    def start(self):
        self._at = 0
        for state in self._states:
            state.set(self._first)

    def run(self, count: int):
        for _ in range(count):
            self._step(self._states[self._at], self._states[self._at ^ 1])
            self._at ^= 1
        cupy.cuda.Device().synchronize()

    def answer(self):
        return self._states[self._at].get()
