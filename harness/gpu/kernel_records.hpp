#pragma once

#include <string>

#include "harness/gpu/cupti_library.hpp"
#include "harness/gpu/kernel_clock.hpp"

namespace gridmark::harness {

/// Hands buffers to CUPTI and takes the records of kernels and copies out of the filled ones. There is one,
/// as CUPTI's callbacks carry no pointer of ours; they may come from a thread of CUPTI's own.
class KernelRecords {
  public:
    /// Registers the callbacks, once for the process; says what went wrong, or nothing.
    static std::string attach(const CuptiLibrary& cupti);
    /// Forgets all that was collected.
    static void clear();
    /// All records since clear(), by start; throws KernelClockError if some were lost or make no sense.
    static Activities take();
};

}  // namespace gridmark::harness
