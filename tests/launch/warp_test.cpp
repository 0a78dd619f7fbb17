// Warp operations, each against a serial loop.

#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

using Warp = OnEach;

TEST_P(Warp, PrefixSumOfBlocks) {
    const auto prefix = GRIDMARK_SELECT(device->stream(), prefix_sum);
    for (const unsigned block : {32u, 50u, 128u, 1024u}) {
        const int n = 1500;
        // Whole numbers, so that the order of the additions does not matter.
        std::vector<double> from;
        for (int i = 0; i < n; ++i)
            from.push_back(i % 17 - 5);
        std::vector<double> expected = from;
        for (std::size_t i = 0; i < from.size(); ++i)
            if (i % block != 0) expected[i] += expected[i - 1];
        const launch::Buffer<double> device_from(*device, from);
        const auto got = result<double>(
            from.size(), [&](double* to) { prefix(device->stream(), device_from.data(), to, n, block); });
        EXPECT_EQ(got, expected) << "blocks of " << block;
    }
}

TEST_P(Warp, XorSumsOf64Bits) {
    std::vector<long long> from(96);
    for (std::size_t i = 0; i < from.size(); ++i)
        from[i] = static_cast<long long>(i) << 33;
    const launch::Buffer<long long> device_from(*device, from);
    const auto got = result<long long>(from.size(), [&](long long* to) {
        GRIDMARK_SELECT(device->stream(), warp_sums)(device->stream(), device_from.data(), to, 3);
    });
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto warp = static_cast<long long>(i / 32);
        EXPECT_EQ(got[i], (32 * 32 * warp + 31 * 16) << 33) << "lane " << i;
    }
}

TEST_P(Warp, ShiftsKeepTheOwnValueAtTheEndOfASegment) {
    std::vector<int> from(32);
    for (int i = 0; i < 32; ++i)
        from[static_cast<std::size_t>(i)] = 100 + i;
    const launch::Buffer<int> device_from(*device, from);
    const auto run = [&](auto shift, int delta, int width) {
        return result<int>(32, [&](int* to) {
            shift(device->stream(), device_from.data(), to, static_cast<unsigned>(delta), width);
        });
    };
    for (const int width : {8, 32})
        for (const int delta : {1, 3, 7}) {
            const auto down = run(GRIDMARK_SELECT(device->stream(), shift_down), delta, width);
            const auto up = run(GRIDMARK_SELECT(device->stream(), shift_up), delta, width);
            for (int i = 0; i < 32; ++i) {
                const auto at = static_cast<std::size_t>(i);
                EXPECT_EQ(down[at], 100 + (i % width + delta < width ? i + delta : i)) << "lane " << i;
                EXPECT_EQ(up[at], 100 + (i % width >= delta ? i - delta : i)) << "lane " << i;
            }
        }
}

TEST_P(Warp, BroadcastTakesTheLaneModuloTheWidth) {
    std::vector<float> from(32);
    for (std::size_t i = 0; i < 32; ++i)
        from[i] = static_cast<float>(i);
    const launch::Buffer<float> device_from(*device, from);
    for (const int source : {0, 31, 37}) {
        const auto got = result<float>(32, [&](float* to) {
            GRIDMARK_SELECT(device->stream(), broadcast)(device->stream(), device_from.data(), to, source);
        });
        EXPECT_EQ(got, std::vector<float>(32, static_cast<float>(source % 32)));
    }
}

TEST_P(Warp, HalvesOfAWarpTakeDifferentWays) {
    const auto got = result<unsigned>(64, [&](unsigned* to) {
        GRIDMARK_SELECT(device->stream(), split_warp)(device->stream(), to);
    });
    for (unsigned i = 0; i < 64; ++i) {
        // The sum over 0..15; over the own pair, 8 lanes apart; the thread itself.
        const unsigned expected = i < 16 ? 120 : i < 32 ? 2 * (i % 8) + 16 + 24 : i;
        EXPECT_EQ(got[i], expected) << "thread " << i;
    }
}

TEST_P(Warp, KernelInfoBelongsToTheGpu) {
    const auto info = GRIDMARK_SELECT(device->stream(), prefix_sum_info)(128);
    ASSERT_EQ(info.has_value(), GetParam().gpu);
    if (!info) return;
    EXPECT_GT(info->registers, 0);
    EXPECT_EQ(info->static_shared, 32 * sizeof(double));
    EXPECT_GE(info->blocks_per_multiprocessor, 1);
    EXPECT_EQ(info->threads_per_block, 128);
    // A multiprocessor holds 1024 to 2048 threads.
    EXPECT_GE(info->occupancy, info->blocks_per_multiprocessor * 128 / 2048.0);
    EXPECT_LE(info->occupancy, 1);
}

INSTANTIATE_TEST_SUITE_P(Launch, Warp, testing::ValuesIn(all_targets()), target_name);

}  // namespace
}  // namespace gridmark::launch_tests
