#pragma once

#include "experiments/pyramid/sweep.hpp"

/// Rows that no clock gives: computed ones, and those derived from other rows.
namespace gridmark::pyramid {

/// What a sweep moves over the link and solves, per value and step.
void add_traffic(harness::Plan& plan, const Sweep& sweep);

/// The error of a pass over height and padding, and whether the minimal padding achieves what is requested.
void add_errors(harness::Plan& plan);

/// The minimal padding and the paper's over the height.
void add_paddings(harness::Plan& plan);

/// The paper's estimate beside a sweep of its version: its two costs as fitted, both forms over the height,
/// and the best heights.
void add_models(harness::Plan& plan, const Sweep& sweep);

}  // namespace gridmark::pyramid
