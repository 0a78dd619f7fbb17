#pragma once

#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/os/limits.hpp"
#include "harness/run/job.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/run.hpp"

namespace gridmark::harness {

/// About how many seconds an experiment takes, as it declares, on a machine with a GPU and on one without;
/// with axes at most.
struct Forecast {
    double with_gpu, without_gpu;
};

/// What a run was asked for, checked.
struct RunRequest {
    RunOptions options;  ///< as given; but where one row is wanted, the preset or the axes that have it
    std::vector<std::string> experiments;
    std::vector<Forecast> forecasts;  ///< of each experiment
    double ceilings_seconds;          ///< about how long the ceilings take before
    RowFilter filter;
    Job job;  ///< what the jobs of all processes have in common; its task: reading the machine

    /// Of each experiment on such a machine.
    std::vector<double> seconds(bool gpu) const;
};

/// Refuses whatever of the options is wrong before anything is written or measured. Throws UsageError.
RunRequest check_request(const RunOptions& options);

/// The same options for the threads that came.
RunOptions with_threads(RunOptions options, const Threads& team);

}  // namespace gridmark::harness
