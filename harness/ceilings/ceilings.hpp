#pragma once

#include <vector>

#include "harness/ceilings/ceiling.hpp"
#include "kernels/launch/device.hpp"

namespace gridmark::harness {

struct CeilingOptions {
    int threads = 1;  ///< for the ceilings of all threads
    launch::Device* gpu =
        nullptr;                ///< null or the host executor: GPU ceilings have a reason in place of a value
    double budget_seconds = 8;  ///< for repetitions beyond the fewest; set-up comes on top
    bool quick = false;         ///< spend no more than one second on repetitions
};

/// Measures every ceiling of the machine: always all 19 names, once each, in a fixed order; those that cannot
/// be measured here hold the reason. Unless it is to be quick, the CPU's twice, before and after the GPU's,
/// of which the better counts. Takes seconds and up to a quarter of the free memory.
std::vector<Ceiling> measure_ceilings(const CeilingOptions& options);

}  // namespace gridmark::harness
