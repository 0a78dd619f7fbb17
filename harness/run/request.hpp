#pragma once

#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/os/limits.hpp"
#include "harness/run/job.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/run.hpp"

namespace gridmark::harness {

/// About how many seconds something takes on a machine with a GPU and on one without: an experiment, as it
/// declares, with axes at most; the ceilings.
struct Forecast {
    double with_gpu, without_gpu;

    double on(bool gpu) const { return gpu ? with_gpu : without_gpu; }
};

/// What a run was asked for, checked.
struct RunRequest {
    RunOptions options;  ///< as given; but where one row is wanted, the preset or the axes that have it
    std::vector<std::string> experiments;
    std::vector<Forecast> forecasts;  ///< of each experiment
    Forecast ceilings;                ///< they are measured before
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
