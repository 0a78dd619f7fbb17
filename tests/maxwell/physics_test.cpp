// What the equations say of any fields: energy only falls, an empty box scatters nothing, a plate reflects
// its share.

#include <gtest/gtest.h>

#include "kernels/maxwell/accuracy.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

using namespace maxwell;  // NOLINT(google-build-using-namespace): the tests are about it

// --- without a source the fields only lose energy: to the boundaries, and where sigma is

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

// --- the incident wave passes an empty box as if no boundary were there
// At all times every value of the 3-D fields is that of the 1-D problem, to rounding. Nothing is scattered.

/// Largest distance of any value from what the 1-D wave says, ghosts left out.
template <class T>
double false_scattering(Reference<T>& solver, const Grid& grid) {
    const Wave<T> wave = solver.wave();
    const T* const expected[components] = {wave.e[0], wave.e[1], nullptr, wave.h[1], wave.h[0], nullptr};
    double worst = 0;
    for (int component = 0; component < components; ++component) {
        const int c = component % 3;
        const auto first = [&](int axis) { return component < 3 ? c == axis : c != axis; };
        for (int x = first(0); x < grid.n(0); ++x)
            for (int y = first(1); y < grid.n(1); ++y)
                for (int z = first(2); z < grid.n(2); ++z) {
                    const double wanted =
                        expected[component] == nullptr ? 0 : static_cast<double>(expected[component][z]);
                    const double apart =
                        std::abs(static_cast<double>(solver.value(component, x, y, z)) - wanted);
                    worst = apart <= worst ? worst : apart;  // NaN stays
                }
    }
    return worst;
}

template <class T>
void expect_no_scattering(double bound) {
    const Grid grid = uneven_grid(13, 10, 31);
    const Body body = empty_box(grid);
    const auto coefficients = average<T>(grid, body, 1);
    Reference<T> solver({grid, stable_dct(grid, body), both_ways(8)}, coefficients);
    double highest = 0;
    for (int step = 0; step < 300; ++step) {
        solver.steps(1);
        ASSERT_LE(false_scattering(solver, grid), bound) << "after step " << step;
        highest = std::max(highest, std::abs(static_cast<double>(solver.value(0, 5, 5, 20))));
    }
    EXPECT_NEAR(highest, 1, 0.1);  // the wave has come by, with its amplitude
}

TEST(EmptyBox, ScattersNothing) {
    expect_no_scattering<double>(1e-13);
    expect_no_scattering<float>(1e-5);
}

TEST(EmptyBox, WaveTravelsUpwardsAndLeaves) {
    // A pulse: after it has passed, the box is nearly as empty as before (the lagged boundary reflects a
    // little).
    const Grid grid = uniform_grid(5, 5, 120);
    const Body body = empty_box(grid);
    const auto coefficients = average<double>(grid, body, 1);
    const double dct = stable_dct(grid, body);
    Reference<double> solver({grid, dct, {{1, 0}, 0.3, 40}}, coefficients);
    const int arrival = static_cast<int>(60 / dct);  // of the pulse's middle at node 40
    solver.steps(arrival);
    double there = 0, behind = 0;
    for (int z = 30; z < 55; ++z)
        there = std::max(there, std::abs(solver.value(0, 2, 2, z)));
    for (int z = 70; z < 118; ++z)
        behind = std::max(behind, std::abs(solver.value(0, 2, 2, z)));
    EXPECT_GT(there, 0.8);
    EXPECT_LT(behind, 0.02);
    solver.steps(static_cast<int>(130 / dct));
    double left = 0;
    for (int z = 0; z < 120; ++z)
        left = std::max(left, std::abs(solver.value(0, 2, 2, z)));
    EXPECT_LT(left, 0.05);
    EXPECT_GT(left, 0.005);
}

TEST(EmptyBox, ReflectionOfTheBoundaryFallsWithFirstOrder) {
    // The longer the pulse in cells, the less of it comes back: half as much for twice the length.
    const auto reflection = [](double length) {
        const Grid grid = uniform_grid(3, 3, 64 + static_cast<int>(2 * length));
        const Body body = empty_box(grid);
        const auto coefficients = average<double>(grid, body, 1);
        const double dct = stable_dct(grid, body);
        Reference<double> solver({grid, dct, {{1, 0}, 4 * 3.14159265 / length, length}}, coefficients);
        solver.steps(static_cast<int>((grid.n(2) + 1.7 * length) / dct));
        double left = 0;
        for (int z = 0; z < grid.n(2); ++z)
            left = std::max(left, std::abs(solver.value(0, 1, 1, z)));
        return left;
    };
    const double coarse = reflection(40), middle = reflection(80), fine = reflection(160);
    EXPECT_NEAR(std::log2(coarse / middle), 1, 0.35);
    EXPECT_NEAR(std::log2(middle / fine), 1, 0.25);
}

// --- a dielectric plate
// What it reflects and lets through tends to the exact shares under refinement, with second order. What the
// boundaries wrongly send back falls with first order only.

TEST(Plate, ReflectsAndLetsThroughTheExactSharesInTheLimitWithSecondOrder) {
    const PlateErrors coarse = plate_errors(10), middle = plate_errors(20), fine = plate_errors(40);
    for (const auto& [name, e] : {std::pair{"coarse", coarse}, {"middle", middle}, {"fine", fine}})
        RecordProperty(name, std::to_string(e.reflected) + " " + std::to_string(e.transmitted));
    EXPECT_GT(fine.reflects, 0.3);
    EXPECT_LT(fine.reflected, 0.02);
    EXPECT_LT(fine.transmitted, 0.02);
    EXPECT_NEAR(observed_order(middle.reflected, fine.reflected), 2, 0.15);
    EXPECT_NEAR(observed_order(middle.transmitted, fine.transmitted), 2, 0.15);
}

TEST(Boundaries, SendBackLessWithFirstOrder) {
    const double coarse = boundary_reflection(10), middle = boundary_reflection(20),
                 fine = boundary_reflection(40);
    EXPECT_LT(fine, 0.05);
    EXPECT_GT(fine, 1e-5);
    EXPECT_NEAR(observed_order(coarse, middle), 1, 0.2);
    EXPECT_NEAR(observed_order(middle, fine), 1, 0.1);
}

// Equation (4) as printed sends back more than the listing's ghosts, with the same first order.
TEST(Boundaries, OfEquationFourSendBackMoreWithFirstOrder) {
    const double coarse = mean_boundary_reflection(20), fine = mean_boundary_reflection(40);
    EXPECT_NEAR(observed_order(coarse, fine), 1, 0.02);
    EXPECT_GT(coarse, 1.5 * boundary_reflection(20));
    EXPECT_LT(coarse, 0.1);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
