"""Steps in NumPy, on one core: what a script without any compiler takes."""

from __future__ import annotations

import numpy as np


def version() -> str:
    return f"numpy {np.__version__}"


def has_gpu() -> bool:
    return False


class NumpyPeer:
    """`step(now)` gives the next state."""

    def __init__(self, step, first):
        self._first, self._step, self._state = first, step, first

    def start(self):
        self._state = self._first

    def run(self, count: int):
        for _ in range(count):
            self._state = self._step(self._state)

    def answer(self):
        return self._state
