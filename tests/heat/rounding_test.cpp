// The bound on rounding errors, and the limit of stable steps.

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/heat/reference.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/heat/update.hpp"

namespace gridmark::heat_tests {
namespace {

using namespace gridmark::heat;

// The bound must tell a wrong version from a rounded one: any of the star's numbers off by 1e-4 is over it.
TEST(RoundingBound, IsNotLoose) {
    const Problem p = tissue(20, 20, 20);
    const auto start = random_start<double>(p, 1, 0.05);
    const auto expected = reference_solve(p, start.t0, start.beta, 1);
    for (int wrong = 0; wrong < 5; ++wrong) {
        SCOPED_TRACE("number " + std::to_string(wrong));
        const auto off = [&](int number) { return wrong == number ? 1 + 1e-4 : 1.0; };
        const auto k = coefficients<double>(p);
        double error = 0;
        for (int z = 2; z < 18; ++z)
            for (int y = 2; y < 18; ++y)
                for (int x = 2; x < 18; ++x) {
                    const int at = x + 20 * (y + 20 * z);
                    const double* t = start.t0.data() + at;
                    double sum = 0;
                    for (const int stride : {1, 20, 400})
                        sum += 16 * off(0) * (t[-stride] + t[stride]) - 30 * off(1) * t[0] -
                               off(2) * (t[-2 * stride] + t[2 * stride]);
                    const double value =
                        t[0] + start.beta[at] * k.dt_12 * off(3) * k.inverse_dx2 * off(4) * sum;
                    error = std::max(error, std::abs(value - expected[at]));
                }
        EXPECT_GT(error, rounding_bound<float>(1, 57, 0.05));
    }
}

TEST(RoundingBound, GrowsWithStepsAndSize) {
    EXPECT_DOUBLE_EQ(rounding_bound<double>(1, 1, 0), 1.125 * 0x1p-53);
    EXPECT_DOUBLE_EQ(rounding_bound<float>(4, 2, 0), 4 * 2 * 1.125 * 0x1p-24);
    EXPECT_GT(rounding_bound<float>(2, 1, 0.1), 2 * rounding_bound<float>(1, 1, 0.1));
}

/// Largest distance from the boundary after some steps of the grid's shortest wave.
double largest_after(double ratio, int steps, const Spacing& spacing = {1e-3, 1e-3, 1e-3}) {
    const Problem p = tissue(24, 24, 24, 1e-4, spacing, 37);
    std::vector<double> t0(p.points());
    for (int z = 0, at = 0; z < 24; ++z)
        for (int y = 0; y < 24; ++y)
            for (int x = 0; x < 24; ++x, ++at)
                t0[at] = 37 + ((x + y + z) % 2 == 0 ? 1 : -1);
    const auto t = reference_solve(p, t0, std::vector<double>(p.points(), ratio / step_ratio(p, 1)), steps);
    double largest = 0;
    for (double value : t)
        largest = std::max(largest, std::abs(value - 37));
    return largest;
}

TEST(StabilityLimit, IsWhereStepsBeginToGrow) {
    EXPECT_LT(largest_after(stability_limit, 400), 1.1);
    EXPECT_GT(largest_after(stability_limit * 1.05, 400), 1000);
    const Spacing unequal{1e-3, 1.5e-3, 0.7e-3};
    EXPECT_LT(largest_after(stability_limit, 400, unequal), 1.1);
    EXPECT_GT(largest_after(stability_limit * 1.05, 400, unequal), 1000);
}

}  // namespace
}  // namespace gridmark::heat_tests
