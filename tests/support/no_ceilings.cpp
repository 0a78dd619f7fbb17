// In the place of harness/ceilings: a program that compares nothing with a limit measures none.
// Every function of that library that another library calls stands here, else the linker takes both.

#include "harness/ceilings/ceilings.hpp"

namespace gridmark::harness {

std::vector<Ceiling> measure_ceilings(const CeilingOptions&) {
    return {};
}

/// That of the host which the studies declare their seconds for.
double quick_l1_latency() {
    return 2;
}

}  // namespace gridmark::harness
