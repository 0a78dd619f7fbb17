"""Heat in Devito: its own Laplacian of fourth order, which is the 13-point star."""

from __future__ import annotations

import devito

from gridmark_peers.devito_loop import DevitoPeer, grid_of


class Peer(DevitoPeer):
    def __init__(self, problem):
        grid = grid_of(problem.start)
        t = devito.TimeFunction(name="t", grid=grid, time_order=1, space_order=4)
        ratio = devito.Function(name="ratio", grid=grid, space_order=0)
        weight = 12 * problem.numbers["dt_12"] * problem.numbers["inverse_dx2"]
        ratio.data[:] = problem.arrays["beta"] * weight
        super().__init__(t, t + ratio * t.laplace, problem.start, problem.number("boundary"))
