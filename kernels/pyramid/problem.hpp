#pragma once

#include <cstddef>

/// The heat equation in one dimension by fully implicit steps, U(0) = U(W) = C. Source: A. V. Kochurov,
/// "Solving implicit grid equations on graphics processors by the pyramid method" (in Russian), equation (1):
///   -s U[i-1]' + (1 + 2 s) U[i]' - s U[i+1]' = U[i],  s = alpha^2 h_t / h_x^2.
///
/// Here U is what is above C: it is zero outside both ends. So a step is U' = A^-1 U with a matrix that has
/// no boundary term. (Adding C to every piece would break superposition.)
namespace gridmark::pyramid {

/// n interior unknowns.
struct Problem {
    std::size_t n;
    double s;
};

/// A rod of n unknowns. Throws std::invalid_argument unless n is positive and s is positive and at most 1e6.
Problem rod(std::size_t n, double s);

/// Any three constant diagonals, a U[i-1]' + b U[i]' + a U[i+1]' = U[i], by a rod. With D the signs 1, -1, 1
/// ... where a and b have the same sign, else the identity, A^-1 = factor D R^-1 D. R is the rod's matrix.
struct Pair {
    double s;
    bool alternating;  ///< whether D has both signs
    double factor;     ///< 1 / (|b| - 2 |a|), with the sign of b
};

/// The pair's rod: s = |a| / (|b| - 2 |a|). Throws std::invalid_argument where the inverse does not decay,
/// that is unless |b| > 2 |a| > 0, and where it decays less than rod() allows.
Pair pair_of(double a, double b);

/// lambda < 1 with (1 + 2 s) lambda = s (1 + lambda^2): the response of A^-1 to a single value decays by
/// lambda from point to point.
double decay(double s);

/// The factor by which a step multiplies the sine of `half_waves` half periods over the rod:
/// 1 / (1 + 4 s sin^2(half_waves pi / (2 (n + 1)))).
double sine_factor(const Problem& problem, double half_waves);

}  // namespace gridmark::pyramid
