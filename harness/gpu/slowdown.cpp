#include "harness/gpu/slowdown.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "harness/gpu/nvml_library.hpp"

namespace gridmark::harness {
namespace {

constexpr const char *software_thermal = "software thermal slowdown",
                     *hardware_thermal = "hardware thermal slowdown";

/// A cause by its two numbers: of a field value, and of a performance policy (-1: it has none).
struct Counter {
    const char* cause;
    unsigned field;
    int policy;
};

// The two thermal fields came with driver 550; the policy counts what both hold.
constexpr std::array<Counter, 7> counters{{{"power cap", 74, 0},
                                           {"thermal slowdown", 75, 1},
                                           {"synchronised boost", 76, 2},
                                           {"low utilisation", 78, 4},
                                           {software_thermal, 251, -1},
                                           {hardware_thermal, 252, -1},
                                           {"power brake", 253, -1}}};

/// nvmlFieldValue_t.
struct FieldValue {
    unsigned id, scope;
    long long timestamp, latency;
    unsigned type;
    Nvml::Result result;
    unsigned char value[8];
};

/// nvmlViolationTime_t.
struct Violation {
    unsigned long long microseconds_now, nanoseconds;
};

/// The whole number in a field value; none for a type that is no counter's.
std::optional<double> number_in(const FieldValue& field) {
    constexpr unsigned type_unsigned = 1, type_signed_long_long = 4;
    if (field.result != Nvml::success) return std::nullopt;
    if (field.type == type_unsigned) {
        unsigned value = 0;
        std::memcpy(&value, field.value, sizeof value);
        return value;
    }
    if (field.type == 0 || field.type > type_signed_long_long) return std::nullopt;
    unsigned long long value = 0;
    std::memcpy(&value, field.value, sizeof value);
    return static_cast<double>(value);
}

constexpr double nanosecond = 1e-9;

SlowedSeconds by_fields(Nvml::Device card) {
    std::array<FieldValue, counters.size()> fields{};
    for (std::size_t k = 0; k < counters.size(); ++k)
        fields[k].id = counters[k].field;
    SlowedSeconds slowed;
    if (!Nvml::instance()
             .call("nvmlDeviceGetFieldValues", card, static_cast<int>(fields.size()), fields.data())
             .empty())
        return slowed;
    for (std::size_t k = 0; k < counters.size(); ++k)
        if (const auto value = number_in(fields[k])) slowed[counters[k].cause] = nanosecond * *value;
    return slowed;
}

/// As drivers before field values have it.
SlowedSeconds by_policies(Nvml::Device card) {
    SlowedSeconds slowed;
    for (const Counter& counter : counters) {
        Violation violation{};
        if (counter.policy >= 0 &&
            Nvml::instance().call("nvmlDeviceGetViolationStatus", card, counter.policy, &violation).empty())
            slowed[counter.cause] = nanosecond * static_cast<double>(violation.nanoseconds);
    }
    return slowed;
}

}  // namespace

Expected<SlowedSeconds> read_slowed_seconds(const std::string& pci_bus_id) {
    const auto card = nvml_card(pci_bus_id);
    if (!card) return unknown<SlowedSeconds>(card.reason);
    SlowedSeconds slowed = by_fields(*card.value);
    if (slowed.empty()) slowed = by_policies(*card.value);
    const bool both = slowed.contains(software_thermal) && slowed.contains(hardware_thermal);
    if (!both && !slowed.contains("thermal slowdown"))
        return unknown<SlowedSeconds>("the driver does not count thermal slow-downs");
    if (both) slowed.erase("thermal slowdown");
    return known(std::move(slowed));
}

Expected<SlowedSeconds> slowed_between(const Expected<SlowedSeconds>& before,
                                       const Expected<SlowedSeconds>& after) {
    if (!before) return before;
    if (!after) return after;
    SlowedSeconds between;
    for (const auto& [cause, seconds] : *after.value)
        if (const auto earlier = before.value->find(cause); earlier != before.value->end())
            between[cause] = std::max(0.0, seconds - earlier->second);
    return known(std::move(between));
}

}  // namespace gridmark::harness
