// The equation and its stable steps; the declared traffic, counted, the points that blocks share, and the
// bound on rounding errors.

#include "kernels/ginzburg_landau/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/reference.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/ginzburg_landau/versions.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

using namespace gridmark::ginzburg_landau;

TEST(Medium, HasAStableDefault) {
    const Problem p = medium(16384);
    EXPECT_GT(1 - p.a * p.b, 0);
    EXPECT_LE(growth_per_step(p), 1);
}

TEST(Medium, RefusesWhatMeansNothing) {
    for (const int n : {1, 0, -3, 1 << 30})
        EXPECT_THROW(medium(n), std::invalid_argument) << n;
    EXPECT_NO_THROW(medium(2));
    for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
        EXPECT_THROW(medium(8, wrong, 1, 1, 1), std::invalid_argument);
        EXPECT_THROW(medium(8, 0.1, wrong, 1, 1), std::invalid_argument);
    }
    EXPECT_THROW(medium(8, 0.1, 1, std::nan(""), 1), std::invalid_argument);
    EXPECT_THROW(medium(8, 0.1, 1, 1, HUGE_VAL), std::invalid_argument);
    EXPECT_NO_THROW(medium(8, 0.1, 1, 2, 2));  // chaos is allowed
}

/// How far |W| is from 1 after some steps from a small perturbation of the uniform state.
double deviation_after(const Problem& p, int steps) {
    auto state = random_state<double>(p, 1, 0.1);
    for (int i = 0; i < p.n; ++i)
        state[i] += 1;
    const auto last = reference_solve<double>(p, state, steps);
    double most = 0;
    for (int i = 0; i < p.n; ++i) {
        const double modulus = std::hypot(last[i], last[p.n + i]);
        most = std::isfinite(modulus) ? std::max(most, std::abs(modulus - 1)) : HUGE_VAL;
    }
    return most;
}

// Where the factor passes 1 is where perturbations begin to grow instead of to decay.
TEST(GrowthPerStep, TellsStableStepsFromOthers) {
    for (const double a : {0.0, 1.0, -2.0}) {
        double dt = 0.01;
        while (growth_per_step(medium(64, dt, 1, a, 0.25)) <= 1)
            dt *= 1.01;
        EXPECT_LT(deviation_after(medium(64, 0.95 * dt, 1, a, 0.25), 2000), 1e-3) << a;
        EXPECT_GT(deviation_after(medium(64, 1.1 * dt, 1, a, 0.25), 2000), 1e-2) << a;
    }
}

TEST(StableDt, IsTheProblemsOwnOrTheLimit) {
    EXPECT_EQ(stable_dt(medium(64)), 0.1);
    for (const double d : {1.0, 4.0}) {
        const double limit = stable_dt(medium(64, 3, d, 1, 0.5));
        EXPECT_LE(growth_per_step(medium(64, limit, d, 1, 0.5)), 1);
        EXPECT_GT(growth_per_step(medium(64, 1.002 * limit, d, 1, 0.5)), 1);
    }
}

TEST(StableDt, IsFoundToBeNoneInSomeTime) {
    EXPECT_EQ(stable_dt(medium(64, 1e-3, 1, 0.5, -1e308)), 0);
}

TEST(OverlappingBlocks, CoverAllPointsAndNoBlockIsIdle) {
    for (const int block : {9, 32, 96, 128, 256, 1024})
        for (int n = 2; n < 3 * block; ++n) {
            const int blocks = overlapping_blocks(n, block), last = (blocks - 1) * (block - overlap);
            ASSERT_GE(last + block, n) << n << ", " << block;
            if (blocks > 1) {
                ASSERT_GT(n - last, overlap) << n << ", " << block;
            }
        }
}

// --- traffic, shared points, rounding

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
