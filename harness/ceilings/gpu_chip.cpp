#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>

#include "harness/ceilings/measure.hpp"
#include "kernels/ceilings/gpu.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

using launch::Buffer;

/// What one operation of a chain takes, in nanoseconds: from two lengths of the chain, so that launching and
/// ending do not count. `run(n)` puts a chain of n operations into the stream.
template <class Run>
double nanoseconds_each(const GpuUnderTest& gpu, const Repetitions& repetitions, int count, Run run) {
    Repetitions half = repetitions;
    half.budget_seconds /= 2;
    const auto seconds = [&](int n) {
        return best_of(half, [&] { return gpu.seconds([&] { run(n); }); }).seconds;
    };
    const int half_count = count / 2, more = count - half_count;
    const double whole = seconds(count), part = seconds(half_count);
    return positive_time(whole - part) / more * 1e9;
}

template <class T>
T first_of(const Buffer<T>& out) {
    std::vector<T> all(out.size());
    out.download(all);
    return all.front();
}

void expect(bool right, const char* what) {
    if (!right) throw launch::Error(std::string(what) + " gave a wrong value");
}

/// A walk through a chain that goes on where the last one ended, so that what it finds is not in a cache
/// because it was just there.
class Walk {
  public:
    Walk(const GpuUnderTest& gpu, ceilings::Link* chain, unsigned lines)
        : gpu_(gpu), chain_(chain), lines_(lines) {}

    void follow(int hops, ceilings::Level level) {
        const auto* const first = chain_ + std::size_t{line_} * ceilings::line_links;
        ceilings::follow_chain(gpu_.device->stream(), first, static_cast<unsigned>(hops), level, out_.data());
        for (int i = 0; i < hops; ++i)
            line_ = ceilings::next_line(line_, lines_);
    }
    void check() const {
        expect(first_of(out_).next == chain_ + std::size_t{line_} * ceilings::line_links,
               "a walk along a chain");
    }

  private:
    using Link = ceilings::Link;
    const GpuUnderTest& gpu_;
    Link* chain_;
    unsigned lines_, line_ = 0;
    Buffer<Link> out_{*gpu_.device, 1};
};

constexpr std::size_t line_bytes = ceilings::line_links * sizeof(ceilings::Link);

void measure_chase(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions,
                   std::size_t bytes, int hops, ceilings::Level level) {
    const auto lines = static_cast<unsigned>(std::bit_ceil(bytes / line_bytes));
    Buffer<ceilings::Link> chain(*gpu.device, std::size_t{lines} * ceilings::line_links);
    ceilings::lay_chain(gpu.device->stream(), chain.data(), lines);
    Walk walk(gpu, chain.data(), lines);
    ceiling.value = nanoseconds_each(gpu, repetitions, hops, [&](int n) { walk.follow(n, level); });
    walk.check();
    const std::size_t kibibytes = chain.size() * sizeof(ceilings::Link) >> 10U;
    ceiling.how += " through " +
                   (kibibytes < 1024 ? std::to_string(kibibytes) + " KiB" : mebibytes(kibibytes << 10U)) +
                   " in scattered order, each load's address from the one before";
}

/// Host memory that the GPU reads by itself.
class PinnedChain {
  public:
    PinnedChain(launch::Device& device, unsigned lines) : device_(device) {
        const std::size_t count = std::size_t{lines} * ceilings::line_links;
        chain_ = static_cast<ceilings::Link*>(device.allocate_pinned(count * sizeof(ceilings::Link)));
        ceilings::lay_chain(chain_, lines);
    }
    PinnedChain(const PinnedChain&) = delete;
    PinnedChain& operator=(const PinnedChain&) = delete;
    ~PinnedChain() { device_.release_pinned(chain_); }

    ceilings::Link* data() { return chain_; }

  private:
    launch::Device& device_;
    ceilings::Link* chain_;
};

void measure_link_latency(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    constexpr unsigned lines = 1U << 16U;
    PinnedChain chain(*gpu.device, lines);
    Walk walk(gpu, chain.data(), lines);
    ceiling.value =
        nanoseconds_each(gpu, repetitions, 1024, [&](int n) { walk.follow(n, ceilings::Level::l2); });
    walk.check();
}

