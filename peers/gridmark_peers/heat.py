"""The formula of the heat study's step, for any framework whose arrays can be sliced."""

from __future__ import annotations


def update(t, beta, dt_12, inverse_dx2):
    """A step from temperatures with two layers around them: the 13-point star, as kernels/heat/update.hpp."""

    def second_derivative(axis):
        def at(offset):
            index = [slice(2, -2)] * 3
            index[axis] = slice(2 + offset, t.shape[axis] - 2 + offset)
            return t[tuple(index)]

        return (16 * at(-1) - at(-2) - 30 * at(0) + 16 * at(1) - at(2)) * inverse_dx2

    sum_ = second_derivative(2) + second_derivative(1) + second_derivative(0)
    return t[2:-2, 2:-2, 2:-2] + beta * dt_12 * sum_
