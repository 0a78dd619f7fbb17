#pragma once

#include <cstddef>

/// How much padding a piece needs. A^-h of an unbounded rod has the symbol (1 + 4 s sin^2(theta / 2))^-h;
/// with lambda = decay(s) that is (1 - lambda)^2h / ((1 - lambda z)^h (1 - lambda / z)^h), z = exp(i theta).
/// So the response to a single value is the distribution of X - Y, two independent negative binomial numbers:
/// failures, each of probability lambda, before the h-th success. It is positive, its sum is 1, and its
/// variance 2 s h: padding grows like the root of h, not like h as the paper has it (p = h r).
namespace gridmark::pyramid {

/// Sum of the response of h steps at distances of `distance` and more to one side: P(X - Y >= distance). To
/// rounding, down to 1e-300.
double response_tail(double s, int h, std::size_t distance);

/// What one pass of h steps with p zeros on either side of each piece can do to a value at most, for values
/// up to 1. A point beyond the padding misses the tail of a piece at either side; one inside it has the
/// piece's image at the padding's end too much, which is less than the same tail.
double padding_error(double s, int h, std::size_t p);

/// The least padding whose error is at most `tolerance` (above 0) in one pass of h steps.
std::size_t least_padding(double s, int h, double tolerance);

/// The paper's padding p = h r, with r the least of one step.
std::size_t paper_padding(double s, int h, double tolerance);

}  // namespace gridmark::pyramid
