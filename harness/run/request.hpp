#pragma once

#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/run/job.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/run.hpp"

namespace gridmark::harness {

/// What a run was asked for, checked.
struct RunRequest {
    RunOptions options;  ///< as given; but where one row is wanted, the preset or the axes that have it
    std::vector<std::string> experiments;
    /// About how long each takes, as it declares, on a machine with a GPU and on one without; with axes at most.
    std::vector<double> with_gpu, without_gpu;
    double ceilings_seconds;      ///< about how long the ceilings take before
    RowFilter filter;
    Job job;  ///< what the jobs of all processes have in common; its task: reading the machine
};

/// Refuses whatever of the options is wrong before anything is written or measured. Throws UsageError.
RunRequest check_request(const RunOptions& options);

/// The same options; where they leave the number of threads open, all that this process may use.
RunOptions with_threads(RunOptions options);

}  // namespace gridmark::harness
