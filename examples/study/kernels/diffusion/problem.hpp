#pragma once

/// Heat along a rod in explicit steps: n points, whose first and last keep their value. Source: equation (1)
/// of the example paper in docs/add-a-study.md.
///
/// A field is n values, from one end of the rod to the other.
namespace gridmark::diffusion {

/// n points; r is dt / dx^2.
struct Problem {
    int n;
    double r;
};

/// The problem of n points. Throws std::invalid_argument for n below 2 or above 2^30, and for an r that is
/// not above 0 and at most 1/2: beyond it a step is unstable.
Problem rod(int n, double r = 0.25);

/// Declared cost of a step, counted by tests: the least traffic (every value read once and written once) and
/// the operations of an inner point.
template <class T>
constexpr double bytes_per_point = 2.0 * sizeof(T);
constexpr double flops_per_point = 5;

/// How far rounding to T can take any value in some steps from what the reference makes of the same start, as
/// long as no value of the start is above `largest`. Verification uses it: derived, not tuned.
template <class T>
double rounding_bound(const Problem& problem, int steps, double largest);

}  // namespace gridmark::diffusion
