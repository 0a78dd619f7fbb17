#pragma once

#include <cstdint>
#include <memory>

#include "harness/cache.hpp"
#include "harness/stepper.hpp"
#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

/// A random start of n pairs, up to 0.5 so that the cubic term counts, and what the reference in double
/// makes of it in some steps. Made once and shared by all versions of that size which need as many. Where
/// rounding grows so fast that the tolerance after `most_steps` steps is large beside the field, the case has
/// fewer: about a half, a quarter, and so on.
template <class T>
struct Case : harness::StepCase<T> {
    Problem problem;

    Case(int n, std::uint64_t seed, int most_steps);
};

/// The case of n pairs and at most so many steps; those asked for are kept as long as memory is plenty.
template <class T>
std::shared_ptr<const Case<T>> shared_case(int n, std::uint64_t seed, int most_steps) {
    return harness::shared<Case<T>>(2.0 * n * (sizeof(T) + sizeof(double)), n, seed, most_steps);
}

/// Steps by which a version that makes up to `most` of them in a launch is verified, if rounding allows:
/// three launches, of which the last has one step left.
constexpr int verified_steps(int most) {
    return 2 * most + 1;
}

}  // namespace gridmark::ginzburg_landau
