#pragma once

#include <cstdint>
#include <vector>

#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

/// Random values, |u| and |v| up to `amplitude`, as a state of 2 n. From small ones the zero state, which is
/// unstable, grows into the uniform one of |W| = 1 in patches.
template <class T>
std::vector<T> random_state(const Problem& problem, std::uint64_t seed, double amplitude);

/// A wave along the domain with `waves` half periods, flat at both ends: u = 0.9 cos(k x), v = 0.3 cos(2 k
/// x).
template <class T>
std::vector<T> wave_state(const Problem& problem, int waves);

}  // namespace gridmark::ginzburg_landau
