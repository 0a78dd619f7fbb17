#include "harness/machine/gpu.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

json clocks_of(const NvmlState& state, const std::string& path, json& reasons) {
    json clocks = json::object();
    put(clocks, reasons, path + ".sm_mhz", state.sm_mhz);
    put(clocks, reasons, path + ".memory_mhz", state.memory_mhz);
    return clocks;
}

json pci_of(const NvmlState& state, json& reasons) {
    json pci = json::object();
    // An idle link trains down; the current values mean something only while the GPU works.
    put(pci, reasons, "gpu.pci.link_generation", state.pci_generation);
    put(pci, reasons, "gpu.pci.link_width", state.pci_width);
    put(pci, reasons, "gpu.pci.max_link_generation", state.pci_max_generation);
    put(pci, reasons, "gpu.pci.max_link_width", state.pci_max_width);
    return pci;
}

}  // namespace

json describe_gpu(const Expected<GpuProperties>& properties, const NvmlState& state, json& reasons) {
    if (!properties) {
        reasons["gpu"] = properties.reason;
        return nullptr;
    }
    const GpuProperties& cuda = *properties.value;
    json gpu = {{"name", cuda.name},
                {"uuid", cuda.uuid},
                {"compute_capability", cuda.compute_capability},
                {"multiprocessors", cuda.multiprocessors},
                {"l2_bytes", cuda.l2_bytes},
                {"memory_bytes", cuda.memory_bytes},
                {"memory_free_bytes", cuda.memory_free_bytes},
                {"shared_per_multiprocessor", cuda.shared_per_multiprocessor},
                {"ecc", cuda.ecc}};
    put(gpu, reasons, "gpu.power_cap_watts", state.power_cap_watts);
    put(gpu, reasons, "gpu.persistence_mode", state.persistence);
    put(gpu, reasons, "gpu.mig_mode", state.mig);
    json clocks = clocks_of(state, "gpu.clocks", reasons);
    put(clocks, reasons, "gpu.clocks.sm_max_mhz", state.sm_max_mhz);
    put(clocks, reasons, "gpu.clocks.memory_max_mhz", state.memory_max_mhz);
    gpu["clocks"] = clocks;
    gpu["pci"] = pci_of(state, reasons);
    return gpu;
}

json describe_gpu(int ordinal, json& reasons) {
    const auto properties = read_gpu_properties(ordinal);
    return describe_gpu(properties, properties ? read_nvml(properties.value->pci_bus_id) : NvmlState{},
                        reasons);
}

json read_gpu_clocks(int ordinal, const std::string& path, json& reasons) {
    const auto properties = read_gpu_properties(ordinal);
    if (!properties) {
        reasons[path] = properties.reason;
        return nullptr;
    }
    const NvmlState state = read_nvml(properties.value->pci_bus_id);
    json clocks = clocks_of(state, path, reasons);
    put(clocks, reasons, path + ".temperature_celsius", state.temperature_celsius);
    put(clocks, reasons, path + ".power_watts", state.power_watts);
    put(clocks, reasons, path + ".limited_by", state.clock_limits);
    return clocks;
}

}  // namespace gridmark::harness
