#include "harness/machine/group_clocks.hpp"

#include <algorithm>
#include <set>

#include "harness/gpu/nvml.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

template <class T>
void put_known(json& object, const char* key, const Expected<T>& reading) {
    if (reading) object[key] = *reading.value;
}

constexpr const char* seconds_key = "slowed_seconds";

}  // namespace

GroupClocks::GroupClocks(const Expected<GpuProperties>& gpu)
    : gpu_(gpu),
      before_(gpu ? read_slowed_seconds(gpu.value->pci_bus_id) : unknown<SlowedSeconds>(gpu.reason)) {}

json GroupClocks::after(json& reasons) const {
    if (!gpu_) return nullptr;
    const GpuProperties& gpu = *gpu_.value;
    // The state first: it changes as soon as the GPU rests.
    const NvmlState state = read_nvml(gpu.pci_bus_id);
    const auto slowed = slowed_between(before_, read_slowed_seconds(gpu.pci_bus_id));
    json clocks{{"rated_mhz", gpu.rated_mhz}};
    const auto rests = transform(state.clock_limits, [](const auto& limits) {
        return std::ranges::find(limits, "idle") != limits.end();
    });
    // A clock at rest says nothing of the group.
    if (!rests.value.value_or(false)) put_known(clocks, "sm_mhz", state.sm_mhz);
    put_known(clocks, "temperature_celsius", state.temperature_celsius);
    put_known(clocks, "power_watts", state.power_watts);
    put_known(clocks, "limited_by", state.clock_limits);
    put_known(clocks, seconds_key, slowed);
    if (!slowed) reasons["clocks.slowed_seconds"] = slowed.reason;
    return clocks;
}

json joined_clocks(const json& earlier, const json& later) {
    json joined = earlier;
    joined.update(later);
    if (earlier.contains("sm_mhz") && later.contains("sm_mhz"))
        joined["sm_mhz"] = std::min(earlier["sm_mhz"], later["sm_mhz"]);
    for (const char* key : {"temperature_celsius", "power_watts"})
        if (earlier.contains(key) && later.contains(key)) joined[key] = std::max(earlier[key], later[key]);
    std::set<std::string> causes;
    for (const json* const one : {&earlier, &later})
        if (one->contains("limited_by"))
            for (const json& cause : one->at("limited_by"))
                causes.insert(cause.get<std::string>());
    if (joined.contains("sm_mhz")) causes.erase("idle");
    if (joined.contains("limited_by")) joined["limited_by"] = causes;
    joined.erase(seconds_key);
    if (earlier.contains(seconds_key) && later.contains(seconds_key)) {
        json sum = earlier[seconds_key];
        for (const auto& [cause, seconds] : later[seconds_key].items())
            sum[cause] = sum.value(cause, 0.0) + seconds.get<double>();
        joined[seconds_key] = sum;
    }
    return joined;
}

}  // namespace gridmark::harness
