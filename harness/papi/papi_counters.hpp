#pragma once

#include <array>
#include <functional>
#include <string>

#include "harness/expected.hpp"
#include "harness/results/row.hpp"

namespace gridmark::harness {

/// An event as a result file names it, and as PAPI does.
struct CountedEvent {
    const char* key;
    const char* papi_name;
};

inline constexpr std::array<CountedEvent, 10> counted_events{
    {{"cycles", "PAPI_TOT_CYC"},
     {"instructions", "PAPI_TOT_INS"},
     {"l1_misses", "PAPI_L1_DCM"},
     {"l2_misses", "PAPI_L2_TCM"},
     {"l3_misses", "PAPI_L3_TCM"},
     {"double_flops", "PAPI_DP_OPS"},
     {"float_flops", "PAPI_SP_OPS"},
     {"task_clock_ns", "perf::TASK-CLOCK"},
     {"page_faults", "perf::PAGE-FAULTS"},
     {"context_switches", "perf::CONTEXT-SWITCHES"}}};

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
