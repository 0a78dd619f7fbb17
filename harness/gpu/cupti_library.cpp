#include "harness/gpu/cupti_library.hpp"

#include <cstdint>
#include <vector>

#include "harness/gpu/kernel_clock.hpp"
#include "harness/os/dynamic_library.hpp"
#include "kernels/launch/toolkit.hpp"

namespace gridmark::harness {
namespace {

// Versions before 13 count up one by one; since then 130001 is 13.0.1.
constexpr std::uint32_t first_dotted_version = 10000;

std::string format_version(std::uint32_t version) {
    if (version < first_dotted_version) return std::to_string(version);
    return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
}

// Activity records are structs whose layout changes with CUPTI's version; within one major version of CUDA
// fields are only appended, so a newer library serves and an older one does not.
bool compatible(std::uint32_t found) {
    constexpr std::uint32_t wanted = CUPTI_API_VERSION;
    if (wanted < first_dotted_version) return found == wanted;
    return found / 10000 == wanted / 10000 && found / 100 >= wanted / 100;
}

std::vector<std::string> candidates() {
    if (CUPTI_API_VERSION < first_dotted_version) return launch::library_candidates("libcupti.so");
    return launch::library_candidates("libcupti.so." + std::to_string(CUPTI_API_VERSION / 10000));
}

struct Found {
    DynamicLibrary library;
    std::uint32_t version;
};

Expected<Found> find_library() {
    std::string reason = "no libcupti found (part of the CUDA toolkit)";
    for (const auto& name : candidates()) {
        const auto library = DynamicLibrary::open({name}, "libcupti");
        if (!library) continue;
        auto* get_version = library.value->find<decltype(cuptiGetVersion)>("cuptiGetVersion");
        std::uint32_t version = 0;
        if (get_version == nullptr || get_version(&version) != CUPTI_SUCCESS) {
            reason = "the libcupti found does not tell its version";
        } else if (!compatible(version)) {
            reason = "the libcupti found has version " + format_version(version) +
                     ", and this program was built for " + format_version(CUPTI_API_VERSION);
        } else {
            return known(Found{*library.value, version});
        }
    }
    return unknown<Found>(reason);
}

template <class Function>
bool find(const DynamicLibrary& library, const char* name, Function*& function) {
    function = library.find<Function>(name);
    return function != nullptr;
}

}  // namespace

Expected<CuptiLibrary> CuptiLibrary::load() {
    const auto found = find_library();
    if (!found) return unknown<CuptiLibrary>(found.reason);
    const DynamicLibrary& library = found.value->library;
    CuptiLibrary cupti;
    const bool complete = find(library, "cuptiActivityRegisterCallbacks", cupti.register_callbacks) &&
                          find(library, "cuptiActivityEnable", cupti.enable) &&
                          find(library, "cuptiActivityDisable", cupti.disable) &&
                          find(library, "cuptiActivityFlushAll", cupti.flush_all) &&
                          find(library, "cuptiActivityGetNextRecord", cupti.next_record) &&
                          find(library, "cuptiActivityGetNumDroppedRecords", cupti.dropped_records) &&
                          find(library, "cuptiGetResultString", cupti.result_string);
    if (!complete)
        return unknown<CuptiLibrary>("the libcupti found lacks a function of the activity interface");
    return known(cupti);
}

std::string CuptiLibrary::message(CUptiResult result) const {
    const char* text = nullptr;
    if (result_string(result, &text) != CUPTI_SUCCESS || text == nullptr)
        return "error " + std::to_string(result);
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES) {
        return std::string(text) +
               " (the driver keeps profiling for administrators: NVreg_RestrictProfilingToAdminUsers)";
    }
    return text;
}

Expected<std::string> read_cupti_version() {
    return transform(find_library(), [](const Found& found) { return format_version(found.version); });
}

}  // namespace gridmark::harness
