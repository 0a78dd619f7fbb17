#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "harness/ceilings/ceilings.hpp"
#include "harness/elapsed.hpp"
#include "harness/gpu/kernel_clock.hpp"
#include "harness/gpu/properties.hpp"
#include "kernels/launch/device.hpp"

// How ceilings are measured, and in which groups. The functions of the groups return each of their names
// exactly once.
namespace gridmark::harness {

/// How often one ceiling is repeated.
struct Repetitions {
    int fewest = 5;
    int most = 400;
    double budget_seconds = 0.2;  ///< after the fewest, stop when this much time has passed
};

/// The best repetition and how many there were.
struct Best {
    double seconds = std::numeric_limits<double>::infinity();
    int repetitions = 0;

    /// GB/s of bytes, Gflop/s of operations.
    double billions_a_second(double amount) const { return amount * 1e-9 / seconds; }
};

/// Repeats `timed`, which returns the seconds that one repetition took, after one that does not count. A
/// ceiling is what the machine can do, so the best counts, where a result would be a median.
template <class Timed>
Best best_of(const Repetitions& repetitions, Timed timed) {
    using Clock = std::chrono::steady_clock;
    (void)timed();
    const auto start = Clock::now();
    Best best;
    while (best.repetitions < repetitions.most) {
        const std::chrono::duration<double> spent = Clock::now() - start;
        if (best.repetitions >= repetitions.fewest && spent.count() > repetitions.budget_seconds) break;
        const double seconds = positive_time(timed());
        if (seconds < best.seconds) best.seconds = seconds;
        ++best.repetitions;
    }
    return best;
}

/// "; best of 12", to end a ceiling's `how`.
inline std::string best_text(const Best& best) {
    return "; best of " + std::to_string(best.repetitions);
}

/// cpu_triad_one_thread and cpu_triad_all_threads.
std::vector<Ceiling> measure_cpu_triad(int threads, const Repetitions& repetitions);

/// cpu_fma_peak_{float,double}_{one_thread,all_threads}.
std::vector<Ceiling> measure_cpu_fma(int threads, const Repetitions& repetitions);

/// cpu_{l1,l2,l3,memory}_latency, cpu_{l1,l2,l3}_bandwidth_{one_thread,all_threads} and
/// cpu_barrier_all_threads.
std::vector<Ceiling> measure_cpu_caches(int threads, const Repetitions& repetitions);

/// The GPU in use, or null and why there is none; the reason then stands for every GPU ceiling. A test brings
/// the host executor, and clocks of its own.
struct GpuUnderTest {
    using Body = std::function<void()>;
    launch::Device* device = nullptr;
    GpuProperties properties;
    std::string reason;
    std::function<double(const Body&)> seconds;  ///< between events around what `body` launches
    std::function<std::vector<KernelRecord>(const Body&)> record;
};

/// gpu_copy_bandwidth, gpu_triad_bandwidth and gpu_l2_bandwidth{,_eighth,_whole}.
std::vector<Ceiling> measure_gpu_copy(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// gpu_fma_peak_float and gpu_fma_peak_double.
std::vector<Ceiling> measure_gpu_fma(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// gpu_launch, gpu_graph_node and gpu_grid_sync.
std::vector<Ceiling> measure_gpu_latency(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// Of what lies on the chip: gpu_{l1,shared,constant,l2,memory}_latency and link_latency;
/// gpu_fma_latency_{float,double}, gpu_division_latency, gpu_shuffle_latency, gpu_warp_issue, gpu_code_fetch,
/// gpu_block_barrier_{32,128,256,512,1024} and gpu_message_latency; gpu_{l1,shared,tiles}_bandwidth,
/// gpu_issue_{arithmetic,logic,mixed}, gpu_block_start and gpu_empty_kernel.
std::vector<Ceiling> measure_gpu_chip(const GpuUnderTest& gpu, const Repetitions& repetitions);

/// link_{up,down,both}_pinned, link_{up,down}_pageable and link_copy_start.
std::vector<Ceiling> measure_link(const GpuUnderTest& gpu, const Repetitions& repetitions);

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

/// Takes from `again` the values of the same names that are better (higher rates, shorter times), or that
/// `ceilings` lack. A machine that
/// others use may give all its cores at one time and half of them some seconds later; a ceiling is what it
/// can do.
void keep_better(std::vector<Ceiling>& ceilings, const std::vector<Ceiling>& again);

/// All threads can do at least what one can, the others being idle. On a machine that others use, all
/// together may measure less: then the value of NAME_one_thread stands for NAME_all_threads too, and `how`
/// says so.
void raise_to_one_thread(std::vector<Ceiling>& ceilings);

/// What a guest is told is its L3 may serve others too. Where it gives no more than the memory its bandwidth
/// is no ceiling: the value goes, and the reason says why.
void drop_shared_caches(std::vector<Ceiling>& ceilings);

}  // namespace gridmark::harness
