#pragma once

#include <string>
#include <vector>

#include "experiments/pyramid/sweep.hpp"

/// Rows that no clock gives: counted and computed ones, and those derived from other rows.
namespace gridmark::pyramid {

/// What passes of a sweep move over the link and solve, per value: counted while they run on the GPU. The
/// copy engines' own count stands beside it where `by_engine`, for low heights: a record is kept of each
/// kernel.
void add_traffic(harness::Plan& plan, const harness::PlanContext& context, const Sweep& sweep,
                 bool by_engine);

/// How many layers of the rod a pass of this sweep's size keeps in host memory: by the paper's version, and
/// by the one with one layer.
void add_host_layers(harness::Plan& plan, const harness::PlanContext& context, const Sweep& sweep);

/// The error of a pass over height and padding, and whether the minimal padding achieves what is requested:
/// by the paper's driver, with the CPU in the device's place and on the GPU.
void add_errors(harness::Plan& plan, const harness::PlanContext& context);

/// The minimal padding and the paper's over the height.
void add_paddings(harness::Plan& plan);

/// The largest error of a pass of a synchronous version, in double, over six pieces. All values start at 1,
/// so that what the pieces leave out adds up.
double error_of_a_pass(launch::Device& device, const std::string& variant, double s, int height,
                       std::size_t padding);

/// mu of the estimate: the cores of the GPU.
void add_cores(harness::Plan& plan, const harness::PlanContext& context);

/// The paper's estimate beside a sweep of its version: its two costs as fitted, both forms over the height,
/// how near they come to the measured times, and what the heights cost that they choose.
void add_models(harness::Plan& plan, const Sweep& sweep);

/// Names of rows that time a step over the height.
struct TimesOverHeight {
    harness::Planned of;  ///< named and described without a height
    std::vector<int> heights;
    std::vector<std::string> rows;
    std::string in_memory;  ///< the row that times the same solver in memory; empty: none
};

/// The best of the measured heights, a step's time at it, and which share of the speed in memory that is.
void add_best(harness::Plan& plan, const TimesOverHeight& times);
/// Of a sweep, beside its solver's point in memory where the plan has one.
void add_best(harness::Plan& plan, const Sweep& sweep);

/// Which of a sweep's heights the model chooses by the machine's ceilings (modelled_height), a step's time at
/// it, and how many times that of the best.
void add_choice(harness::Plan& plan, const Sweep& sweep, const harness::MachineLimits& machine);

/// The estimate's transfers and solves beside those that were counted (add_traffic).
void add_estimated_counts(harness::Plan& plan, const Sweep& sweep);

}  // namespace gridmark::pyramid
