// Without a source the fields only lose energy: to the boundaries, and where sigma is.

#include <gtest/gtest.h>

#include "kernels/maxwell/scheme.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

/// eps E^2 + mu H^2 summed up, each value for its share of the volume.
double energy(Reference<double>& solver, const Grid& grid, const Coefficients<double>& k) {
    double sum = 0;
    for (int component = 0; component < components; ++component) {
        const int c = component % 3;
        int (*const first)(int, int) = component < 3 ? first_e : first_h;
        const auto length = [&](int axis, int i) {
            return first(c, axis) == 1 ? grid.cell(axis, i - 1) : half_distance(grid.nodes[axis], i);
        };
        for (int x = first(c, 0); x < grid.n(0); ++x)
            for (int y = first(c, 1); y < grid.n(1); ++y)
                for (int z = first(c, 2); z < grid.n(2); ++z) {
                    const double field = solver.value(component, x, y, z);
                    const double factor =
                        (component < 3 ? k.eps
                                       : k.mu)[c][k.layout.plane() * x + std::size_t(y) * k.layout.pitch + z];
                    sum += factor * field * field * length(0, x) * length(1, y) * length(2, z);
                }
    }
    return sum;
}

TEST(Energy, DecaysAfterTheSourceHasEnded) {
    const Grid grid = uneven_grid(24, 22, 40);
    const Body body = lossy_sphere(grid);
    const auto k = average<double>(grid, body, 1);
    const double dct = stable_dct(grid, body);
    Reference<double> solver({grid, dct, {{1, 0.5}, 0.6, 25}}, k);
    solver.steps(static_cast<int>(26 / dct));
    double last = energy(solver, grid, k);
    const double first = last;
    ASSERT_GT(first, 100);
    // E and H are half a step apart, so that their sum swings a little about the energy: compared over a
    // period.
    for (int block = 0; block < 40; ++block) {
        solver.steps(12);
        const double now = energy(solver, grid, k);
        EXPECT_LT(now, last * 1.02) << block;
        last = now;
    }
    EXPECT_LT(last, 1e-3 * first);
}

TEST(Energy, ConductivityTakesItAway) {
    // The same fields in a box of vacuum and in one that conducts a little.
    const Grid grid = uniform_grid(16, 16, 16);
    const auto left = [&](double sigma) {
        Body body = empty_box(grid);
        body.materials[0].sigma = sigma;
        const auto k = average<double>(grid, body, 1);
        Reference<double> solver({grid, 0.5 * stable_dct(grid, body), {{0, 0}, 1, 1}}, k);
        set_random(solver, grid, 3);
        solver.steps(10);
        return energy(solver, grid, k);
    };
    const double vacuum = left(0), lossy = left(0.3);
    EXPECT_LT(lossy, 0.7 * vacuum);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
