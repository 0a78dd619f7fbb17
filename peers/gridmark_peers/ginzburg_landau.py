"""The ginzburg_landau study's step, for any framework; `shifted(y, offset)` are the neighbours."""

from __future__ import annotations


def rates(u, v, d, da, b, shifted):
    """The right-hand side, as kernels/ginzburg_landau/update.hpp."""
    lu = shifted(u, -1) + shifted(u, 1) - 2 * u
    lv = shifted(v, -1) + shifted(v, 1) - 2 * v
    norm = u * u + v * v
    return u - norm * (u - b * v) + (d * lu + da * lv), v - norm * (b * u + v) + (d * lv - da * lu)


def runge_kutta(u, v, dt, rate):
    """A classical step of fourth order; `rate(u, v)` is the pair of both derivatives."""
    k = rate(u, v)
    nu, nv = u + dt / 6 * k[0], v + dt / 6 * k[1]
    for weight, step in ((dt / 3, dt / 2), (dt / 3, dt / 2), (dt / 6, dt)):
        k = rate(u + step * k[0], v + step * k[1])
        nu, nv = nu + weight * k[0], nv + weight * k[1]
    return nu, nv
