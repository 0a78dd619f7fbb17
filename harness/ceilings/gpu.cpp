#include "harness/ceilings/measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

#include "harness/ceilings/link_transfer.hpp"
#include "harness/gpu/step_clock.hpp"
#include "kernels/ceilings/gpu.hpp"
#include "kernels/launch/error.hpp"
#include "kernels/launch/streams.hpp"

namespace gridmark::harness {
namespace {

using launch::Buffer;

std::string rounded(double rate) {
    return std::to_string(std::lround(rate));
}

struct Rate {
    double gigabytes_per_second;
    Best best;
};

Rate copy_rate(const GpuUnderTest& gpu, std::size_t bytes, const Repetitions& repetitions) {
    constexpr int copies = 5;  // in each repetition, so that the events' resolution does not count
    Buffer<unsigned char> from(*gpu.device, bytes);
    Buffer<unsigned char> to(*gpu.device, bytes);
    const auto stream = gpu.device->stream();
    gpu.device->fill_bytes(from.data(), 1, bytes);
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds([&] {
            for (int i = 0; i < copies; ++i) {
                ceilings::copy_bytes(stream, from.data(), to.data(), bytes);
            }
        });
    });
    return {best.billions_a_second(2.0 * copies * static_cast<double>(bytes)), best};
}

// Read and written bytes both count, as a stencil's do.
void measure_memory(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto least = 4 * static_cast<std::size_t>(gpu.properties.l2_bytes);
    const std::size_t large = std::max<std::size_t>(least, std::size_t{1} << 30U);
    const auto free = static_cast<std::size_t>(gpu.properties.memory_free_bytes);
    if (2 * least > free / 2) {
        throw launch::OutOfMemory("needs two buffers of " + mebibytes(least) + ", and " + mebibytes(free) +
                                  " are free");
    }
    const Rate small_rate = copy_rate(gpu, least, repetitions);
    ceiling.value = small_rate.gigabytes_per_second;
    ceiling.how = "a kernel copies with 16-byte accesses, read and written bytes count: " +
                  rounded(small_rate.gigabytes_per_second) + " GB/s at " + mebibytes(least) +
                  " (4 times the L2)";
    Best best = small_rate.best;
    if (2 * large <= free / 2) {
        const Rate rate = copy_rate(gpu, large, repetitions);
        ceiling.value = std::max(*ceiling.value, rate.gigabytes_per_second);
        ceiling.how += ", " + rounded(rate.gigabytes_per_second) + " at " + mebibytes(large);
        best = rate.best;
    }
    ceiling.how += best_text(best) + " each";
}

/// The better of plain and streaming accesses; two arrays read, one written.
void measure_triad(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const std::size_t bytes =
        std::max<std::size_t>(4 * static_cast<std::size_t>(gpu.properties.l2_bytes), std::size_t{1} << 30U);
    const auto free = static_cast<std::size_t>(gpu.properties.memory_free_bytes);
    if (3 * bytes > free / 2) {
        throw launch::OutOfMemory("needs three buffers of " + mebibytes(bytes) + ", and " + mebibytes(free) +
                                  " are free");
    }
    Buffer<float> a(*gpu.device, bytes / 4);
    Buffer<float> b(*gpu.device, bytes / 4);
    Buffer<float> to(*gpu.device, bytes / 4);
    const auto stream = gpu.device->stream();
    gpu.device->fill_bytes(a.data(), 1, bytes);
    gpu.device->fill_bytes(b.data(), 2, bytes);
    ceiling.how = "to = a + 3 b on arrays of " + mebibytes(bytes) + ", read and written bytes count:";
    for (const bool streaming : {false, true}) {
        const Best best = best_of(repetitions, [&] {
            return gpu.seconds(
                [&] { ceilings::gpu_triad(stream, a.data(), b.data(), to.data(), a.size(), streaming); });
        });
        const double rate = best.billions_a_second(3.0 * static_cast<double>(bytes));
        ceiling.value = std::max(ceiling.value.value_or(0), rate);
        ceiling.how += (streaming ? ", streaming " : " plain ") + rounded(rate) + " GB/s";
    }
    ceiling.how += "; the better counts, each the best of its repetitions";
}

