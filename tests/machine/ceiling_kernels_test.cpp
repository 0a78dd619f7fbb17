#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/ceilings/chain.hpp"
#include "kernels/ceilings/cpu.hpp"
#include "kernels/ceilings/gpu.hpp"
#include "kernels/launch/make_device.hpp"

// On the host executor, so that these kernels are executed where there is no GPU too.
namespace gridmark::ceilings {
namespace {

using Bytes = std::vector<unsigned char>;

Bytes random_bytes(std::size_t count) {
    std::mt19937 random(7);
    Bytes bytes(count);
    for (auto& byte : bytes)
        byte = static_cast<unsigned char>(random());
    return bytes;
}

TEST(CopyKernel, CopiesAnyNumberOfBytes) {
    const auto host = launch::host_device();
    for (const std::size_t count : {1U, 15U, 16U, 17U, 4095U, 4097U, 16384U, 40001U}) {
        const Bytes data = random_bytes(count);
        launch::Buffer<unsigned char> from(*host, data);
        launch::Buffer<unsigned char> to(*host, count);
        copy_bytes(host->stream(), from.data(), to.data(), count);
        Bytes copied(count);
        to.download(copied);
        EXPECT_EQ(copied, data) << count;
    }
    copy_bytes(host->stream(), nullptr, nullptr, 0);
}

TEST(TriadKernel, AddsThreeTimesTheSecond) {
    const auto host = launch::host_device();
    for (const std::size_t count : {4U, 2044U, 2048U, 2052U, 10000U}) {
        std::vector<float> a(count), b(count), sum(count);
        for (std::size_t i = 0; i < count; ++i) {
            a[i] = static_cast<float>(i % 977);
            b[i] = static_cast<float>(i % 31) - 7;
        }
        launch::Buffer<float> x(*host, std::span<const float>(a)), y(*host, std::span<const float>(b)),
            to(*host, count);
        for (const bool streaming : {false, true}) {
            host->fill_bytes(to.data(), 0xFF, count * sizeof(float));
            gpu_triad(host->stream(), x.data(), y.data(), to.data(), count, streaming);
            to.download(sum);
            for (std::size_t i = 0; i < count; ++i)
                ASSERT_EQ(sum[i], a[i] + 3 * b[i]) << count << " " << i;
        }
    }
}

TEST(TriadKernel, GoesByTiles) {
    const auto host = launch::host_device();
    constexpr int nx = 64, ny = 96;
    std::vector<float> a(nx * ny), b(nx * ny), sum(nx * ny);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<float>(i % 977);
        b[i] = static_cast<float>(i % 31) - 7;
    }
    launch::Buffer<float> x(*host, std::span<const float>(a)), y(*host, std::span<const float>(b)),
        to(*host, a.size());
    triad_by_tiles(host->stream(), x.data(), y.data(), to.data(), nx, ny);
    to.download(sum);
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_EQ(sum[i], a[i] + 3 * b[i]) << i;
}

TEST(CopyKernel, RotatesTheTiles) {
    const auto host = launch::host_device();
    constexpr unsigned tiles = 5;
    constexpr unsigned passes = 3;
    constexpr std::size_t tile = 19 * 16;  // 1530 bytes have a rest of ten
    const Bytes data = random_bytes(tiles * tile + 10);
    launch::Buffer<unsigned char> from(*host, data);
    launch::Buffer<unsigned char> to(*host, data.size());
    host->fill_bytes(to.data(), 0, data.size());
    const auto bytes = copy_rotating(host->stream(), from.data(), to.data(), data.size(), tiles, passes);
    EXPECT_EQ(bytes, tiles * tile);
    Bytes copied(data.size());
    to.download(copied);
    for (std::size_t i = 0; i < bytes; ++i) {
        const std::size_t source = (i / tile + (passes - 1) * rotation) % tiles;
        ASSERT_EQ(copied[i], data[source * tile + i % tile]) << i;
    }
    EXPECT_EQ(copied.back(), 0);
}

template <class T, class Run>
void expect_chains(Run run) {
    const auto host = launch::host_device();
    constexpr unsigned blocks = 2;
    constexpr int iterations = 10;
    launch::Buffer<T> out(*host, blocks * gpu_fma_threads);
    run(host->stream(), blocks, iterations, T{1}, T{0.5}, out.data());
    std::vector<T> sums(out.size());
    out.download(sums);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        // Chain k of thread t ends at t + k + 10 * 0.5; all of it exact.
        const auto thread = static_cast<T>(i % gpu_fma_threads);
        EXPECT_EQ(sums[i], gpu_fma_chains * (thread + 5) + T{28}) << i;
    }
}

TEST(FmaKernel, ComputesItsChains) {
    static_assert(gpu_fma_chains == 8, "0 + 1 + ... + 7 is 28");
    expect_chains<float>(fma_float);
    expect_chains<double>(fma_double);
}

TEST(FmaKernel, CountsItsOperations) {
    EXPECT_EQ(gpu_fma_flops(2, 10), 2.0 * 8 * 256 * 2 * 10);
}

