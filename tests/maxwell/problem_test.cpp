// Grids, materials, bodies and sources: what they are, and what is refused. The declared cost of a step.

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Run>
std::string refusal(Run run) {
    try {
        run();
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

std::string grid_refusal(std::vector<double> y) {
    Grid grid = uniform_grid(3, 3, 3);
    grid.nodes[1] = std::move(y);
    return refusal([&] { check_grid(grid); });
}

TEST(GridOfNodes, RefusesWhatDoesNotIncrease) {
    EXPECT_EQ(grid_refusal({0, 1, 2.5}), "");
    EXPECT_EQ(grid_refusal({0}), "y has fewer than 2 nodes");
    EXPECT_EQ(grid_refusal({0, 1, 1}), "y[2] is not greater than the node before it");
    EXPECT_EQ(grid_refusal({0, 1, 0.5, 2}), "y[2] is not greater than the node before it");
    EXPECT_EQ(grid_refusal({0, nan}), "y[1] is not finite");
    EXPECT_EQ(grid_refusal({0, 1e-40}), "y[1] is not greater than the node before it");
}

TEST(GridOfNodes, HalfDistancesEndWithHalfACell) {
    const auto inverse = inverse_spacings<double>({0, 1, 3, 7});
    EXPECT_EQ(inverse.half, (std::vector<double>{1 / 0.5, 1 / 1.5, 1 / 3.0, 1 / 2.0}));
    EXPECT_EQ(inverse.node, (std::vector<double>{0, 1, 1 / 2.0, 1 / 4.0}));
}

TEST(BodyOfCells, RefusesWhatCannotBe) {
    const Grid grid = uniform_grid(3, 2, 2);
    const auto with = [&](const Material& material) {
        Body body = empty_box(grid);
        body.materials.push_back(material);
        return refusal([&] { check_body(grid, body); });
    };
    EXPECT_EQ(with({2, 1, 0.5}), "");
    EXPECT_EQ(with({nan, 1, 0}), "layer 1: eps must be a positive number");
    EXPECT_EQ(with({0, 1, 0}), "layer 1: eps must be a positive number");
    EXPECT_EQ(with({1, -1, 0}), "layer 1: mu must be a positive number");
    EXPECT_EQ(with({1, 1, -1}), "layer 1: sigma must be a number not below 0");
    EXPECT_EQ(with({1, 1, nan}), "layer 1: sigma must be a number not below 0");
    Body body = empty_box(grid);
    body.cells[1] = 1;
    EXPECT_EQ(refusal([&] { check_body(grid, body); }),
              "cell 1 is of material 1, which is no layer (there are 1)");
    body.cells.pop_back();
    EXPECT_EQ(refusal([&] { check_body(grid, body); }), "there are 1 cells' materials for 2 cells");
    EXPECT_EQ(refusal([&] { check_body(grid, {body.cells, {}}); }), "there is no layer");
}

TEST(BodyOfCells, BuiltInBodiesAreWhereTheyShouldBe) {
    const Grid grid = uniform_grid(41, 41, 61);
    const auto filled = [&](const Body& body, int x, int y, int z) {
        return body.cells[body.index(grid, x, y, z)] != 0;
    };
    const Body plate = dielectric_slab(grid), sphere = lossy_sphere(grid), plane = aircraft(grid);
    for (const Body* body : {&plate, &sphere, &plane})
        check_body(grid, *body);
    EXPECT_FALSE(filled(plate, 0, 0, 29));
    EXPECT_TRUE(filled(plate, 0, 39, 30));
    EXPECT_TRUE(filled(plate, 20, 20, 35));
    EXPECT_FALSE(filled(plate, 20, 20, 36));
    EXPECT_TRUE(filled(sphere, 20, 20, 30));
    EXPECT_TRUE(filled(sphere, 20, 20, 23));
    EXPECT_FALSE(filled(sphere, 20, 20, 20));
    EXPECT_FALSE(filled(sphere, 29, 20, 30));
    const auto share = std::count(sphere.cells.begin(), sphere.cells.end(), 1);
    EXPECT_NEAR(static_cast<double>(share), 4.0 / 3 * 3.14159265 * 512, 100);
    EXPECT_TRUE(filled(plane, 20, 20, 15));
    EXPECT_TRUE(filled(plane, 9, 19, 28));
    EXPECT_FALSE(filled(plane, 9, 19, 20));
    EXPECT_TRUE(filled(plane, 20, 25, 45));
    // Bodies keep off the boundary, where the wave's impedance is that of vacuum; the plate alone reaches it.
    for (const Body* body : {&sphere, &plane})
        for (int y = 0; y < 40; ++y)
            for (int z = 0; z < 60; ++z)
                EXPECT_FALSE(filled(*body, 0, y, z) || filled(*body, 39, y, z));
}

TEST(SourceInLockstep, FallsSilentAfterTheLastStepWithinThePulse) {
    for (const auto& [steps_long, active] : {std::pair{3.4, 3}, {3.6, 4}, {0.4, 0}, {7.0, 7}}) {
        Drive drive = start({{1, 0}, 0.1, 0.25 * steps_long}, 0.25, 1);
        int sounding = 0;
        for (int step = 0; step < 20; ++step, drive = advanced(drive))
            sounding += current(drive, 0) != 0;
        EXPECT_EQ(sounding, active) << steps_long;
    }
}

TEST(SourceInLockstep, IsTheSineThatItStandsFor) {
    const double dct = 0.31, k = 0.4, length = 50;  // 161.3 steps
    Drive endless = start({{2, 0.5}, k, 0}, dct, 3), pulse = start({{1, 0}, k, length}, dct, 3);
    for (int step = 0; step < 500; ++step) {
        const double ct = (step + 0.5) * dct, envelope = std::sin(3.14159265358979 * ct / length);
        EXPECT_NEAR(current(endless, 0), 2 * dct * 3 * 2 * std::sin(k * ct), 1e-12);
        EXPECT_NEAR(current(endless, 1), 2 * dct * 3 * 0.5 * std::sin(k * ct), 1e-12);
        if (ct < length) {
            EXPECT_NEAR(current(pulse, 0), 2 * dct * 3 * std::sin(k * ct) * envelope * envelope, 1e-12);
        } else {
            EXPECT_EQ(current(pulse, 0), 0) << step;
        }
        EXPECT_EQ(current(pulse, 1), 0);
        endless = advanced(endless);
        pulse = advanced(pulse);
    }
}

// Each direction has its own form; a lightning's peak is its amplitude.
TEST(SourceInLockstep, HasAFormForEachDirection) {
    const double dct = 0.31, rise = 4, fall = 30;
    Source source({2, 0}, 0.4, 50);
    source.along[1].amplitude = 0.5;
    source.along[1].rise = rise;
    source.along[1].fall = fall;
    Drive drive = start(source, dct, 3), alone = start({{2, 0}, 0.4, 50}, dct, 3);
    double peak = 0;
    const double at_peak = std::log(fall / rise) * rise * fall / (fall - rise);
    const auto form = [&](double ct) { return std::exp(-ct / fall) - std::exp(-ct / rise); };
    for (int step = 0; step < 500; ++step) {
        const double ct = (step + 0.5) * dct;
        EXPECT_EQ(current(drive, 0), current(alone, 0));
        EXPECT_NEAR(current(drive, 1), 2 * dct * 3 * 0.5 * form(ct) / form(at_peak), 1e-12);
        peak = std::max(peak, current(drive, 1) / (2 * dct * 3));
        drive = advanced(drive);
        alone = advanced(alone);
    }
    EXPECT_NEAR(peak, 0.5, 1e-3);
}

// --- the cost of a step, counted by a number that counts; and bytes by arrays that are touched

/// Counts what is done to it.
struct Counted {
    static inline int operations = 0;
    friend Counted operator+(Counted a, Counted) { return ++operations, a; }
    friend Counted operator-(Counted a, Counted) { return ++operations, a; }
    friend Counted operator*(Counted a, Counted) { return ++operations, a; }
    friend Counted operator/(Counted a, Counted) { return ++operations, a; }
};

TEST(Cost, OperationsOfAStepAreThoseDeclared) {
    Counted::operations = 0;
    const Counted x;
    for (int c = 0; c < 3; ++c) {
        next_e(x, rotation(x, x, x, x, x, x), x, x, x);
        next_h(x, rotation(x, x, x, x, x, x), x, x);
    }
    EXPECT_EQ(Counted::operations, flops_per_cell);
    // A look-up averages eps and sigma of four cells, and mu of two.
    const Layout layout{{2, 2, 2}, 3};
    const int cell[27] = {};
    const Layer<Counted> layer{};
    const Counted share[2];
    const CellLookup<Counted> cells{layout, cell, &layer, {share, share, share}, {share, share, share}};
    cells.of_e<0>(1, 1, 1), cells.of_e<1>(1, 1, 1), cells.of_e<2>(1, 1, 1);
    cells.of_h<0>(1, 1, 1), cells.of_h<1>(1, 1, 1), cells.of_h<2>(1, 1, 1);
    EXPECT_EQ(Counted::operations, flops_per_cell_lookup);
}

TEST(Cost, ValuesOfAStepAreReadAndWrittenOnceAKernel) {
    // Six kernels: each of E reads itself, two of H, eps and sigma, and writes; each of H itself, two of E
    // and mu.
    EXPECT_EQ(values_six, 3 * (1 + 2 + 2 + 1) + 3 * (1 + 2 + 1 + 1));
    // One a field: all of H, E, eps, sigma read and E written; all of E, H, mu read and H written.
    EXPECT_EQ(values_fused, (3 + 3 + 6 + 3) + (3 + 3 + 3 + 3));
    // One for both: all of E, H and the coefficients read, E and H written.
    EXPECT_EQ(values_whole, 3 + 3 + 9 + 3 + 3);
    // Six that look up: as the six, but a number of a cell each instead of nine coefficients.
    EXPECT_EQ(values_lookup<float> * sizeof(float), (values_six - 9) * sizeof(float) + 6 * sizeof(int));
    EXPECT_EQ(values_lookup<double> * sizeof(double), (values_six - 9) * sizeof(double) + 6 * sizeof(int));
    EXPECT_EQ(values_indexed<float> * sizeof(float), (3 + 3 + 3 + 3) * sizeof(float) + 1);
    EXPECT_EQ(values_indexed<double> * sizeof(double), (3 + 3 + 3 + 3) * sizeof(double) + 1);
    EXPECT_EQ(find_gpu_variant<float>(launch::Executor::host, "gpu_in_core")->values_per_cell, 33);
    EXPECT_EQ(find_gpu_variant<float>(launch::Executor::host, "gpu_in_core_fused")->values_per_cell, 27);
    EXPECT_EQ(find_gpu_variant<float>(launch::Executor::host, "gpu_in_core_"), nullptr);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
