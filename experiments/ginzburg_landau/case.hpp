#pragma once

#include <cstdint>
#include <memory>

#include "harness/stepper.hpp"
#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

/// A random start of n pairs, up to 0.5 so that the cubic term counts, and what the serial double reference
/// makes of it in a few steps. Made once and shared by all versions of that size.
template <class T>
struct Case : harness::StepCase<T> {
    Problem problem;
    std::uint64_t seed;

    Case(int n, std::uint64_t seed);
};

/// The case of n pairs; the last two asked for are kept.
template <class T>
std::shared_ptr<const Case<T>> shared_case(int n, std::uint64_t seed);

}  // namespace gridmark::ginzburg_landau
