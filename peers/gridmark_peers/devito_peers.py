"""Steps in Devito: an operator that it compiles to C for all cores, in the blocks that its tuning finds."""

from __future__ import annotations

import os

os.environ.setdefault("DEVITO_LANGUAGE", "openmp")
os.environ.setdefault("DEVITO_ARCH", "gcc")
os.environ.setdefault("DEVITO_LOGGING", "ERROR")

import devito
import numpy as np


def version() -> str:
    return f"devito {devito.__version__}"


def has_gpu() -> bool:
    return False


def grid_of(array: np.ndarray) -> devito.Grid:
    """A grid of the array's points and type, a unit apart."""
    return devito.Grid(shape=array.shape, extent=tuple(n - 1 for n in array.shape), dtype=array.dtype.type)


class DevitoPeer:
    """Steps `field`, whose `after` is its forward time, from `first`; what lies around the grid is `outside`,
    always."""

    def __init__(self, field: devito.TimeFunction, after, first: np.ndarray, outside: float):
        self._field, self._first, self._outside = field, first, outside
        self._operator = devito.Operator([devito.Eq(field.forward, after)], subs=field.grid.spacing_map)
        self.start()
        # Tried on the fields themselves, a block after the other; each run needs to be told the best.
        self._operator.apply(time_m=0, time_M=0, autotune="aggressive")
        self._tuned = self._operator._state["autotuning"][-1]["tuned"]
        self._at = 0

    def start(self):
        self._field.data_with_halo[:] = self._outside
        self._field.data[0] = self._first
        self._at = 0

    def run(self, count: int):
        self._operator.apply(time_m=self._at, time_M=self._at + count - 1, **self._tuned)
        self._at += count

    def answer(self):
        return self._field.data[self._at % 2]


class Heat(DevitoPeer):
    """Its own Laplacian of fourth order, which is the 13-point star."""

    def __init__(self, problem):
        grid = grid_of(problem.start)
        t = devito.TimeFunction(name="t", grid=grid, time_order=1, space_order=4)
        ratio = devito.Function(name="ratio", grid=grid, space_order=0)
        weight = 12 * problem.numbers["dt_12"] * problem.numbers["inverse_dx2"]
        ratio.data[:] = problem.arrays["beta"] * weight
        super().__init__(t, t + ratio * t.laplace, problem.start, problem.number("boundary"))


#: By study.
PEERS = {
    "heat": Heat,
}
