#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/experiment.hpp"

namespace gridmark::harness {

/// Computes a value: its row, exact. A value that throws or is not finite has a row without a number, with
/// the reason. `gpu_lost` is set after an error that only a new process recovers from.
nlohmann::json compute_row(const std::string& experiment, const Computed& computed, bool& gpu_lost);

}  // namespace gridmark::harness
