#pragma once

#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/os/limits.hpp"
#include "harness/run/job.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/run.hpp"

namespace gridmark::harness {

/// What a run was asked for, checked.
struct RunRequest {
    RunOptions options;  ///< as given; but where one row is wanted, the preset or the axes that have it
    std::vector<std::string> experiments;
    std::vector<double> seconds;  ///< about how long each takes, as it declares; with axes at most
    double ceilings_seconds;      ///< about how long the ceilings take before
    RowFilter filter;
    Job job;  ///< what the jobs of all processes have in common; its task: reading the machine
};

/// Refuses whatever of the options is wrong before anything is written or measured. Throws UsageError.
RunRequest check_request(const RunOptions& options);

/// The same options for the threads that came.
RunOptions with_threads(RunOptions options, const Threads& team);

}  // namespace gridmark::harness
