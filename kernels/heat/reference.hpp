#pragma once

#include <span>
#include <vector>

#include "kernels/heat/problem.hpp"

namespace gridmark::heat {

/// The contract of every version: `steps` steps in double from interior fields of nx * ny * nz
/// values; returns the last temperature. With T = 37 (the boundary) in the two layers outside,
///   T' = T + beta dt/12 * sum over axes of (-T[-2] + 16 T[-1] - 30 T[0] + 16 T[+1] - T[+2]) / dx^2.
/// Source: thesis, equation (2.10), signs mended.
std::vector<double> reference_solve(const Problem& problem, std::span<const double> t0,
                                    std::span<const double> beta, int steps);

/// The same at the `size` points from `begin` on alone: from the points that so many steps can carry there.
template <class T>
std::vector<double> reference_window(const Problem& problem, std::span<const T> t0, std::span<const T> beta,
                                     const Extent& begin, const Extent& size, int steps);

}  // namespace gridmark::heat
