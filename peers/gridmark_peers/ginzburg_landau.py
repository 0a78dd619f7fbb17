"""The ginzburg_landau study's step, for any framework; `shifted(y, offset)` gives each point's neighbour."""

from __future__ import annotations


def rates(u, v, d, da, b, shifted):
    """The right-hand side, as kernels/ginzburg_landau/update.hpp."""
    lu = shifted(u, -1) + shifted(u, 1) - 2 * u
    lv = shifted(v, -1) + shifted(v, 1) - 2 * v
    norm = u * u + v * v
    return u - norm * (u - b * v) + (d * lu + da * lv), v - norm * (b * u + v) + (d * lv - da * lu)


def numbers(problem) -> list[float]:
    """What a step multiplies with."""
    return [problem.number(name) for name in ("d", "da", "b", "dt")]


def step(u, v, k, shifted):
    """A classical Runge-Kutta step of fourth order; `k` are the `numbers` of a problem."""
    d, da, b, dt = k
    after_u, after_v, at_u, at_v = u, v, u, v
    for weight, stage in ((dt / 6, dt / 2), (dt / 3, dt / 2), (dt / 3, dt), (dt / 6, 0)):
        ku, kv = rates(at_u, at_v, d, da, b, shifted)
        after_u, after_v = after_u + weight * ku, after_v + weight * kv
        at_u, at_v = u + stage * ku, v + stage * kv
    return after_u, after_v
