#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/experiment.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {

/// The row of a difference from the rows that it names, either null when the run left it out. Samples are
/// differences of the k-th samples of each process; the two rows were sampled apart, so that the spread of
/// both is in them. Without two numbers it has none, for the first reason of either.
nlohmann::json difference_row(const std::string& experiment, const Difference& difference,
                              const nlohmann::json* minuend, const nlohmann::json* subtrahend,
                              const Standards& standards);

}  // namespace gridmark::harness
