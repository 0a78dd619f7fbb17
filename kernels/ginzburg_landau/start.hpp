#pragma once

#include <cstdint>
#include <vector>

#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

/// Small random values, |u| and |v| below 0.1, as a state of 2 n: the zero state is unstable, and grows into
/// the uniform one of |W| = 1 in patches.
template <class T>
std::vector<T> random_state(const Problem& problem, std::uint64_t seed);

/// A wave along the domain with `waves` half periods, flat at both ends: u = 0.9 cos(k x), v = 0.3 cos(2 k
/// x).
template <class T>
std::vector<T> wave_state(const Problem& problem, int waves);

}  // namespace gridmark::ginzburg_landau
