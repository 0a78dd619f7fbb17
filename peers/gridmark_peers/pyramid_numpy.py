"""Pyramid in NumPy."""

from __future__ import annotations

import numpy as np

from gridmark_peers.numpy_loop import NumpyPeer
from gridmark_peers.pyramid import inverse_of, solve


class Peer(NumpyPeer):
    def __init__(self, problem):
        row, ends = inverse_of(problem)
        super().__init__(lambda x: solve(x, row, ends, np.flip, np.concatenate), problem.start)
