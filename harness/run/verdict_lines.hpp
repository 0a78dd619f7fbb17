#pragma once

#include <string>

#include "harness/run/summary.hpp"

namespace gridmark::harness {

/// Whether any of its processors was emulated: such times decide nothing.
bool any_emulated(const FinishedRun& run);

/// The verdicts of a run as its summary tells them: a table, the claims without one by reason, and counts.
std::string verdicts(const FinishedRun& run, const Screen& screen);

}  // namespace gridmark::harness
