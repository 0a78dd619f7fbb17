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
        self._first = first
        self._step = step
        self._state = first

    def start(self):
        self._state = self._first  # a step makes a new one

    def run(self, count: int):
        for _ in range(count):
            self._state = self._step(self._state)

    def state(self):
        return self._state
