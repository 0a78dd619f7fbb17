#include "harness/gpu/gpu_use.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/gpu/nvml_library.hpp"

namespace gridmark::harness {
namespace {

using Device = Nvml::Device;

/// nvmlProcessInfo_t of the second version on.
struct ProcessInfo {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

/// nvmlProcessUtilizationSample_t.
struct BusySample {
    unsigned pid;
    unsigned long long microseconds;
    unsigned multiprocessors, memory, encoder, decoder;
};

/// nvmlMemory_v2_t.
struct MemoryInfo {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

struct Utilization {
    unsigned gpu, memory;
};

/// A list that a function of NVML fills, in room that grows until it holds all.
template <class T>
Expected<std::vector<T>> filled(const char* name,
                                const std::function<Nvml::Result(std::string&, T*, unsigned*)>& fill) {
    std::string failure;
    std::vector<T> list(64);
    for (int attempt = 0; attempt < 4; ++attempt) {
        auto count = static_cast<unsigned>(list.size());
        const Nvml::Result result = fill(failure, list.data(), &count);
        if (!failure.empty()) return unknown<std::vector<T>>(failure);
        if (result == Nvml::too_little_room) {
            list.resize(2 * std::max<std::size_t>(count, list.size()));
            continue;
        }
        if (result == Nvml::nothing_found) count = 0;
        if (result != Nvml::success && result != Nvml::nothing_found)
            return unknown<std::vector<T>>(Nvml::instance().explain(name, result));
        list.resize(std::min<std::size_t>(count, list.size()));
        return known(std::move(list));
    }
    return unknown<std::vector<T>>(std::string(name) + ": the list grows faster than it is read");
}

Expected<std::vector<ProcessInfo>> read_processes(const std::string& kind, Device device) {
    const auto read = [&](const char* version) {
        const std::string name = "nvmlDeviceGet" + kind + "RunningProcesses" + version;
        return filled<ProcessInfo>(name.c_str(), [&](std::string& failure, ProcessInfo* to, unsigned* count) {
            return Nvml::instance().result(name.c_str(), failure, device, count, to);
        });
    };
    auto list = read("_v3");
    // Drivers before 510 have the second alone.
    if (auto older = list ? list : read("_v2"); older) return older;
    return list;
}

Expected<std::vector<GpuProcess>> read_all_processes(Device device) {
    const auto compute = read_processes("Compute", device);
    if (!compute) return unknown<std::vector<GpuProcess>>(compute.reason);
    std::map<unsigned, bool> draws;
    for (const char* kind : {"Compute", "MPSCompute", "Graphics"}) {
        const auto list = std::string_view(kind) == "Compute" ? compute : read_processes(kind, device);
        if (!list) continue;  // a slice has no graphics
        // A browser is in both lists.
        for (const ProcessInfo& process : *list.value)
            draws[process.pid] = draws[process.pid] || std::string_view(kind) == "Graphics";
    }
    std::vector<GpuProcess> processes;
    for (const auto& [pid, is_drawing] : draws)
        processes.push_back({pid, is_drawing});
    return known(std::move(processes));
}

Expected<std::int64_t> read_taken_memory(Device device) {
    MemoryInfo memory{};
    memory.version = sizeof memory | 2U << 24U;
    // The first version counts what the driver keeps for itself as taken.
    const auto failure = Nvml::instance().call("nvmlDeviceGetMemoryInfo_v2", device, &memory);
    return failure.empty() ? known(static_cast<std::int64_t>(memory.used)) : unknown<std::int64_t>(failure);
}

Expected<bool> read_desktop(Device device) {
    unsigned active = 0;
    const auto failure = Nvml::instance().call("nvmlDeviceGetDisplayActive", device, &active);
    return failure.empty() ? known(active != 0) : unknown<bool>(failure);
}

Expected<unsigned> read_busy(Device device) {
    Utilization utilization{};
    const auto failure = Nvml::instance().call("nvmlDeviceGetUtilizationRates", device, &utilization);
    return failure.empty() ? known(utilization.gpu) : unknown<unsigned>(failure);
}

Expected<std::map<unsigned, unsigned>> read_busy_by_process(Device device, std::uint64_t since) {
    const char* const name = "nvmlDeviceGetProcessUtilization";
    const auto samples = filled<BusySample>(name, [&](std::string& failure, BusySample* to, unsigned* count) {
        return Nvml::instance().result(name, failure, device, to, count,
                                       static_cast<unsigned long long>(since));
    });
    return transform(samples, [&](const std::vector<BusySample>& all) {
        std::map<unsigned, unsigned> most;
        for (const BusySample& sample : all)
            if (sample.microseconds > since)
                most[sample.pid] = std::max(most[sample.pid], sample.multiprocessors);
        return most;
    });
}

}  // namespace

GpuUse read_gpu_use(const std::string& uuid, std::uint64_t since) {
    const auto device = nvml_device(uuid);
    if (!device) {
        const std::string& why = device.reason;
        return {unknown<std::vector<GpuProcess>>(why), unknown<std::int64_t>(why), unknown<bool>(why),
                unknown<unsigned>(why), unknown<std::map<unsigned, unsigned>>(why)};
    }
    return {read_all_processes(*device.value), read_taken_memory(*device.value), read_desktop(*device.value),
            read_busy(*device.value), read_busy_by_process(*device.value, since)};
}

}  // namespace gridmark::harness
