#pragma once

#include "kernels/pyramid/box.hpp"
#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {

/// What a sweep along an axis computes with: y[i] = f[i] + lambda y[i-1], x[i] = y[i] + lambda x[i+1], and
/// scale x[i] - f[i]. Beyond the far end x is zero, as the box is odd about it; before the near end y is
/// -lambda times the backward sum of f, for the same reason.
template <class T>
struct Sweep {
    T lambda, scale;  ///< lambda of s / 2, and 2 (1 - lambda)^2
    int reach;        ///< points that the backward recurrence looks ahead at least
};

/// With what is left out at most `share` of the largest value.
template <class T>
Sweep<T> sweep_of(double s, double share) {
    const double lambda = decay(s / 2);
    return {static_cast<T>(lambda), static_cast<T>(2 * (1 - lambda) * (1 - lambda)),
            static_cast<int>(box_reach(s, share))};
}

}  // namespace gridmark::pyramid
