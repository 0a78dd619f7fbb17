#pragma once

#include <cupti.h>

#include <string>

#include "harness/expected.hpp"
#include "harness/gpu/kernel_clock.hpp"

namespace gridmark::harness {

/// The functions of CUPTI that the kernel clock calls, found while the program runs.
struct CuptiLibrary {
    decltype(cuptiActivityRegisterCallbacks)* register_callbacks = nullptr;
    decltype(cuptiActivityEnable)* enable = nullptr;
    decltype(cuptiActivityDisable)* disable = nullptr;
    decltype(cuptiActivityFlushAll)* flush_all = nullptr;
    decltype(cuptiActivityGetNextRecord)* next_record = nullptr;
    decltype(cuptiActivityGetNumDroppedRecords)* dropped_records = nullptr;
    decltype(cuptiGetResultString)* result_string = nullptr;

    /// The first libcupti found whose records have the layout that this program was compiled for.
    static Expected<CuptiLibrary> load();

    /// What a failed call says, for messages.
    std::string message(CUptiResult result) const;
};

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
