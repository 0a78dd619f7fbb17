// The starts that the program makes itself.

#include "kernels/heat/start.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace gridmark::heat_tests {
namespace {

using namespace gridmark::heat;

TEST(Phantom, HasAHotSpotInTissue) {
    const Problem p = tissue(64, 48, 40);
    const auto start = phantom<double>(p, 1);
    const auto [coldest, hottest] = std::minmax_element(start.t0.begin(), start.t0.end());
    EXPECT_GE(*coldest, 37);
    EXPECT_GT(*hottest, 60);
    EXPECT_LE(*hottest, 63);
    EXPECT_NEAR(start.t0.front(), 37, 1e-6);  // focal: the corners are at rest
    const auto at = static_cast<int>(hottest - start.t0.begin());
    EXPECT_NEAR(at % 64, 35, 3);
    EXPECT_NEAR(at / 64 % 48, 26, 3);
    EXPECT_NEAR(at / 64 / 48, 20, 4);
}

// Diffusivities of living tissue lie about 1e-7 m^2/s; they differ between tissues by more than they vary in
// one.
TEST(Phantom, IsHeterogeneous) {
    const Problem p = tissue(64, 64, 64);
    const auto start = phantom<double>(p, 1);
    for (double beta : start.beta) {
        ASSERT_GT(beta, 0.8e-7);
        ASSERT_LT(beta, 1.6e-7);
    }
    std::set<int> tissues;  // in steps of 5 %
    for (double beta : start.beta)
        tissues.insert(static_cast<int>(beta / 0.05e-7 / 1.3));
    EXPECT_GE(tissues.size(), 5U);
    EXPECT_LT(*std::max_element(start.beta.begin(), start.beta.end()) * p.dt / (p.dx * p.dx),
              stability_limit / 100);
}

TEST(Phantom, IsSeeded) {
    const Problem p = tissue(20, 10, 30);
    EXPECT_EQ(phantom<float>(p, 1).beta, phantom<float>(p, 1).beta);
    EXPECT_NE(phantom<float>(p, 1).beta, phantom<float>(p, 2).beta);
    const auto single = phantom<float>(p, 3);
    const auto twice = phantom<double>(p, 3);
    for (std::size_t n = 0; n < p.points(); ++n) {
        ASSERT_EQ(single.beta[n], static_cast<float>(twice.beta[n]));
        ASSERT_EQ(single.t0[n], static_cast<float>(twice.t0[n]));
    }
    EXPECT_EQ(phantom<float>(tissue(1, 1, 1), 1).t0.size(), 1U);
}

TEST(RandomStart, FillsItsRange) {
    const Problem p = tissue(30, 30, 30);
    const auto start = random_start<double>(p, 1, 0.05);
    const auto [t_low, t_high] = std::minmax_element(start.t0.begin(), start.t0.end());
    EXPECT_NEAR(*t_low, 17, 0.1);
    EXPECT_NEAR(*t_high, 57, 0.1);
    const double unit = p.dx * p.dx / p.dt;
    const auto [b_low, b_high] = std::minmax_element(start.beta.begin(), start.beta.end());
    EXPECT_NEAR(*b_low / unit, 0.01, 0.0005);
    EXPECT_NEAR(*b_high / unit, 0.05, 0.0005);
    EXPECT_LE(*b_high / unit, 0.05);
    EXPECT_NE(random_start<double>(p, 2, 0.05).t0, start.t0);
    EXPECT_EQ(random_start<double>(p, 1, 0.05).t0, start.t0);
}

}  // namespace
}  // namespace gridmark::heat_tests
