#include "harness/machine/group_clocks.hpp"

#include <algorithm>

#include "harness/gpu/nvml.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

template <class T>
void put_known(json& object, const char* key, const Expected<T>& reading) {
    if (reading) object[key] = *reading.value;
}

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
    put_known(clocks, "slowed_seconds", slowed);
    if (!slowed) reasons["clocks.slowed_seconds"] = slowed.reason;
    return clocks;
}

}  // namespace gridmark::harness
