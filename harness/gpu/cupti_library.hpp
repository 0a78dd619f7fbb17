#pragma once

#include <cupti.h>

#include <string>

#include "harness/expected.hpp"

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

}  // namespace gridmark::harness