std::vector<Ceiling> measure_latencies(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto chase = [&](const char* name, const char* what, std::size_t bytes, int hops,
                           ceilings::Level level) {
        return attempt_on(gpu, name, "ns", what, [&](Ceiling& ceiling) {
            measure_chase(ceiling, gpu, repetitions, bytes, hops, level);
        });
    };
    const auto l2 = static_cast<std::size_t>(std::max<std::int64_t>(gpu.properties.l2_bytes, 1 << 20));
    return {
        chase("gpu_l1_latency", "a thread walks", std::size_t{16} << 10U, 16384, ceilings::Level::l1),
        attempt_on(gpu, "gpu_shared_latency", "ns", "a thread walks along a chain in shared memory",
                   [&](Ceiling& ceiling) {
                       Buffer<unsigned> out(*gpu.device, 1);
                       constexpr int hops = 16384;
                       const auto run = [&](int n) {
                           ceilings::follow_shared_chain(gpu.device->stream(), static_cast<unsigned>(n),
                                                         out.data());
                       };
                       ceiling.value = nanoseconds_each(gpu, repetitions, hops, run);
                       run(hops + 1);
                       expect(first_of(out) == (hops + 1) * ceilings::shared_stride % ceilings::shared_links,
                              "a walk through shared memory");
                   }),
        attempt_on(gpu, "gpu_constant_latency", "ns",
                   "a thread walks through constant memory that no cache holds yet",
                   [&](Ceiling& ceiling) {
                       Buffer<unsigned> out(*gpu.device, 1);
                       constexpr int hops = ceilings::constant_links / ceilings::constant_stride;
                       const auto stream = gpu.device->stream();
                       ceilings::set_constant_chain(stream);
                       const auto run = [&](int n) {
                           ceilings::follow_constant_chain(stream, static_cast<unsigned>(n), out.data());
                       };
                       ceiling.value = nanoseconds_each(gpu, repetitions, hops, run);
                       run(hops - 1);
                       expect(first_of(out) == (hops - 1) * ceilings::constant_stride,
                              "a walk through constant memory");
                   }),
        chase("gpu_l2_latency", "a thread walks past the L1", l2 / 8, 8192, ceilings::Level::l2),
        chase("gpu_memory_latency", "a thread walks", 4 * l2, 8192, ceilings::Level::l2),
        attempt_on(gpu, "link_latency", "ns",
                   "a thread of the GPU walks through 8 MiB of pinned host memory, each load's address from "
                   "the one before",
                   [&](Ceiling& ceiling) { measure_link_latency(ceiling, gpu, repetitions); })};
}

void measure_fma_chain(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions, auto run) {
    constexpr int count = 1 << 18;
    ceiling.value = nanoseconds_each(gpu, repetitions, count, [&](int n) { run.put(n); });
    expect(std::abs(run.result() - 2) < 1e-3, "a chain of multiply-adds");
}

template <class T>
struct FmaChain {
    launch::Stream stream;
    Buffer<T> out;
    void put(int count) {
        if constexpr (sizeof(T) == sizeof(float))
            ceilings::chain_of_fma_float(stream, count, 0.5F, 1, out.data());
        else
            ceilings::chain_of_fma_double(stream, count, 0.5, 1, out.data());
    }
    double result() const { return static_cast<double>(first_of(out)); }
};

/// Of a loop the time of an instruction; of straight-line code that of 128 bytes, eight instructions of 16.
Ceiling measure_one_warp(const GpuUnderTest& gpu, const Repetitions& repetitions, bool straight) {
    return attempt_on(
        gpu, straight ? "gpu_code_fetch" : "gpu_warp_issue", "ns",
        straight ? "one warp runs through 32 KiB of straight-line code again and again, per 128 bytes"
                 : "independent multiply-adds of one warp, per instruction",
        [&](Ceiling& ceiling) {
            constexpr int count = 1 << 18;
            Buffer<float> out(*gpu.device, 32);
            const auto run = [&](int n) {
                ceilings::issue_by_one_warp(gpu.device->stream(), n, straight, out.data());
            };
            ceiling.value = nanoseconds_each(gpu, repetitions, count, run) * (straight ? 8 : 1);
            run(count);
            expect(std::abs(first_of(out) - 2.0F * ceilings::issue_chains) < 1e-2F, "a warp's multiply-adds");
        });
}

Ceiling measure_barrier(const GpuUnderTest& gpu, const Repetitions& repetitions, unsigned threads) {
    return attempt_on(gpu, "gpu_block_barrier_" + std::to_string(threads), "ns",
                      "barriers in a row of one block of " + std::to_string(threads) + " threads",
                      [&](Ceiling& ceiling) {
                          constexpr int count = 1 << 16;
                          Buffer<int> out(*gpu.device, 1);
                          const auto stream = gpu.device->stream();
                          const auto run = [&](int n) { ceilings::meet(stream, threads, n, out.data()); };
                          ceiling.value = nanoseconds_each(gpu, repetitions, count, run);
                          run(count);
                          expect(first_of(out) == count, "a row of barriers");
                      });
}

