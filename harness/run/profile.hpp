#pragma once

#include <string>
#include <vector>

#include "harness/expected.hpp"
#include "harness/experiment.hpp"

namespace gridmark::harness {

/// A metric of every launch, from what ncu printed. The reason names the counter that has no values there.
Expected<std::vector<double>> metric_values(const Metric& metric, const std::string& ncu_output);

/// The rows of a profiled point, one a metric, from one run of the profiler. A metric that it gives no values
/// for has a skipped row with the reason, and the others stay: where the profiler refuses all metrics for one
/// of them, it is run for each by itself.
std::vector<Row> profile_rows(const std::string& experiment, const ProfiledPoint& point, int device);

}  // namespace gridmark::harness
