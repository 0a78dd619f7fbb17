#pragma once

#include "kernels/jacobi/problem.hpp"

namespace gridmark::jacobi {

/// The study's arithmetic for one inside point, from its east, west, north and south neighbours and omega.
/// Source: paper, equation (1.2) solved for the new value.
template <class T>
constexpr T update(const Coefficients<T>& k, T east, T west, T north, T south, T omega) {
    return k.a * (east + west) + k.b * (north + south) + k.c * omega;
}

}  // namespace gridmark::jacobi
