#pragma once

#include <array>

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

}  // namespace gridmark::harness
