#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/run/measure_group.hpp"

namespace gridmark::harness {

/// Rows that a process measures at one go: what a crash on the way costs.
struct Task {
    std::vector<std::string> rows;
    std::function<std::vector<Row>()> measure;  ///< one row for each name
};

/// What a process measures of a plan, in order: the rows of `wanted` that can run here. Those whose numbers
/// need one process only are left to the first. The tasks refer to all four arguments; `gpu_lost` is set
/// after an error that only a new process recovers from.
std::vector<Task> tasks_of(const Plan& plan, const std::set<std::string>& wanted,
                           const MeasureContext& context, bool& gpu_lost);

}  // namespace gridmark::harness
