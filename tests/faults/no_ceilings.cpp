// In the place of harness/ceilings/ceilings.cpp: the faulty program's ceilings are no matter, and take
// seconds.
#include "experiments/faulty/fault.hpp"

#include "harness/ceilings/ceilings.hpp"

namespace gridmark::harness {

std::vector<Ceiling> measure_ceilings(const CeilingOptions&) {
    faulty::fault_here("ceilings", "measure");
    return {{"cpu_triad_all_threads", std::nullopt, "GB/s", "this program measures none", "not at all"}};
}

/// That of the host which the studies declare their seconds for.
double quick_l1_latency() {
    return 2;
}

}  // namespace gridmark::harness
