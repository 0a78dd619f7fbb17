#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/ceilings/cpu.hpp"
#include "kernels/ceilings/gpu.hpp"

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
