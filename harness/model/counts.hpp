#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/launch/demand.hpp"

namespace gridmark::harness {

/// Each takes warps of its own.
inline constexpr double schedulers_of_a_multiprocessor = 4;

/// What the profiler counted of a kernel for one of each of launch::Demand's units: instructions of warps,
/// bytes and operations as Demand has them.
struct Counts {
    std::string_view as;      ///< Point::counted_as
    std::string_view kernel;  ///< launch::Demand::kernel
    std::array<double, 3> instructions, l1_bytes, l2_bytes, flops;
};

/// All that `make demands` counted. Its file, counted.cpp, is generated, and names the card and the commit.
std::span<const Counts> counts();

/// Adds to kernels what is counted of them, and what follows from it. False, and some are left as they were,
/// if one has units and no counts.
bool add_counts(std::vector<launch::Demand>& kernels, std::span<const Counts> counts, const std::string& as);

}  // namespace gridmark::harness
