// How far float is from double after a few steps, against the derived bound.

#include <gtest/gtest.h>

#include "kernels/maxwell/reference.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

/// Largest distance of single from double precision with the same coefficients, and the bound for it.
std::pair<double, double> error_and_bound(const Grid& grid, const Body& body, int steps) {
    const Problem problem{grid, stable_dct(grid, body), both_ways(6)};
    const auto k = average<float>(grid, body, 1);
    Reference<float> single(problem, k);
    Reference<double, float> twice(problem, k);
    set_random(single, grid, 2);
    std::vector<float> plane(plane_values(grid));
    std::vector<double> wide(plane.size());
    for (int component = 0; component < components; ++component)
        for (int x = 0; x <= grid.n(0); ++x) {
            single.get_plane(component, x, plane.data());
            std::copy(plane.begin(), plane.end(), wide.begin());
            twice.set_plane(component, x, wide.data());
        }
    single.steps(steps);
    twice.steps(steps);
    const auto a = all_values(single, grid);
    const auto b = all_values(twice, grid);
    double error = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        error = std::max(error, std::abs(static_cast<double>(a[i]) - b[i]));
    return {error, rounding_bound<float>(problem, body, steps, 1)};
}

TEST(RoundingBound, HoldsAndIsNoExcuse) {
    for (const int steps : {1, 2, 3}) {
        const Grid grid = uneven_grid(17, 14, 19);
        const auto [error, bound] = error_and_bound(grid, random_body(grid, 1), steps);
        EXPECT_LT(error, bound) << steps;
        EXPECT_GT(error, 0);
        // What a wrong coefficient does is of the order of the fields themselves.
        EXPECT_LT(bound, 0.02) << steps;
    }
    const Grid grid = uniform_grid(12, 12, 12);
    const auto [error, bound] = error_and_bound(grid, empty_box(grid), 3);
    EXPECT_LT(error, bound);
}

TEST(RoundingBound, AllowsEachHalfStepItsSixteenRoundings) {
    const Grid grid = uniform_grid(8, 8, 8);
    const Body body = empty_box(grid);
    const Problem problem{grid, 0.25, {{0, 0}, 1, 0}};
    // Half cells at the ends: two differences of two values, each over half a cell.
    const double largest_e = 1 + 0.25 * 2 * (2 + 2);
    EXPECT_GT(rounding_bound<double>(problem, body, 1, 1), 16 * 0x1p-53 * largest_e);
}

TEST(RoundingBound, GrowsWithStepsAndPrecision) {
    const Grid grid = uniform_grid(8, 8, 8);
    const Body body = empty_box(grid);
    const Problem problem{grid, stable_dct(grid, body), both_ways(6)};
    const double two = rounding_bound<float>(problem, body, 2, 1),
                 three = rounding_bound<float>(problem, body, 3, 1);
    EXPECT_GT(three, two);
    EXPECT_NEAR(rounding_bound<double>(problem, body, 3, 1) / three, 0x1p-29, 1e-12);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