TEST(LatencyKernels, RunOrSayThatTheyCannot) {
    const auto host = launch::host_device();
    launch_nothing(host->stream());
    int out = 0;
    EXPECT_THROW(sync_grid(host->stream(), 2, 3, &out), launch::Unavailable);
}

TEST(Chains, ComeByEveryLineOnce) {
    for (const unsigned lines : {2U, 64U, 4096U}) {
        std::vector<Link> chain(std::size_t{lines} * line_links);
        lay_chain(chain.data(), lines);
        std::vector<bool> seen(lines);
        const Link* at = chain.data();
        for (unsigned hop = 0; hop < lines; ++hop) {
            const auto line = static_cast<std::size_t>(at - chain.data()) / line_links;
            EXPECT_FALSE(seen[line]) << lines << " lines, hop " << hop;
            seen[line] = true;
            at = at->next;
        }
        EXPECT_EQ(at, chain.data());
        EXPECT_EQ(follow(chain.data(), 2UL * lines), chain.data());
        EXPECT_EQ(follow(chain.data(), 1), chain.data()->next);
    }
}

template <class T>
T first_of(const launch::Buffer<T>& out) {
    std::vector<T> all(out.size());
    out.download(all);
    return all.front();
}

TEST(Chains, AreFollowedByAThread) {
    const auto host = launch::host_device();
    constexpr unsigned lines = 256, hops = 300;
    launch::Buffer<Link> chain(*host, lines * line_links);
    launch::Buffer<Link> out(*host, 1);
    lay_chain(host->stream(), chain.data(), lines);
    for (const Level level : {Level::l1, Level::l2}) {
        follow_chain(host->stream(), chain.data(), hops, level, out.data());
        EXPECT_EQ(first_of(out).next, follow(chain.data(), hops));
    }
    launch::Buffer<unsigned> last(*host, 1);
    follow_shared_chain(host->stream(), hops, last.data());
    EXPECT_EQ(first_of(last), hops * shared_stride % shared_links);
    set_constant_chain(host->stream());
    follow_constant_chain(host->stream(), hops, last.data());
    EXPECT_EQ(first_of(last), hops * constant_stride % constant_links);
}

TEST(Chains, OfOperationsComputeWhatTheySay) {
    const auto host = launch::host_device();
    launch::Buffer<float> x(*host, 1);
    chain_of_fma_float(host->stream(), 5, 2, 1, x.data());
    EXPECT_EQ(first_of(x), 31);  // 2^5 - 1
    launch::Buffer<double> y(*host, 1);
    chain_of_fma_double(host->stream(), 40, 2, 1, y.data());
    EXPECT_EQ(first_of(y), 0x1p40 - 1);
    launch::Buffer<float> sums(*host, 32);
    for (const bool straight : {false, true}) {
        issue_by_one_warp(host->stream(), 2 * straight_instructions, straight, sums.data());
        EXPECT_NEAR(first_of(sums), 2 * issue_chains, 1e-4);
    }
    launch::Buffer<int> quotient(*host, 1);
    chain_of_divisions(host->stream(), 3, 1000000, 999, quotient.data());
    EXPECT_EQ(first_of(quotient), 1001);
    launch::Buffer<int> lanes(*host, 32);
    chain_of_shuffles(host->stream(), 5, lanes.data());
    std::vector<int> all(32);
    lanes.download(all);
    for (int lane = 0; lane < 32; ++lane)
        EXPECT_EQ(all[static_cast<std::size_t>(lane)], (lane + 27) % 32) << lane;
    launch::Buffer<int> met(*host, 1);
    meet(host->stream(), 96, 7, met.data());
    EXPECT_EQ(first_of(met), 7);
}

TEST(Chains, OfMessagesGoToAndFro) {
    const auto host = launch::host_device();
    launch::Buffer<MessageBox> boxes(*host, 2);
    launch::Buffer<float> out(*host, 1);
    host->fill_bytes(boxes.data(), 0, 2 * sizeof(MessageBox));
    bounce(host->stream(), boxes.data(), 0, 5, out.data());
    EXPECT_EQ(first_of(out), 10);
    bounce(host->stream(), boxes.data(), 5, 3, out.data());
    EXPECT_EQ(first_of(out), 6);
}

TEST(ChipKernels, ReadEveryWordSoManyTimes) {
    const auto host = launch::host_device();
    constexpr unsigned blocks = 2, passes = 3;
    std::vector<float> words(4 * chip_words);
    for (std::size_t w = 0; w < words.size(); ++w)
        words[w] = static_cast<float>(w % 13);
    launch::Buffer<float> from(*host, std::span<const float>(words)), out(*host, blocks * chip_threads);
    std::vector<float> sums(out.size());
    for (const bool shared : {false, true}) {
        read_chip(host->stream(), from.data(), blocks, passes, shared, out.data());
        out.download(sums);
        for (const std::size_t thread : {0U, 1U, 200U, 300U}) {
            float expected = 0;
            for (unsigned pass = 0; pass < passes; ++pass)
                for (unsigned k = 0; k < chip_loads; ++k)
                    for (unsigned i = 0; i < 4; ++i)
                        expected +=
                            words[4 * ((thread % chip_threads + 32 * (pass * chip_loads + k)) % chip_words) +
                                  i];
            EXPECT_EQ(sums[thread], expected) << thread;
        }
    }
    EXPECT_EQ(read_chip_bytes(blocks, passes), 16.0 * 8 * 256 * 2 * 3);
}

