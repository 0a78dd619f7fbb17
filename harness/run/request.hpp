#pragma once

#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/os/limits.hpp"
#include "harness/run/job.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/run.hpp"

namespace gridmark::harness {

/// About how many seconds something takes on the host of the reference, with its GPU and without: an
/// experiment, as it declares, or the ceilings.
struct Forecast {
    double with_gpu, without_gpu;
    bool scales = true;  ///< with the speed of a core; a limit to sampling does not

    /// On a machine of which a core takes `pace` times as long: what needs no GPU does, too.
    double on(bool gpu, double pace) const {
        const double more = scales ? without_gpu * (pace - 1) : 0;
        return (gpu ? with_gpu : without_gpu) + more;
    }
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
    std::vector<double> seconds(bool gpu, double pace) const;
};

/// Refuses whatever of the options is wrong before anything is written or measured. Throws UsageError.
RunRequest check_request(const RunOptions& options);

/// How many times as long as a core of the reference's host one takes here, measured in milliseconds.
double core_pace();

/// The same options for the threads that came.
RunOptions with_threads(RunOptions options, const Threads& team);

}  // namespace gridmark::harness
