#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/gpu/kernel_clock.hpp"
#include "harness/run/missing_reason.hpp"

namespace gridmark::harness {

/// The rows of a timeline from what was recorded in its pass: the time that the GPU was busy with each
/// activity and the spans of it, in microseconds. Throws std::runtime_error when nothing was recorded.
std::vector<nlohmann::json> timeline_rows(const std::string& experiment, const Timeline& timeline,
                                          const Activities& recorded);

/// Verifies the variant, runs a pass to warm up and records another: the rows of the timeline. Without a
/// right answer or a recording they hold no number but the reason. `gpu_lost` is set after an error that only
/// a new process recovers from.
std::vector<nlohmann::json> measure_timeline(const std::string& experiment, const Timeline& timeline,
                                             bool& gpu_lost);

}  // namespace gridmark::harness