void measure_message(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    if (!gpu.properties.cooperative_launch) throw launch::Unavailable("this GPU has no cooperative launches");
    constexpr int count = 1024;
    Buffer<ceilings::MessageBox> boxes(*gpu.device, 2);
    Buffer<float> out(*gpu.device, 1);
    gpu.device->fill_bytes(boxes.data(), 0, 2 * sizeof(ceilings::MessageBox));
    unsigned sent = 0;
    const auto run = [&](int n) {
        ceilings::bounce(gpu.device->stream(), boxes.data(), sent, static_cast<unsigned>(n), out.data());
        sent += static_cast<unsigned>(n);
    };
    ceiling.value = nanoseconds_each(gpu, repetitions, count, run) / 2;
    run(count);
    expect(first_of(out) == 2.0F * count, "a number sent to and fro");
}

std::vector<Ceiling> measure_chains(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    std::vector<Ceiling> all;
    const std::string fma = "dependent multiply-adds of one thread";
    all.push_back(attempt_on(gpu, "gpu_fma_latency_float", "ns", fma, [&](Ceiling& ceiling) {
        measure_fma_chain(ceiling, gpu, repetitions, FmaChain<float>{gpu.device->stream(), {*gpu.device, 1}});
    }));
    all.push_back(attempt_on(gpu, "gpu_fma_latency_double", "ns", fma, [&](Ceiling& ceiling) {
        measure_fma_chain(ceiling, gpu, repetitions,
                          FmaChain<double>{gpu.device->stream(), {*gpu.device, 1}});
    }));
    all.push_back(attempt_on(
        gpu, "gpu_division_latency", "ns", "dependent divisions of integers by one thread",
        [&](Ceiling& ceiling) {
            constexpr int count = 16384, dividend = 1'000'000, first = 999;  // 1001 and 999 in turn
            Buffer<int> out(*gpu.device, 1);
            const auto run = [&](int n) {
                ceilings::chain_of_divisions(gpu.device->stream(), n, dividend, first, out.data());
            };
            ceiling.value = nanoseconds_each(gpu, repetitions, count, run);
            run(count + 1);
            expect(first_of(out) == dividend / first, "a chain of divisions");
        }));
    all.push_back(
        attempt_on(gpu, "gpu_shuffle_latency", "ns", "dependent shuffles of one warp", [&](Ceiling& ceiling) {
            constexpr int count = 1 << 17;
            Buffer<int> out(*gpu.device, 32);
            const auto stream = gpu.device->stream();
            const auto run = [&](int n) { ceilings::chain_of_shuffles(stream, n, out.data()); };
            ceiling.value = nanoseconds_each(gpu, repetitions, count, run);
            run(33);
            expect(first_of(out) == 31, "a chain of shuffles");
        }));
    all.push_back(measure_one_warp(gpu, repetitions, false));
    all.push_back(measure_one_warp(gpu, repetitions, true));
    for (const unsigned threads : {32U, 128U, 256U, 512U, 1024U})
        all.push_back(measure_barrier(gpu, repetitions, threads));
    all.push_back(attempt_on(gpu, "gpu_message_latency", "ns",
                             "a number goes to and fro between two blocks by flag-carrying messages, per way",
                             [&](Ceiling& ceiling) { measure_message(ceiling, gpu, repetitions); }));
    return all;
}

unsigned filling_blocks(const GpuUnderTest& gpu) {
    return 8 * static_cast<unsigned>(gpu.properties.multiprocessors);
}

void measure_reading(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions, bool shared) {
    constexpr unsigned passes = 512;
    const unsigned blocks = filling_blocks(gpu);
    const std::vector<float> ones(std::size_t{4} * ceilings::chip_words, 1);
    Buffer<float> words(*gpu.device, std::span<const float>(ones));
    Buffer<float> out(*gpu.device, std::size_t{blocks} * ceilings::chip_threads);
    const auto stream = gpu.device->stream();
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds(
            [&] { ceilings::read_chip(stream, words.data(), blocks, passes, shared, out.data()); });
    });
    expect(first_of(out) == 4.0F * ceilings::chip_loads * passes, "a sum");
    ceiling.value = best.billions_a_second(ceilings::read_chip_bytes(blocks, passes));
    ceiling.how += best_text(best);
}

