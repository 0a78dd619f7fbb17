// The declared traffic, counted, the points that blocks share, and the bound on rounding errors.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "kernels/ginzburg_landau/start.hpp"
#include "tests/ginzburg_landau/versions.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

/// How many values a step depends on and how many it writes, found by changing one at a time.
int values_moved(const Version<double>& version, const Problem& p) {
    auto start = ginzburg_landau::random_state<double>(p, 1, 0.5);
    const auto before = version.solve(p, start, 1);
    int moved = static_cast<int>(
        std::count_if(before.begin(), before.end(), [](double value) { return std::isfinite(value); }));
    for (double& value : start) {
        const double kept = std::exchange(value, value + 1);
        moved += version.solve(p, start, 1) != before;
        value = kept;
    }
    return moved;
}

TEST(Cost, IsTheStateReadAndWritten) {
    const Problem p = ginzburg_landau::medium(40);
    const auto device = launch::host_device();
    auto versions = gpu_versions<double>(*device, 32);
    for (const auto& version : cpu_versions<double>())
        versions.push_back(version);
    for (const auto& version : versions)
        EXPECT_EQ(values_moved(version, p) * sizeof(double), ginzburg_landau::bytes_per_pair<double> * p.n)
            << version.name;
    EXPECT_EQ(ginzburg_landau::bytes_per_pair<float>, 16);
}

// Against the blocks themselves: block k holds the points from k (B - 8) on.
TEST(RepeatedShare, CountsPointsThatSeveralBlocksHold) {
    for (const int block : {9, 32, 96, 128, 256, 1024})
        for (const int n : {2, 100, 1000, 16384, 32768}) {
            int held = 0;
            for (int k = 0; k < ginzburg_landau::overlapping_blocks(n, block); ++k)
                held += std::min(block, n - k * (block - ginzburg_landau::overlap));
            EXPECT_DOUBLE_EQ(ginzburg_landau::repeated_share(n, block), static_cast<double>(held - n) / n)
                << n << ", " << block;
        }
    EXPECT_NEAR(ginzburg_landau::repeated_share(32768, 128), 8.0 / 120, 1e-3);
}

TEST(RoundingBound, IsOfTheSizeOfRounding) {
    const Problem p = ginzburg_landau::medium(100);
    EXPECT_EQ(ginzburg_landau::rounding_bound<float>(p, 0, 1), 0);
    const double one = ginzburg_landau::rounding_bound<double>(p, 1, 1);
    EXPECT_GT(one, 10 * 0x1p-53);
    EXPECT_LT(one, 100 * 0x1p-53);
    EXPECT_DOUBLE_EQ(ginzburg_landau::rounding_bound<float>(p, 1, 1), one * 0x1p29);
    EXPECT_GT(ginzburg_landau::rounding_bound<double>(p, 2, 1), 2 * one);
    EXPECT_GT(ginzburg_landau::rounding_bound<double>(p, 1, 2), 2 * one);
}

// It must tell a wrong version from a rounded one: any number of the equation off by a hundredth is over it.
TEST(RoundingBound, IsNotLoose) {
    const Problem p = ginzburg_landau::medium(1000);
    const auto start = ginzburg_landau::random_state<double>(p, 1, 0.5);
    double largest = 0;
    const auto exact = ginzburg_landau::reference_solve<double>(p, start, 3, &largest);
    const double bound = ginzburg_landau::rounding_bound<float>(p, 3, largest);
    const auto error_with = [&](double dt, double d, double a, double b) {
        const Problem off = ginzburg_landau::medium(1000, dt, d, a, b);
        return distance(ginzburg_landau::reference_solve<double>(off, start, 3), exact);
    };
    EXPECT_GT(error_with(p.dt * 1.01, p.d, p.a, p.b), bound);
    EXPECT_GT(error_with(p.dt, p.d * 1.01, p.a, p.b), bound);
    EXPECT_GT(error_with(p.dt, p.d, p.a * 1.01, p.b), bound);
    EXPECT_GT(error_with(p.dt, p.d, p.a, p.b * 1.01), bound);
}

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