TEST(ChipKernels, IssueWhatTheySay) {
    const auto host = launch::host_device();
    constexpr unsigned blocks = 2;
    launch::Buffer<float> out(*host, blocks * chip_threads);
    std::vector<float> sums(out.size());
    for (const Mix mix : {Mix::arithmetic, Mix::logic, Mix::both}) {
        issue(host->stream(), mix, blocks, 11, out.data());
        out.download(sums);
        for (const unsigned thread : {0U, 5U, 255U, 256U})
            EXPECT_EQ(sums[thread], issued_sum(mix, thread % chip_threads, 11)) << thread;
    }
    EXPECT_EQ(issue_instructions(Mix::logic, 2, 10), 8.0 * 8 * 2 * 10);
    EXPECT_EQ(issue_instructions(Mix::both, 2, 10), 2 * 8.0 * 8 * 2 * 10);
    launch_blocks(host->stream(), 3);
}

TEST(CpuCacheTriad, EveryInstructionSetComputesIt) {
    constexpr std::size_t count = 96;
    for (const CpuCacheTriad& triad : cpu_cache_triads()) {
        alignas(64) double a[count + 8], b[count], c[count];
        for (std::size_t i = 0; i < count; ++i)
            a[i] = -1, b[i] = static_cast<double>(i), c[i] = static_cast<double>(3 * i + 1);
        a[count] = -1;
        triad.run(a, b, c, 5, count, 2);
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(a[i], b[i] + 5 * c[i]) << triad.isa << " " << i;
        EXPECT_EQ(a[count], -1) << triad.isa;
    }
}

TEST(CpuFma, EveryInstructionSetComputesItsChains) {
    for (const auto& versions : {cpu_fma_float(), cpu_fma_double()}) {
        ASSERT_FALSE(versions.empty());
        for (const CpuFma& fma : versions) {
            const double starts = fma.chains * (fma.chains - 1) / 2.0;
            EXPECT_EQ(fma.run(100, 1, 0.5), fma.lanes * (starts + fma.chains * 50.0)) << fma.isa;
            EXPECT_EQ(fma.flops_per_iteration, 2.0 * fma.lanes * fma.chains) << fma.isa;
        }
    }
}

/// What run() returns if a multiply-add rounds once (`fused`), or if the product is rounded, too.
template <class T>
double sum_of_chains(const CpuFma& version, bool fused, int iterations, T factor, T term) {
    double sum = 0;
    for (int k = 0; k < version.chains; ++k) {
        auto x = static_cast<T>(k);
        for (int i = 0; i < iterations; ++i) {
            const volatile T product = x * factor;
            x = fused ? std::fma(x, factor, term) : product + term;
        }
        for (int lane = 0; lane < version.lanes; ++lane)
            sum += static_cast<double>(x);
    }
    return sum;
}

// The peak would be half of what there is if it took two instructions where the set has one.
template <class T>
void expect_fused(const std::vector<CpuFma>& versions) {
    constexpr int iterations = 1000;
    const T factor = T(0.99), term = T(1) / 3;
    for (const CpuFma& version : versions) {
        const double fused = sum_of_chains(version, true, iterations, factor, term);
        const double rounded = sum_of_chains(version, false, iterations, factor, term);
        ASSERT_NE(fused, rounded);
        const bool has_it = std::string_view(version.isa) != "sse2 (multiply, then add)";
        EXPECT_EQ(version.run(iterations, factor, term), has_it ? fused : rounded) << version.isa;
    }
}

TEST(CpuFma, IsOneInstructionWhereTheSetHasIt) {
    expect_fused<float>(cpu_fma_float());
    expect_fused<double>(cpu_fma_double());
}

TEST(Triad, BothStoresComputeTheSame) {
    constexpr std::size_t count = 1001;
    std::vector<double> b(count);
    std::vector<double> c(count);
    for (std::size_t i = 0; i < count; ++i) {
        b[i] = static_cast<double>(i);
        c[i] = static_cast<double>(2 * i + 1);
    }
    for (auto* kernel : {triad, triad_streaming}) {
        std::vector<double> a(count + 1, -1);
        // operator new aligns to 16 bytes, as the streaming stores need.
        kernel(a.data(), b.data(), c.data(), 3, count);
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(a[i], b[i] + 3 * c[i]) << i;
        EXPECT_EQ(a[count], -1);
    }
}

}  // namespace
}  // namespace gridmark::ceilings
