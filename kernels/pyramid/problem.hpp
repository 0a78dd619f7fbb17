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

/// lambda < 1 with (1 + 2 s) lambda = s (1 + lambda^2): the response of A^-1 to a single value decays by
/// lambda from point to point.
double decay(double s);

/// The factor by which a step multiplies the sine of `half_waves` half periods over the rod:
/// 1 / (1 + 4 s sin^2(half_waves pi / (2 (n + 1)))).
double sine_factor(const Problem& problem, double half_waves);

}  // namespace gridmark::pyramid
