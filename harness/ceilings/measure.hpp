#pragma once

#include <vector>

#include "harness/ceilings/ceiling.hpp"
#include "harness/ceilings/repetitions.hpp"
#include "harness/gpu/properties.hpp"
#include "kernels/launch/device.hpp"

// The groups of ceilings, each measured by a file of its own. All functions return each of their names
// exactly once.
namespace gridmark::harness {

/// cpu_triad_one_thread and cpu_triad_all_threads.
std::vector<Ceiling> measure_cpu_triad(int threads, const Repetitions& repetitions);

/// cpu_fma_peak_{float,double}_{one_thread,all_threads}.
std::vector<Ceiling> measure_cpu_fma(int threads, const Repetitions& repetitions);

/// The GPU in use, or null and why there is none; the reason then stands for every GPU ceiling.
struct GpuUnderTest {
    launch::Device* device = nullptr;
    GpuProperties properties;
    std::string reason;
};

/// gpu_copy_bandwidth, gpu_triad_bandwidth and gpu_l2_bandwidth.
std::vector<Ceiling> measure_gpu_copy(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// gpu_fma_peak_float and gpu_fma_peak_double.
std::vector<Ceiling> measure_gpu_fma(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// gpu_launch, gpu_graph_node and gpu_grid_sync.
std::vector<Ceiling> measure_gpu_latency(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// pcie_{up,down,both}_pinned and pcie_{up,down}_pageable.
std::vector<Ceiling> measure_pcie(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// "64 MiB", for a ceiling's `how`.
inline std::string mebibytes(std::size_t bytes) {
    return std::to_string(bytes >> 20U) + " MiB";
}

/// Runs `measure`, which fills value and how of the ceiling; what it throws becomes the reason.
template <class Measure>
Ceiling attempt(const std::string& name, const std::string& unit, const std::string& how, Measure measure) {
    Ceiling ceiling{name, std::nullopt, unit, {}, how};
    try {
        measure(ceiling);
    } catch (const std::exception& error) {
        ceiling.value.reset();
        ceiling.reason = error.what();
    }
    return ceiling;
}

/// The same, where there may be no GPU.
template <class Measure>
Ceiling attempt_on(const GpuUnderTest& gpu, const std::string& name, const std::string& unit,
                   const std::string& how, Measure measure) {
    if (gpu.device == nullptr) return {name, std::nullopt, unit, gpu.reason, how};
    return attempt(name, unit, how, measure);
}

}  // namespace gridmark::harness