/// `set`: bytes of both arrays together. Where they lie decides up to 5 %, so the best of several places
/// counts.
void measure_l2(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions, std::size_t set) {
    constexpr unsigned passes = 100;
    constexpr int places = 4;
    const std::size_t bytes = set / 2;
    const unsigned tiles = 8 * static_cast<unsigned>(gpu.properties.multiprocessors);
    const auto stream = gpu.device->stream();
    Repetitions share = repetitions;
    share.budget_seconds /= places;
    std::vector<std::unique_ptr<Buffer<unsigned char>>> taken;  // kept, so that the next lie elsewhere
    std::size_t per_pass = 0;
    Best best;
    for (int place = 0; place < places; ++place) {
        const auto take = [&] {
            return taken.emplace_back(std::make_unique<Buffer<unsigned char>>(*gpu.device, bytes))->data();
        };
        unsigned char* const from = take();
        unsigned char* const to = take();
        gpu.device->fill_bytes(from, 1, bytes);
        const Best here = best_of(share, [&] {
            return gpu.seconds(
                [&] { per_pass = ceilings::copy_rotating(stream, from, to, bytes, tiles, passes); });
        });
        best = {std::min(best.seconds, here.seconds), best.repetitions + here.repetitions};
    }
    ceiling.value = best.billions_a_second(2.0 * passes * static_cast<double>(per_pass));
    ceiling.how =
        "a kernel copies " + mebibytes(bytes) + " to as much " + std::to_string(passes) +
        " times within one launch (L2: " + mebibytes(static_cast<std::size_t>(gpu.properties.l2_bytes)) +
        "), each pass by other multiprocessors so that no L1 serves it; read and written bytes count; the "
        "best of " +
        std::to_string(places) + " places" + best_text(best);
}

}  // namespace

std::vector<Ceiling> measure_gpu_copy(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    Repetitions half = repetitions;  // two sizes
    half.budget_seconds /= 2;
    const auto l2 = static_cast<std::size_t>(gpu.properties.l2_bytes);
    const auto of_l2 = [&](const char* name, const std::string& what, std::size_t set) {
        return attempt_on(gpu, name, "GB/s", "a kernel copies " + what + " repeatedly",
                          [&](Ceiling& ceiling) { measure_l2(ceiling, gpu, repetitions, set); });
    };
    return {attempt_on(gpu, "gpu_copy_bandwidth", "GB/s", "a kernel copies at least 4 times the L2",
                       [&](Ceiling& ceiling) { measure_memory(ceiling, gpu, half); }),
            attempt_on(gpu, "gpu_triad_bandwidth", "GB/s",
                       "two arrays of at least 4 times the L2 read, one written",
                       [&](Ceiling& ceiling) { measure_triad(ceiling, gpu, half); }),
            of_l2("gpu_l2_bandwidth", "a quarter of the L2, at most 16 MiB,",
                  std::min<std::size_t>(l2 / 2, std::size_t{32} << 20U)),
            of_l2("gpu_l2_bandwidth_eighth", "a sixteenth of the L2", l2 / 8),
            of_l2("gpu_l2_bandwidth_whole", "half of the L2", l2)};
}

namespace {

constexpr int rounds = 16384;  // about a millisecond in float

template <class T, class Run>
void measure_type(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions, Run run) {
    const unsigned blocks = 8 * static_cast<unsigned>(gpu.properties.multiprocessors);
    launch::Buffer<T> out(*gpu.device, std::size_t{blocks} * ceilings::gpu_fma_threads);
    const auto stream = gpu.device->stream();
    // x = 0.5 x + 1 goes to 2 whatever the start.
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds([&] { run(stream, blocks, rounds, T{0.5}, T{1}, out.data()); });
    });
    std::vector<T> sums(out.size());
    out.download(sums);
    for (const T sum : sums) {
        if (std::abs(sum - T{2} * ceilings::gpu_fma_chains) > T{1e-3}) {
            throw launch::Error("the multiply-adds gave a wrong value");
        }
    }
    ceiling.value = best.billions_a_second(ceilings::gpu_fma_flops(blocks, rounds));
    ceiling.how += ", " + std::to_string(blocks) + " blocks of " + std::to_string(ceilings::gpu_fma_threads) +
                   " threads" + best_text(best);
}

}  // namespace

std::vector<Ceiling> measure_gpu_fma(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const std::string how = std::to_string(ceilings::gpu_fma_chains) +
                            " independent chains of multiply-adds a thread in registers, no tensor cores";
    return {attempt_on(gpu, "gpu_fma_peak_float", "GFLOP/s", how,
                       [&](Ceiling& ceiling) {
                           measure_type<float>(ceiling, gpu, repetitions, ceilings::fma_float);
                       }),
            attempt_on(gpu, "gpu_fma_peak_double", "GFLOP/s", how, [&](Ceiling& ceiling) {
                measure_type<double>(ceiling, gpu, repetitions, ceilings::fma_double);
            })};
}

namespace {

constexpr int launches = 1000;  // fewer than the driver queues
constexpr int syncs = 1000;

double microseconds_each(double seconds, int count) {
    return seconds / count * 1e6;
}

void measure_launch(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto stream = gpu.device->stream();
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds([&] {
            for (int i = 0; i < launches; ++i)
                ceilings::launch_nothing(stream);
        });
    });
    ceiling.value = microseconds_each(best.seconds, launches);
    ceiling.how += best_text(best);
}

