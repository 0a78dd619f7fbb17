// What becomes of a GPU's times, where the host executor runs the kernels and the clocks say what the test
// wants.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "harness/ceilings/measure.hpp"
#include "kernels/launch/host_device.hpp"

namespace gridmark::harness {
namespace {

constexpr Repetitions once{.fewest = 1, .most = 1};  // after one that does not count

constexpr double too_long = -1;  ///< among times: this ceiling is left out

/// A GPU with little L2, whose clock gives these times one after the other.
GpuUnderTest gpu_with(launch::Device& device, std::deque<double> times, bool runs = true) {
    GpuUnderTest gpu;
    gpu.device = &device;
    gpu.properties.multiprocessors = 1;
    gpu.properties.l2_bytes = 64 << 10;
    gpu.properties.memory_free_bytes = 1 << 20;
    gpu.seconds = [times, runs](const auto& body) mutable {
        const double seconds = times.empty() ? too_long : times.front();
        if (!times.empty()) times.pop_front();
        if (seconds == too_long) throw std::runtime_error("the host takes too long");
        if (runs) body();
        return seconds;
    };
    gpu.record = [](const auto& body) {
        body();
        std::vector<KernelRecord> records(3);
        records[0].end_ns = 700;
        records[1].end_ns = 500;
        records[2].end_ns = 900;
        return records;
    };
    return gpu;
}

Ceiling named(const std::vector<Ceiling>& ceilings, const std::string& name) {
    const auto found = std::ranges::find(ceilings, name, &Ceiling::name);
    return found == ceilings.end() ? Ceiling{name, {}, "", "not there", ""} : *found;
}

double value(const std::vector<Ceiling>& ceilings, const std::string& name) {
    const Ceiling ceiling = named(ceilings, name);
    EXPECT_TRUE(ceiling.value) << name << ": " << ceiling.reason;
    return ceiling.value.value_or(0);
}

TEST(GpuCeilings, ACopyCountsWhatItReadsAndWhatItWrites) {
    launch::HostDevice host({});
    const auto all = measure_gpu_copy(gpu_with(host, std::deque<double>(50, 1e-3)), once);
    EXPECT_DOUBLE_EQ(value(all, "gpu_copy_bandwidth"), 5 * 2 * (256 << 10) * 1e-9 / 1e-3)
        << "five copies of four times the L2";
    EXPECT_DOUBLE_EQ(value(all, "gpu_l2_bandwidth"), 100 * 2 * (16 << 10) * 1e-9 / 1e-3);
    EXPECT_DOUBLE_EQ(value(all, "gpu_l2_bandwidth_eighth"), 100 * 2 * (4 << 10) * 1e-9 / 1e-3);
    EXPECT_DOUBLE_EQ(value(all, "gpu_l2_bandwidth_whole"), 100 * 2 * (32 << 10) * 1e-9 / 1e-3);
    EXPECT_EQ(named(all, "gpu_triad_bandwidth").reason,
              "needs three buffers of 1024 MiB, and 1 MiB are free");
    GpuUnderTest full = gpu_with(host, {1, 1});
    full.properties.memory_free_bytes = (1 << 20) - 1;
    EXPECT_EQ(named(measure_gpu_copy(full, once), "gpu_copy_bandwidth").reason,
              "needs two buffers of 0 MiB, and 0 MiB are free");
}

TEST(GpuCeilings, OfFourPlacesInTheL2TheBestCounts) {
    launch::HostDevice host({});
    const auto all = measure_gpu_copy(gpu_with(host, {1, 1, 1, 4e-3, 1, 2e-3, 1, 5e-3, 1, 3e-3}), once);
    EXPECT_DOUBLE_EQ(value(all, "gpu_l2_bandwidth"), 100 * 2 * (16 << 10) * 1e-9 / 2e-3);
    EXPECT_NE(named(all, "gpu_l2_bandwidth").how.find("the best of 4 places; best of 4"), std::string::npos);
}

/// Has room for arrays that nobody reads or writes.
class Spacious final : public launch::HostDevice {
  public:
    Spacious() : HostDevice({}) {}
    void* allocate(std::size_t) override {
        return ::mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    void release(void* memory) noexcept override { ::munmap(memory, room); }
    void fill_bytes(void*, unsigned char, std::size_t) override {}

  private:
    static constexpr std::size_t room = std::size_t{2} << 30;
};

TEST(GpuCeilings, OfTwoWaysThroughMemoryTheBetterCounts) {
    constexpr double gibibyte = 0x1p30;
    const auto rates = [](std::deque<double> times) {
        Spacious device;
        GpuUnderTest gpu = gpu_with(device, std::move(times), false);
        gpu.properties.memory_free_bytes = std::int64_t{6} << 30;
        return measure_gpu_copy(gpu, once);
    };
    // A small copy, a large one, a plain triad and a streaming one.
    const auto all = rates({9, 1, 9, 5e-3, 9, 3e-3, 9, 1e-3});
    EXPECT_DOUBLE_EQ(value(all, "gpu_copy_bandwidth"), 5 * 2 * gibibyte * 1e-9 / 5e-3);
    EXPECT_NE(named(all, "gpu_copy_bandwidth").how.find("0 GB/s at 0 MiB (4 times the L2), 2147 at 1024 MiB"),
              std::string::npos);
    EXPECT_DOUBLE_EQ(value(all, "gpu_triad_bandwidth"), 3 * gibibyte * 1e-9 / 1e-3);
    EXPECT_NE(named(all, "gpu_triad_bandwidth").how.find("plain 1074 GB/s, streaming 3221 GB/s"),
              std::string::npos);
    const auto other = rates({9, 1e-9, 9, 5e-3, 9, 1e-3, 9, 3e-3});
    EXPECT_DOUBLE_EQ(value(other, "gpu_copy_bandwidth"), 5 * 2 * (256 << 10) * 1e-9 / 1e-9);
    EXPECT_DOUBLE_EQ(value(other, "gpu_triad_bandwidth"), 3 * gibibyte * 1e-9 / 1e-3);
}

TEST(GpuCeilings, AnOperationTakesWhatTheLongerHalfOfItsChainAdds) {
    const struct {
        const char* name;
        int operations;  ///< of the whole chain; 0: the host takes too long
        double each = 1;
    } chains[] = {{"gpu_l1_latency", 16384},
                  {"gpu_shared_latency", 16384},
                  {"gpu_constant_latency", 256},
                  {"gpu_l2_latency", 8192},
                  {"gpu_memory_latency", 8192},
                  {"link_latency", 1024},
                  {"gpu_fma_latency_float", 1 << 18},
                  {"gpu_fma_latency_double", 1 << 18},
                  {"gpu_division_latency", 16384},
                  {"gpu_shuffle_latency", 1 << 17},
                  {"gpu_warp_issue", 1 << 18},
                  {"gpu_code_fetch", 1 << 18, 8},  // of 128 bytes, which are eight instructions
                  {"gpu_block_barrier_32", 1 << 16},
                  {"gpu_block_barrier_128", 0},
                  {"gpu_block_barrier_256", 0},
                  {"gpu_block_barrier_512", 0},
                  {"gpu_block_barrier_1024", 0},
                  {"gpu_message_latency", 1024, 0.5}};  // of a way, not there and back
    std::deque<double> times;
    for (const auto& chain : chains) {
        if (chain.operations > 0)
            times.insert(times.end(), {9, 3e-3, 9, 1e-3});
        else
            times.push_back(too_long);
    }
    launch::HostDevice host({});
    GpuUnderTest gpu = gpu_with(host, times);
    gpu.properties.cooperative_launch = true;
    const auto all = measure_gpu_chip(gpu, once);
    for (const auto& [name, operations, each] : chains) {
        if (operations > 0) {
            EXPECT_DOUBLE_EQ(value(all, name), 2e-3 / (operations / 2) * each * 1e9) << name;
        }
    }
    EXPECT_NE(named(all, "gpu_l1_latency").how.find("through 16 KiB in"), std::string::npos);
    EXPECT_NE(named(all, "gpu_l2_latency").how.find("through 128 KiB in"), std::string::npos)
        << "an eighth of an L2 of 1 MiB, the least that is believed";
    EXPECT_NE(named(all, "gpu_memory_latency").how.find("through 4 MiB in"), std::string::npos);
}

TEST(GpuCeilings, ThroughputIsWhatAllMultiprocessorsDoInATime) {
    std::deque<double> times(18, too_long);
    for (int ceiling = 0; ceiling < 5; ++ceiling)
        times.insert(times.end(), {9, 1e-3});
    launch::HostDevice host({});
    GpuUnderTest gpu = gpu_with(host, times);
    gpu.properties.cooperative_launch = true;
    const auto all = measure_gpu_chip(gpu, once);
    constexpr double threads = 8 * 256;
    for (const char* name : {"gpu_l1_bandwidth", "gpu_shared_bandwidth"})
        EXPECT_DOUBLE_EQ(value(all, name), 16 * 8 * threads * 512 * 1e-9 / 1e-3) << name;
    EXPECT_EQ(named(all, "gpu_tiles_bandwidth").reason,
              "too little memory is free for three arrays of four times the L2");
    const double instructions = 8 * threads / 32 * 4096;  // of warps, in eight chains
    EXPECT_DOUBLE_EQ(value(all, "gpu_issue_arithmetic"), instructions * 1e-9 / 1e-3);
    EXPECT_DOUBLE_EQ(value(all, "gpu_issue_logic"), instructions * 1e-9 / 1e-3);
    EXPECT_DOUBLE_EQ(value(all, "gpu_issue_mixed"), 2 * instructions * 1e-9 / 1e-3) << "both kinds";
    const auto peaks = measure_gpu_fma(gpu_with(host, {9, 1e-3, 9, 2e-3}), once);
    EXPECT_DOUBLE_EQ(value(peaks, "gpu_fma_peak_float"), 2 * 8 * threads * 16384 * 1e-9 / 1e-3);
    EXPECT_DOUBLE_EQ(value(peaks, "gpu_fma_peak_double"), 2 * 8 * threads * 16384 * 1e-9 / 2e-3);
}

TEST(GpuCeilings, OfEmptyKernelsTheShortestCounts) {
    launch::HostDevice host({});
    EXPECT_DOUBLE_EQ(value(measure_gpu_chip(gpu_with(host, {}), once), "gpu_empty_kernel"), 0.5);
}

TEST(GpuCeilings, ALaunchAndACopyTakeTheirShareOfARow) {
    launch::HostDevice host({});
    const auto all = measure_gpu_latency(gpu_with(host, {9, 2e-3}), once);
    EXPECT_DOUBLE_EQ(value(all, "gpu_launch"), 2) << "of a thousand";
    EXPECT_EQ(named(all, "gpu_grid_sync").reason, "this GPU has no cooperative launches");
    EXPECT_DOUBLE_EQ(value(measure_link(gpu_with(host, {9, 1.024e-3}), once), "link_copy_start"), 2)
        << "of 512";
}

TEST(GpuCeilings, OfTheLinkSayWhichWayAndFromWhichMemory) {
    const auto all = measure_link({}, once);
    const std::pair<const char*, const char*> ways[] = {
        {"link_up_pinned", "128 MiB of pinned host memory to the GPU"},
        {"link_down_pinned", "128 MiB of pinned host memory from the GPU"},
        {"link_both_pinned", "128 MiB of pinned host memory each way at once in two streams, both counted"},
        {"link_up_pageable", "64 MiB of pageable host memory to the GPU"},
        {"link_down_pageable", "64 MiB of pageable host memory from the GPU"}};
    for (const auto& [name, how] : ways)
        EXPECT_EQ(named(all, name).how, how);
}

}  // namespace
}  // namespace gridmark::harness
