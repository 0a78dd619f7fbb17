#pragma once

#include <nlohmann/json.hpp>

#include "harness/results/result_set.hpp"

namespace gridmark::harness {

/// What differs between the machines, programs and presets of two sets, by the experiments that both have: a
/// set's experiments need not have been measured on one machine. Each difference is {"key", "base", "new",
/// "experiments"}: "gpu.name", its value on either side (null where a side has none), and the experiments
/// that it holds for, null where it is all of them.
nlohmann::json machine_differences(const ResultSet& base, const ResultSet& fresh);

}  // namespace gridmark::harness
