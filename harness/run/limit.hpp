#pragma once

#include <optional>

#include "harness/experiment.hpp"
#include "harness/model/predict.hpp"

namespace gridmark::harness {

/// The lower bound of a series of a point, in microseconds a step: the longest of the times that its declared
/// bytes and operations take at ceilings that few rows beat. None where no ceiling that applies was measured.
///
/// - Every byte crosses the L2 once a launch. What the L2 cannot keep from one launch to the next crosses the
///   memory. Each takes the best of the mixes of reads and writes that were measured there.
/// - Bytes of the step clock that cross the link do so each way, and both ways together.
/// - A node of a graph takes its time; plain launches do not, for rows beat `gpu_launch`.
/// - Of the CPU, the arithmetic and the memory. A guest's share of the caches is not known.
std::optional<Limit> limit_of(const Point& point, const Series& series, const MachineLimits& machine);

/// For a point with temporal blocking: the same of a version that loads and stores in every step,
/// which a row's share of more than 1 shows to be beaten. None for any other point.
std::optional<Limit> stepwise_limit(const Point& point, const Series& series, const MachineLimits& machine);

/// What binds by the model; none where it lacks a ceiling. `resident`: blocks on a multiprocessor.
std::optional<Binding> binding_of(const Point& point, const Series& series, const MachineLimits& machine,
                                  std::optional<int> resident = std::nullopt);

/// Of a GPU's step: its plain launches, the link each way and the host's own work, added up, by their
/// ceilings, in microseconds. None of other clocks, and where there is none of it.
std::optional<double> host_time(const Point& point, const Series& series, const MachineLimits& machine);

/// Gives a row all four, from its point and, of a GPU's, how many of its blocks a multiprocessor holds. The
/// model says nothing of what another program does.
void set_limits(Row& row, const Point& point, const Series& series, const MachineLimits& machine);

}  // namespace gridmark::harness
