#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

/// How a rod is cut into pieces, and how far each is padded.
namespace gridmark::pyramid {

/// Values begin ... end - 1 of the rod, and the padding before and behind them. Padding is clipped at the
/// physical ends, where it would let the heat out too late.
struct Piece {
    std::size_t begin, end, low, high;

    std::size_t values() const { return end - begin; }
    std::size_t padded() const { return low + values() + high; }
};

/// A rod of n values in pieces of `length`, the last one shorter, each padded by up to `padding`.
struct Pieces {
    std::size_t n, length, padding;

    /// Of all pieces the longest, padding included.
    std::size_t longest() const { return std::min(n, length + 2 * padding); }
    /// Sum over all pieces, padding included: what is solved and sent back.
    std::size_t padded() const;
    std::size_t count() const { return (n + length - 1) / length; }
    Piece operator[](std::size_t k) const;
    /// Values of the rod beyond piece k - 1's end that its response reaches, 0 for k = 0. There piece k's own
    /// response is added to that; further on it is the first.
    std::size_t reached_before(std::size_t k) const;
};

/// The longest pieces that fit `device_values` values, or one piece without padding where the whole rod fits.
/// A padded piece of m takes values_of(m), which grows with m. Throws std::invalid_argument where not even
/// pieces as long as their padding do (shorter ones would reach past their neighbours).
Pieces pieces_for(std::size_t n, std::size_t padding, std::size_t device_values,
                  const std::function<std::size_t(std::size_t)>& values_of);

// How much padding a piece needs. A^-h of an unbounded rod has the symbol (1 + 4 s sin^2(theta / 2))^-h. With
// lambda = decay(s) and z = exp(i theta) that is (1 - lambda)^2h / ((1 - lambda z)^h (1 - lambda / z)^h). So
// the response to a single value is the distribution of X - Y, two independent negative binomial numbers.
// Each counts failures, of probability lambda, before the h-th success. The response is positive, its sum is
// 1, and its variance 2 s h. So padding grows like the root of h, not like h as the paper has it (p = h r).

/// Sum of the response of h steps at distances of `distance` and more to one side: P(X - Y >= distance). To
/// rounding, down to 1e-300.
double response_tail(double s, int h, std::size_t distance);

/// The largest error of values up to 1 after one pass of h steps with p zeros on either side of each piece. A
/// point beyond the padding misses the tail of a piece at either side. One inside it has the piece's image at
/// the padding's end too much, which is less than the same tail.
double padding_error(double s, int h, std::size_t p);

/// The minimal padding whose error is at most `tolerance` (above 0) in one pass of h steps.
std::size_t minimal_padding(double s, int h, double tolerance);

/// The paper's padding p = h r, with r the minimal one of a step.
std::size_t paper_padding(double s, int h, double tolerance);

}  // namespace gridmark::pyramid