/// At the size and with the row of a large grid, 16384 floats.
void measure_tiles(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    constexpr int nx = 16384;
    const auto least = 4 * static_cast<std::size_t>(gpu.properties.l2_bytes);
    const int ny = static_cast<int>(std::max<std::size_t>(least, std::size_t{256} << 20U) /
                                    (nx * sizeof(float)) / 32 * 32);
    const std::size_t count = static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny);
    if (3 * count * sizeof(float) > static_cast<std::size_t>(gpu.properties.memory_free_bytes) / 2)
        throw launch::OutOfMemory("too little memory is free for three arrays of four times the L2");
    Buffer<float> a(*gpu.device, count), b(*gpu.device, count), to(*gpu.device, count);
    const auto stream = gpu.device->stream();
    gpu.device->fill_bytes(a.data(), 0, count * sizeof(float));
    gpu.device->fill_bytes(b.data(), 0, count * sizeof(float));
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds([&] { ceilings::triad_by_tiles(stream, a.data(), b.data(), to.data(), nx, ny); });
    });
    ceiling.value = best.billions_a_second(3.0 * static_cast<double>(count) * sizeof(float));
    ceiling.how += ", arrays of " + mebibytes(count * sizeof(float)) + best_text(best);
}

void measure_issue(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions,
                   ceilings::Mix mix) {
    constexpr int turns = 4096;
    const unsigned blocks = filling_blocks(gpu);
    Buffer<float> out(*gpu.device, std::size_t{blocks} * ceilings::chip_threads);
    const auto stream = gpu.device->stream();
    const Best best = best_of(repetitions, [&] {
        return gpu.seconds([&] { ceilings::issue(stream, mix, blocks, turns, out.data()); });
    });
    expect(std::abs(first_of(out) - ceilings::issued_sum(mix, 0, turns)) < 1e-2F, "a row of instructions");
    ceiling.value = best.billions_a_second(ceilings::issue_instructions(mix, blocks, turns));
    ceiling.how += ", 32 threads each, all multiprocessors" + best_text(best);
}

std::vector<Ceiling> measure_throughput(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto reading = [&](const char* name, const char* where, bool shared) {
        return attempt_on(gpu, name, "GB/s",
                          std::string("16-byte loads by all threads of all multiprocessors from ") + where,
                          [&](Ceiling& ceiling) { measure_reading(ceiling, gpu, repetitions, shared); });
    };
    const auto issuing = [&](const char* name, const char* what, ceilings::Mix mix) {
        return attempt_on(gpu, name, "Ginstructions/s", what,
                          [&](Ceiling& ceiling) { measure_issue(ceiling, gpu, repetitions, mix); });
    };
    return {reading("gpu_l1_bandwidth", "16 KiB in the L1", false),
            reading("gpu_shared_bandwidth", "16 KiB of shared memory", true),
            attempt_on(gpu, "gpu_tiles_bandwidth", "GB/s",
                       "to = a + 3 b by tiles of 32 x 32 floats, four rows a thread, of rows of 16384",
                       [&](Ceiling& ceiling) { measure_tiles(ceiling, gpu, repetitions); }),
            issuing("gpu_issue_arithmetic", "multiply-adds of floats", ceilings::Mix::arithmetic),
            issuing("gpu_issue_logic", "logical operations on integers", ceilings::Mix::logic),
            issuing("gpu_issue_mixed", "multiply-adds and logical operations in turn", ceilings::Mix::both),
            attempt_on(gpu, "gpu_block_start", "ns", "empty blocks of 256 threads, per block of the GPU",
                       [&](Ceiling& ceiling) {
                           const auto stream = gpu.device->stream();
                           ceiling.value = nanoseconds_each(gpu, repetitions, 1 << 19, [&](int n) {
                               ceilings::launch_blocks(stream, static_cast<unsigned>(n));
                           });
                       })};
}

/// By the kernel clock, and so after all that events time: CUPTI's hooks stay.
Ceiling measure_empty_kernel(const GpuUnderTest& gpu) {
    constexpr int kernels = 64;
    return attempt_on(gpu, "gpu_empty_kernel", "us",
                      "the shortest of " + std::to_string(kernels) +
                          " kernels of a block a multiprocessor that do nothing, by the kernel clock",
                      [&](Ceiling& ceiling) {
                          const auto stream = gpu.device->stream();
                          const auto records = gpu.record([&] {
                              for (int i = 0; i < kernels; ++i)
                                  ceilings::launch_blocks(
                                      stream, static_cast<unsigned>(gpu.properties.multiprocessors));
                          });
                          double least = std::numeric_limits<double>::infinity();
                          for (const KernelRecord& record : records)
                              least = std::min(least, static_cast<double>(record.duration_ns()));
                          ceiling.value = positive_time(least * 1e-9) * 1e6;
                      });
}

}  // namespace

std::vector<Ceiling> measure_gpu_chip(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    std::vector<Ceiling> all = measure_latencies(gpu, repetitions);
    std::ranges::move(measure_chains(gpu, repetitions), std::back_inserter(all));
    std::ranges::move(measure_throughput(gpu, repetitions), std::back_inserter(all));
    all.push_back(measure_empty_kernel(gpu));
    return all;
}

}  // namespace gridmark::harness
