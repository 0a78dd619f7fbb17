#include "kernels/ginzburg_landau/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/reference.hpp"
#include "kernels/ginzburg_landau/start.hpp"

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

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