void measure_graph(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto stream = gpu.device->stream();
    GraphReplay graph(stream, [&] {
        for (int i = 0; i < launches; ++i)
            ceilings::launch_nothing(stream);
    });
    const Best best = best_of(repetitions, [&] { return gpu.seconds([&] { graph.replay(); }); });
    ceiling.value = microseconds_each(best.seconds, launches);
    ceiling.how += best_text(best);
}

void measure_sync(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    if (!gpu.properties.cooperative_launch) throw launch::Unavailable("this GPU has no cooperative launches");
    const auto stream = gpu.device->stream();
    const auto blocks = static_cast<unsigned>(gpu.properties.multiprocessors);
    launch::Buffer<int> out(*gpu.device, 1);
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds([&] { ceilings::sync_grid(stream, blocks, syncs, out.data()); });
    });
    int done = 0;
    out.download({&done, 1});
    if (done != syncs) throw launch::Error("the kernel did not pass all barriers");
    ceiling.value = microseconds_each(best.seconds, syncs);
    ceiling.how += ", " + std::to_string(blocks) + " blocks of 256 threads" + best_text(best);
}

}  // namespace

std::vector<Ceiling> measure_gpu_latency(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const std::string count = std::to_string(launches);
    return {
        attempt_on(gpu, "gpu_launch", "us", count + " empty kernels launched back to back, per kernel",
                   [&](Ceiling& ceiling) { measure_launch(ceiling, gpu, repetitions); }),
        attempt_on(gpu, "gpu_graph_node", "us", "a graph of " + count + " empty kernels in a row, per kernel",
                   [&](Ceiling& ceiling) { measure_graph(ceiling, gpu, repetitions); }),
        attempt_on(gpu, "gpu_grid_sync", "us",
                   std::to_string(syncs) + " grid-wide barriers in one cooperative launch, per barrier",
                   [&](Ceiling& ceiling) { measure_sync(ceiling, gpu, repetitions); })};
}

namespace {

constexpr std::size_t small_copy = 4096;  // bytes

/// A larger copy takes this and its bytes' time.
void measure_copy_start(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    constexpr int copies = 512;  // fewer than the driver queues
    launch::Pinned<unsigned char> host(*gpu.device, std::size_t{copies} * small_copy);
    const std::span<unsigned char> bytes = host.span();
    std::ranges::fill(bytes, std::uint8_t{1});
    Buffer<unsigned char> to(*gpu.device, bytes.size());
    const auto stream = gpu.device->stream();
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds([&] {
            for (std::size_t at = 0; at < to.size(); at += small_copy)
                gpu.device->put_upload(stream, to.data() + at, bytes.data() + at, small_copy);
        });
    });
    ceiling.value = microseconds_each(best.seconds, copies);
    ceiling.how += best_text(best);
}

}  // namespace

std::vector<Ceiling> measure_link(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto measure = [&](const char* name, LinkRoute route) {
        // Enough for the start to be little; pageable transfers are slower and so need less.
        const std::size_t mebibytes = route.pinned ? 128 : 64;
        const bool both = route.up && route.down;
        const std::string how = std::to_string(mebibytes) + " MiB of " +
                                (route.pinned ? "pinned" : "pageable") + " host memory " +
                                (both       ? "each way at once in two streams, both counted"
                                 : route.up ? "to the GPU"
                                            : "from the GPU");
        return attempt_on(gpu, name, "GB/s", how, [&](Ceiling& ceiling) {
            const std::size_t bytes = mebibytes << 20U;
            LinkTransfer transfer(*gpu.device, route, bytes);
            const Best best = best_of(repetitions, [&] { return transfer.seconds(); });
            ceiling.value = best.billions_a_second(static_cast<double>(bytes) * (both ? 2 : 1));
            ceiling.how += best_text(best);
        });
    };
    return {measure("link_up_pinned", {.up = true, .pinned = true}),
            measure("link_down_pinned", {.down = true, .pinned = true}),
            measure("link_both_pinned", {.up = true, .down = true, .pinned = true}),
            measure("link_up_pageable", {.up = true}),
            measure("link_down_pageable", {.down = true}),
            attempt_on(gpu, "link_copy_start", "us",
                       "copies of " + std::to_string(small_copy) +
                           " bytes from pinned memory to the GPU, back to back in one stream, per copy",
                       [&](Ceiling& ceiling) { measure_copy_start(ceiling, gpu, repetitions); })};
}

}  // namespace gridmark::harness
