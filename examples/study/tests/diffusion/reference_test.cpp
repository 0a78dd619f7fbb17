// The reference against what is known exactly, and problems that are refused.

#include "kernels/diffusion/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace gridmark::diffusion {
namespace {

// A sine of k half waves is multiplied by 1 - 4 r sin^2(pi k / (2 (n - 1))) in each step.
TEST(Reference, DampsASineAsItMust) {
    const Problem p = rod(101, 0.4);
    for (const int k : {1, 7, 50}) {
        const double angle = std::numbers::pi * k / (p.n - 1), sine = std::sin(angle / 2);
        std::vector<double> start(p.n);
        for (int i = 0; i < p.n; ++i)
            start[i] = std::sin(angle * i);
        const auto last = reference_solve(p, start, 9);
        for (int i = 0; i < p.n; ++i)
            EXPECT_NEAR(last[i], start[i] * std::pow(1 - 4 * p.r * sine * sine, 9), 1e-13);
    }
}

TEST(Rod, RefusesWhatCannotBeSolved) {
    for (const int n : {-1, 1, (1 << 30) + 1})
        EXPECT_THROW(rod(n), std::invalid_argument);
    for (const double r : {-0.1, 0.0, 0.500001, std::nan("")})
        EXPECT_THROW(rod(10, r), std::invalid_argument);
    EXPECT_EQ(rod(2, 0.5).n, 2);
}

}  // namespace
}  // namespace gridmark::diffusion
