#pragma once

#include <optional>

#include "harness/experiment.hpp"
#include "harness/model/predict.hpp"

namespace gridmark::harness {

/// What bounds a series of a point most tightly, and the time that it allows, in microseconds; none when no
/// ceiling that applies was measured. For a point that declares its kernels' demands that is the largest term
/// of the model (predict()): it may be a chain of dependent operations, which goes by the latency that it
/// waits for most. For others candidates are the arithmetic peak, the bandwidth of the memory that the
/// working set sits in, and for the step clock the launch or graph node and the link between host and GPU,
/// either way and both. `resident`: blocks on a multiprocessor.
std::optional<Limit> tightest_limit(const Point& point, const Series& series, const MachineLimits& machine,
                                    std::optional<int> resident = std::nullopt);

/// For a point with temporal blocking: the same of a version that loads and stores in every step,
/// which a row's share of more than 1 shows to be beaten. None for any other point.
std::optional<Limit> stepwise_limit(const Point& point, const Series& series, const MachineLimits& machine);

}  // namespace gridmark::harness
