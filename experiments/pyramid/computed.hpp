#pragma once

#include "experiments/pyramid/sweep.hpp"

/// Rows that no clock is needed for.
namespace gridmark::pyramid {

/// What a sweep moves over the link and solves, per value and step.
void add_traffic(harness::Plan& plan, const Sweep& sweep);

/// The error of a pass over height and padding, and whether the least padding keeps what is asked.
void add_errors(harness::Plan& plan);

/// The least padding and the paper's over the height.
void add_paddings(harness::Plan& plan);

}  // namespace gridmark::pyramid
