#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/results/row.hpp"

/// A GPU's work by two clocks: its kernels alone with warm caches (`kernel/hot`), and a whole step of a graph
/// (`step/graph`). What one clock says and the other reverses is not resolved.
namespace gridmark::harness {

/// The row of the same work by the other of these clocks; null where none is fit, or `row` has neither.
const Row* by_other_clock(const Row& row, const std::vector<Row>& rows);

/// What it is called: "step/graph" of a row by `kernel/hot`, and the other way round; else empty.
std::string other_clock_of(const Row& row);

/// Numerator / denominator by the other clock, where both clocks tell the two apart and disagree which is
/// faster. `ratio` is what their own clock says.
std::optional<Ratio> reversed_ratio(const Row& numerator, const Row& denominator, const Ratio& ratio,
                                    const std::vector<Row>& rows);

}  // namespace gridmark::harness
