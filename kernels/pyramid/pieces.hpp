#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>

namespace gridmark::pyramid {

/// Values begin ... end - 1 of the rod, and the padding that stands before and behind them; both are clipped
/// at the physical ends, where padding would let the heat out too late.
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
    /// Of all pieces together, padding included: what is solved and sent back.
    std::size_t padded() const;
    std::size_t count() const { return (n + length - 1) / length; }
    Piece operator[](std::size_t k) const;
    /// Values of the rod beyond piece k - 1's end that its response reaches, 0 for k = 0: there piece k's own
    /// response is added to what stands there; from there on it is the first.
    std::size_t reached_before(std::size_t k) const;
};

/// The longest pieces that fit `device_values` values, where a padded piece of m takes values_of(m), which
/// grows with m; one piece without padding where the whole rod fits. Throws std::invalid_argument where not
/// even pieces as long as their padding do (shorter ones would reach past their neighbours).
Pieces pieces_for(std::size_t n, std::size_t padding, std::size_t device_values,
                  const std::function<std::size_t(std::size_t)>& values_of);

}  // namespace gridmark::pyramid
