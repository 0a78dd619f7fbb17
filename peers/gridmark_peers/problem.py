"""A problem as a peer gets it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass
class Problem:
    """Numbers and arrays of one problem; `start` is the state at first, and a peer's answer has its form."""

    numbers: dict[str, float]
    arrays: dict[str, np.ndarray]

    @property
    def start(self) -> np.ndarray:
        return self.arrays["start"]

    @property
    def dtype(self) -> np.dtype:
        return self.start.dtype

    def number(self, name: str) -> float:
        """A number, rounded to the fields' type: what the studies' own kernels multiply with."""
        return float(self.dtype.type(self.numbers[name]))
