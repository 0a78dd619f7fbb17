#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "harness/experiment.hpp"
#include "harness/stepper.hpp"
#include "kernels/pyramid/box.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/problem.hpp"
#include "kernels/storage.hpp"

namespace gridmark::pyramid {

/// Value i of a random start, in -1 ... 1, as a T holds it.
template <class T>
T start_value(std::uint64_t seed, std::size_t i);

/// A random start of n values, and a buffer to read a rod into. Made once and shared by all versions of that
/// size, which are verified one after the other.
template <class T>
struct Case {
    std::size_t n;
    std::uint64_t seed;
    Storage<T> start;
    mutable Storage<T> field;

    Case(std::size_t n, std::uint64_t seed);
};

/// The case of n values; the cache keeps the last two.
template <class T>
std::shared_ptr<const Case<T>> shared_case(std::size_t n, std::uint64_t seed);

/// Compares `field`, said to be the start `steps` steps later, with the serial reference in double. A short
/// rod is compared whole. A long one in windows at both ends, around seams of pieces and at random places,
/// each padded by the proven reach. The tolerance is what rounding can do, and `truncation` beside it for
/// what padding leaves out.
template <class T>
harness::Verification compare_steps(const Case<T>& c, std::span<const T> field, double s, int steps,
                                    const Pieces& pieces, double tolerance);

/// Runs `steps` steps from the start and compares.
template <class T>
harness::Verification verify_steps(const Case<T>& c, harness::Stepper<T>& stepper, double s, int steps,
                                   const Pieces& pieces, double tolerance);

/// Fills `field` with a start of a box whose steps are known at any size: a sum of products of random lines.
template <class T>
void start_box(const Box& box, std::uint64_t seed, std::span<T> field);

/// Compares a whole box, said to be that start `steps` steps later, with it: each line is stepped by itself,
/// serially and in double.
template <class T>
harness::Verification compare_box(const Box& box, std::uint64_t seed, std::span<const T> field, int steps,
                                  double tolerance);

}  // namespace gridmark::pyramid
