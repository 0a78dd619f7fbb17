// The problem, the starts that the program makes itself, and the declared traffic, counted.

#include "kernels/heat/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "kernels/heat/start.hpp"
#include "tests/heat/versions.hpp"

namespace gridmark::heat_tests {
namespace {

using namespace gridmark::heat;

TEST(Tissue, HasTheThesissNumbers) {
    const Problem p = tissue(256, 200, 100);
    EXPECT_EQ(p.points(), 256U * 200 * 100);
    EXPECT_DOUBLE_EQ(p.dt, 1e-4);
    EXPECT_DOUBLE_EQ(p.dx, 1e-3);
    EXPECT_DOUBLE_EQ(p.boundary, 37.0);
    const auto k = coefficients<double>(p);
    EXPECT_DOUBLE_EQ(k.dt_12, 1e-4 / 12);
    EXPECT_DOUBLE_EQ(k.inverse_dx2, 1e6);
    EXPECT_EQ(coefficients<float>(p).dt_12, static_cast<float>(1e-4 / 12));
}

TEST(Tissue, MayHaveASpacingForEachAxis) {
    const Problem p = tissue(5, 6, 7, 0.5, {1, 2, 4}, 30);
    const auto k = coefficients<double>(p);
    EXPECT_EQ(k.inverse_dx2, 1);
    EXPECT_EQ(k.inverse_dy2, 0.25);
    EXPECT_EQ(k.inverse_dz2, 0.0625);
    EXPECT_DOUBLE_EQ(step_ratio(p, 2), 2 * 0.5 * 1.3125 / 3);
}

// The halo's share of what is stored, by the thesis's own definition: 4.76 % and 1.18 %, where it prints 4.6
// and 1.1. Source: thesis, section 4.1.
TEST(Tissue, StoresAHaloOfSoMuch) {
    const auto share = [](double n) { return std::pow((n + 4) / n, 3) - 1; };
    EXPECT_NEAR(share(256), 0.0476, 5e-5);
    EXPECT_NEAR(share(1024), 0.0118, 5e-5);
}

TEST(Tissue, RefusesSizesThatItCannotIndex) {
    EXPECT_THROW(tissue(0, 5, 5), std::invalid_argument);
    EXPECT_THROW(tissue(5, -1, 5), std::invalid_argument);
    EXPECT_THROW(tissue(5, 5, 0), std::invalid_argument);
    EXPECT_THROW(tissue(1290, 1290, 1290), std::invalid_argument);
    EXPECT_THROW(tissue(1 << 30, 1, 1), std::invalid_argument);  // its padding counts
    EXPECT_NO_THROW(tissue(1, 1, 1));
    EXPECT_NO_THROW(tissue(1024, 1024, 1024));
}

TEST(Tissue, RefusesNumbersThatMeanNothing) {
    for (const double wrong : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
        EXPECT_THROW(tissue(5, 5, 5, wrong, 1, 37), std::invalid_argument);
        EXPECT_THROW(tissue(5, 5, 5, 1, wrong, 37), std::invalid_argument);
        EXPECT_THROW(tissue(5, 5, 5, 1, {1, wrong, 1}, 37), std::invalid_argument);
        EXPECT_THROW(tissue(5, 5, 5, 1, {1, 1, wrong}, 37), std::invalid_argument);
    }
    EXPECT_THROW(tissue(5, 5, 5, 1, 1e-200, 37), std::invalid_argument);  // 1 / dx^2 is no number
    EXPECT_THROW(tissue(5, 5, 5, 1, 1, std::nan("")), std::invalid_argument);
}

// --- starts

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

// --- traffic

/// How many values of temperature and beta a step depends on, and how many it writes: found by changing one
/// at a time.
int values_moved(const Version<double>& version, const Problem& p) {
    const Layout layout = version.layout(p);
    const auto start = heat::random_start<double>(p, 1, 0.05);
    auto now = heat::store<double>(p, layout, start.t0);
    auto beta = start.beta;
    const double unwritten = 99;
    const auto run = [&] {
        Storage<double> next(layout.size(), unwritten);
        version.step(p, now, beta, next);
        return next;
    };
    const auto before = run();
    int moved = static_cast<int>(before.size()) -
                static_cast<int>(std::count(before.begin(), before.end(), unwritten));
    const auto count = [&](auto& values) {
        for (double& value : values) {
            const double kept = std::exchange(value, value * 1.5 + 1);
            moved += run() != before;
            value = kept;
        }
    };
    count(now);
    count(beta);
    return moved;
}

// The least traffic: every temperature and every beta read once, every new temperature written once, and the
// two layers of the six faces read.
TEST(Cost, ValuesReadAndWritten) {
    const Problem p = heat::tissue(9, 8, 7);
    const int points = 9 * 8 * 7, faces = 2 * 2 * (9 * 8 + 8 * 7 + 7 * 9);
    EXPECT_EQ(values_moved(naive<double>(1), p), 3 * points + faces);
    EXPECT_EQ(values_moved(blocked<double>(nullptr, {{8, 8, 8}, {4, 4, 4}, false}, 1), p),
              3 * points + faces);
}

TEST(Cost, BytesPerPoint) {
    EXPECT_EQ(heat::bytes_per_point<float>, 12);
    EXPECT_EQ(heat::bytes_per_point<double>, 24);
}

}  // namespace
}  // namespace gridmark::heat_tests
