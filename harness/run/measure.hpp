#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/model/predict.hpp"
#include "harness/run/job.hpp"

namespace gridmark::harness {

/// Members of one group that use the same clock: what is measured in turns.
struct Session {
    std::string group;  ///< value of the rows' key `group`
    Series::Clock clock;
    std::vector<std::pair<const Point*, Series>> members;
};

/// What sessions share within a child process.
struct MeasureContext {
    std::string experiment;
    Protocol protocol;
    launch::Device* gpu;
    MachineLimits machine;
    bool is_first;   ///< it alone reads counters of CPU variants, in a pass of their own, and profiles
    int device = 0;  ///< ordinal of the GPU
};

/// The rows of a session: verified, then timed in turns. A point that cannot be prepared or whose answer is
/// wrong gets a failed row and no time, and the others go on; an error while samples are taken fails all that
/// are timed together. `gpu_lost` is set after an error that only a new process recovers from; the rows not
/// yet measured are then failed.
std::vector<Row> measure_session(const Session& session, const MeasureContext& context, bool& gpu_lost);

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
