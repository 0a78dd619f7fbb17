#pragma once

#include "harness/experiment.hpp"

/// What the plan's parts share.
namespace gridmark::maxwell {

/// All that is streamed on n^3 nodes, if anything is in the preset, with coefficients as arrays or by index.
void add_streamed(harness::Plan& plan, const harness::PlanContext& context, int n, bool by_index);
/// When the GPU sends, computes and fetches.
void add_timelines(harness::Plan& plan, const harness::PlanContext& context);

}  // namespace gridmark::maxwell
