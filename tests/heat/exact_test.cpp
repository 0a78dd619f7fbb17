// The scheme itself: its order, what it conserves, and solutions that it keeps.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "kernels/heat/reference.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/heat/versions.hpp"

namespace gridmark::heat_tests {
namespace {

/// A spot of heat that spreads from the middle of a cube of side 1 with constant beta = 1, narrow enough that
/// the boundary does not feel it: the exact solution after time t, above the boundary.
double spreading_spot(double x, double y, double z, double t) {
    const double width = 0.08 * 0.08 + 4 * t, ratio = 0.08 * 0.08 / width;
    return ratio * std::sqrt(ratio) * std::exp(-(x * x + y * y + z * z) / width);
}

/// Largest error at time t on n^3 points, with `steps` steps.
double error_on(int n, double t, int steps) {
    const double dx = 1.0 / n;
    const Problem p = heat::tissue(n, n, n, t / steps, dx, 37.0);
    const auto at_time = [&](double time) {
        std::vector<double> field(p.points());
        const auto x = [&](int i) { return (i - 0.5 * (n - 1)) * dx; };
        for (int k = 0, m = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i, ++m)
                    field[m] = 37 + spreading_spot(x(i), x(j), x(k), time);
        return field;
    };
    const auto solved = heat::reference_solve(p, at_time(0), std::vector<double>(p.points(), 1.0), steps);
    const auto exact = at_time(t);
    double error = 0;
    for (std::size_t m = 0; m < solved.size(); ++m)
        error = std::max(error, std::abs(solved[m] - exact[m]));
    return error;
}

// With dt falling as dx^4 both errors, of time (first order) and of space (fourth), fall by 16 when dx is
// halved.
TEST(Scheme, IsOfFourthOrderInSpace) {
    const double t = 4 * 0.05 / (16.0 * 16.0);
    const double coarse = error_on(16, t, 4), middle = error_on(32, t, 64), fine = error_on(64, t, 1024);
    EXPECT_GT(std::log2(coarse / middle), 3.0);
    EXPECT_NEAR(std::log2(middle / fine), 4, 0.2);
}

/// The sum of a field's distance from the boundary temperature.
template <class T>
double heat_of(const std::vector<T>& field, double boundary) {
    return std::accumulate(field.begin(), field.end(), 0.0,
                           [&](double sum, T value) { return sum + (value - boundary); });
}

/// With constant beta the star only moves heat; a spot that the steps do not carry to the boundary keeps all
/// of it.
TEST(Scheme, ConservesHeat) {
    const Problem p = heat::tissue(37, 29, 41);
    constexpr int steps = 5, reach = 2 * steps;
    const auto random = heat::random_start<double>(p, 5, 0.05);
    Start<double> start{std::vector<double>(p.points(), p.boundary),
                        std::vector<double>(p.points(), 0.05 * p.dx * p.dx / p.dt)};
    for (int k = reach; k < p.nz - reach; ++k)
        for (int j = reach; j < p.ny - reach; ++j)
            for (int i = reach; i < p.nx - reach; ++i) {
                const std::size_t at = i + p.nx * (j + static_cast<std::size_t>(p.ny) * k);
                start.t0[at] = random.t0[at] + 20;
            }
    const double before = heat_of(start.t0, p.boundary);
    ASSERT_GT(before, 1000);
    const auto device = launch::host_device();
    auto versions = cpu_versions<double>();
    for (auto& version : gpu_versions<double>(*device))
        versions.push_back(std::move(version));
    const double rounding = static_cast<double>(p.points()) * heat::rounding_bound<double>(steps, 77, 0.05);
    ASSERT_LT(rounding, 1e-6 * before);
    for (const auto& version : versions) {
        SCOPED_TRACE(version.name);
        EXPECT_NEAR(heat_of(solve(version, p, start, steps, 0.0).interior, p.boundary), before, rounding);
    }
}

// What the boundary has everywhere stays; a temperature that is linear in space has no second derivative.
TEST(Scheme, KeepsWhatIsAtRest) {
    const Problem p = heat::tissue(9, 8, 7);
    const auto beta = heat::random_start<double>(p, 1, 0.1).beta;
    const auto same = heat::reference_solve(p, std::vector<double>(p.points(), 37.0), beta, 10);
    for (double value : same)
        EXPECT_NEAR(value, 37, 1e-12);

    std::vector<double> linear(p.points());
    for (int k = 0, m = 0; k < 7; ++k)
        for (int j = 0; j < 8; ++j)
            for (int i = 0; i < 9; ++i, ++m)
                linear[m] = 30 + 0.5 * i - 0.25 * j + 2 * k;
    const auto after = heat::reference_solve(p, linear, beta, 1);
    const std::size_t middle = 4 + 9 * (4 + 8 * 3);
    EXPECT_NEAR(after[middle], linear[middle], 1e-12);
    EXPECT_GT(std::abs(after[0] - linear[0]), 1e-3);  // next to the boundary
}

// A wave along one axis decays by the star's symbol, which the printed signs would make grow.
TEST(Scheme, DampsAWaveByItsSymbol) {
    constexpr int n = 64;
    for (int axis = 0; axis < 3; ++axis) {
        SCOPED_TRACE(axis);
        constexpr double spacings[] = {1e-3, 2e-3, 0.8e-3};
        const Problem p = heat::tissue(axis == 0 ? n : 5, axis == 1 ? n : 5, axis == 2 ? n : 5, 1e-4,
                                       {spacings[0], spacings[1], spacings[2]}, 37);
        const double theta = 0.7, ratio = 0.05;
        std::vector<double> wave(p.points());
        for (int k = 0, m = 0; k < p.nz; ++k)
            for (int j = 0; j < p.ny; ++j)
                for (int i = 0; i < p.nx; ++i, ++m)
                    wave[m] = 37 + std::cos(theta * (axis == 0 ? i : axis == 1 ? j : k));
        const double beta = ratio * spacings[axis] * spacings[axis] / p.dt;
        const auto after = heat::reference_solve(p, wave, std::vector<double>(p.points(), beta), 1);
        // Along the wave the symbol; across it the middle point of 5 sees its own value twice on each side.
        const double symbol = (-30 + 32 * std::cos(theta) - 2 * std::cos(2 * theta)) / 12;
        const int middle = axis == 0   ? 31 + p.nx * (2 + p.ny * 2)
                           : axis == 1 ? 2 + p.nx * (31 + p.ny * 2)
                                       : 2 + p.nx * (2 + p.ny * 31);
        EXPECT_NEAR(after[middle] - 37, (1 + ratio * symbol) * (wave[middle] - 37), 1e-12);
        EXPECT_LT(symbol, -0.4);
    }
}

}  // namespace
}  // namespace gridmark::heat_tests
