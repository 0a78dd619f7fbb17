#pragma once

#include <functional>
#include <string>

#include "harness/expected.hpp"
#include "harness/results/row.hpp"

namespace gridmark::harness {

/// Runs `body` once for each event that PAPI can count here, and says how often each occurred. What cannot be
/// counted has a reason, never 0. Events: cycles, instructions, l1_misses (data), l2_misses, l3_misses,
/// double_flops, float_flops, task_clock_ns, page_faults, context_switches.
///
/// Counts the calling thread only: what OpenMP's other threads do is not in it. Each event has a run of its
/// own, as processors have few counters and sharing them would estimate; so `body` must do the same each
/// time, and no time is to be measured around this.
Counters count_events(const std::function<void()>& body);

/// PAPI's version, such as "7.0.0", or why there is none.
Expected<std::string> read_papi_version();

}  // namespace gridmark::harness
