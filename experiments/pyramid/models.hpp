#pragma once

#include "experiments/pyramid/sweep.hpp"

namespace gridmark::pyramid {

/// The paper's estimate beside a sweep of its version: its two costs as fitted to the sweep, both forms of it
/// over the height, and the height of the least time as measured and as either form has it.
void add_models(harness::Plan& plan, const Sweep& sweep);

}  // namespace gridmark::pyramid
