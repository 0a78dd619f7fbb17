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

/// A ghost plane of one component of H from E at the face and H half a cell inside, as equation (4) prints
/// it: the mean of two H, half a cell before and behind the face, answers E there.
void set_ghosts_as_printed(Solver<double>& solver, const Grid& grid) {
    const int n[3] = {grid.n(0), grid.n(1), grid.n(2)};
    const std::size_t row = n[2] + 1, plane = plane_values(grid);
    std::vector<double> f = all_values(solver, grid);
    const auto at = [&](int component, const int(&i)[3]) -> double& {
        return f[((component * (n[0] + 1) + i[0]) * plane) + i[1] * row + i[2]];
    };
    for (int axis = 0; axis < 3; ++axis)
        for (const int high : {0, 1})
            for (const int other : {1, 2}) {
                // H along c follows from E along e; the sign is that of the listing's one-sided ghost.
                const int c = (axis + other) % 3, e = (axis + 3 - other) % 3;
                const double side = (high == 1 ? 1 : -1) * (other == 2 ? 1 : -1);
                int i[3];
                for (i[c] = 0; i[c] < n[c]; ++i[c])
                    for (i[e] = 1; i[e] < n[e]; ++i[e]) {
                        i[axis] = high == 1 ? n[axis] - 1 : 0;
                        const double outside = side * at(e, i);
                        i[axis] = high == 1 ? n[axis] - 1 : 1;
                        const double inside = at(3 + c, i);
                        i[axis] = high == 1 ? n[axis] : 0;
                        at(3 + c, i) = 2 * outside - inside;
                    }
            }
    for (int component = 3; component < components; ++component)
        for (int x = 0; x <= n[0]; ++x)
            solver.set_plane(component, x, f.data() + (component * (n[0] + 1) + x) * plane);
}

/// growth() with these boundaries, at a share of Yee's limit.
double printed_growth(double share_of_yee, int n, int steps) {
    const Grid grid = uniform_grid(n, n, n);
    const auto k = average<double>(grid, empty_box(grid), 1);
    Reference<double> solver({grid, share_of_yee / std::sqrt(3.0), {{0, 0}, 1, 1}}, k);
    set_random(solver, grid, 9);
    for (int step = 0; step < steps; ++step) {
        solver.steps(1);
        set_ghosts_as_printed(solver, grid);
    }
    double largest = 0;
    for (const double value : all_values(solver, grid))
        largest = std::abs(value) <= largest ? largest : std::abs(value);
    return largest;
}

TEST(Stability, OfTheConditionsAsPrintedEndsEarlier) {
    for (const int n : {4, 8}) {
        EXPECT_LT(printed_growth(0.370, n, 4000), 100) << n;
        EXPECT_GT(printed_growth(0.375, n, 4000), 1e4) << n;
    }
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
