#include "kernels/heat/problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

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

}  // namespace
}  // namespace gridmark::heat_tests
