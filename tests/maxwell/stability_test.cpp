// Where the scheme with its boundaries is stable: up to 0.65 of Yee's limit, and hardly beyond.

#include <gtest/gtest.h>

#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

/// The largest |E| after many steps from random fields without a source, as a multiple of the start.
double growth(double share_of_limit, const Grid& grid, const Body& body, int steps) {
    const auto k = average<double>(grid, body, 2);
    Reference<double> solver({grid, share_of_limit * stable_dct(grid, body), {{0, 0}, 1, 1}}, k);
    set_random(solver, grid, 9);
    solver.steps(steps);
    double largest = 0;
    for (const double value : all_values(solver, grid))
        largest = std::abs(value) <= largest ? largest : std::abs(value);
    return largest;
}

TEST(Stability, HoldsAtTheLimitAndNotBeyond) {
    const Grid grid = uniform_grid(16, 16, 16);
    const Body body = empty_box(grid);
    EXPECT_LT(growth(1, grid, body, 3000), 10);
    EXPECT_GT(growth(0.67 / 0.65, grid, body, 3000), 1e3);
}

TEST(Stability, HoldsOnUnevenGridsWithRandomMaterials) {
    const Grid grid = uneven_grid(14, 11, 13);
    EXPECT_LT(growth(1, grid, random_body(grid, 4), 2000), 10);
    EXPECT_LT(growth(1, grid, aircraft(grid), 2000), 10);
}

TEST(Stability, LimitKnowsTheSmallestCellAndTheFastestMaterial) {
    Grid grid = uniform_grid(6, 6, 6);
    const Body vacuum = empty_box(grid);
    EXPECT_DOUBLE_EQ(stable_dct(grid, vacuum), 0.65 / std::sqrt(3.0));
    grid.nodes[1][5] = 4.5;
    EXPECT_DOUBLE_EQ(stable_dct(grid, vacuum), 0.65 / std::sqrt(6.0));
    Body fast = vacuum;
    fast.materials.push_back({0.5, 0.5, 0});
    EXPECT_DOUBLE_EQ(stable_dct(grid, fast), 0.5 * 0.65 / std::sqrt(6.0));
    Body slow = vacuum;
    slow.materials[0] = {4, 1, 0};
    EXPECT_DOUBLE_EQ(stable_dct(grid, slow), 0.65 / std::sqrt(6.0));
}

}  // namespace
}  // namespace gridmark::maxwell_tests
