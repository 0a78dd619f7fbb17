#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "harness/experiment.hpp"

namespace gridmark::harness {

/// The ceiling that bounds a series of a point most tightly, and the least time that it allows, in
/// microseconds; none when no ceiling that applies was measured. Candidates are
/// the arithmetic peak, the bandwidth of the memory that the working set sits in (`l2_bytes` decides on a
/// GPU), and for the step clock the launch or graph node and the link between host and GPU, either way and
/// both.
std::optional<Limit> tightest_limit(const Point& point, const Series& series, const nlohmann::json& ceilings,
                                    std::size_t l2_bytes, std::size_t cpu_cache_bytes);

/// For a point with temporal blocking: the same of a version that loads and stores in every step,
/// which a row's share of more than 1 shows to be beaten. None for any other point.
std::optional<Limit> stepwise_limit(const Point& point, const Series& series, const nlohmann::json& ceilings,
                                    std::size_t l2_bytes, std::size_t cpu_cache_bytes);

}  // namespace gridmark::harness
