// The scheme itself: its order, and the solution that is known.

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>
#include <span>
#include <tuple>

#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/random.hpp"
#include "tests/ginzburg_landau/versions.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

using namespace gridmark::ginzburg_landau;

std::vector<double> solved(const Problem& p, const std::vector<double>& start, int steps) {
    return reference_solve<double>(p, start, steps);
}

TEST(Scheme, IsOfFourthOrderInTime) {
    const auto at = [](int steps) {
        const Problem p = medium(50, 2.0 / steps, 1, 1, 0.5);
        return solved(p, wave_state<double>(p, 3), steps);
    };
    const auto exact = at(4096);
    double before = distance(at(16), exact);
    for (const int steps : {32, 64, 128}) {
        const double error = distance(at(steps), exact);
        EXPECT_NEAR(std::log2(before / error), 4, 0.25) << steps;
        before = error;
    }
}

// From W = r exp(i phi) everywhere: r'^2 = 1 / (1 + (1 / r^2 - 1) exp(-2 t)), and the phase falls by b / 2
// ln(1 + r^2 (exp(2 t) - 1)).
TEST(Scheme, FollowsTheUniformSolution) {
    const double r = 0.3, phi = 0.4, t = 3, b = -0.7;
    const Problem p = medium(33, 0.01, 2, 0.6, b);
    std::vector<double> start(p.values());
    for (int i = 0; i < p.n; ++i) {
        start[i] = r * std::cos(phi);
        start[p.n + i] = r * std::sin(phi);
    }
    const auto state = solved(p, start, 300);
    const double radius = 1 / std::sqrt(1 + (1 / (r * r) - 1) * std::exp(-2 * t));
    const double phase = phi - b / 2 * std::log(1 + r * r * (std::exp(2 * t) - 1));
    for (int i = 0; i < p.n; ++i) {
        EXPECT_NEAR(state[i], radius * std::cos(phase), 1e-8);
        EXPECT_NEAR(state[p.n + i], radius * std::sin(phase), 1e-8);
    }
}

// A small wave cos(k (i + 1/2)) fits the Neumann ends, and by the printed system (1 - i a) it grows by
// 1 - s and turns by a s, s = 2 d (1 - cos k).
TEST(Scheme, TurnsASmallWaveAsPrinted) {
    const double d = 1.3, a = 0.8, dt = 0.01, epsilon = 1e-6;
    const int n = 40, steps = 100;
    const Problem p = medium(n, dt, d, a, 0.5);
    const double k = 4 * M_PI / n, s = 2 * d * (1 - std::cos(k)), t = dt * steps;
    std::vector<double> start(p.values());
    for (int i = 0; i < n; ++i)
        start[i] = epsilon * std::cos(k * (i + 0.5));
    const auto state = solved(p, start, steps);
    for (int i = 0; i < n; ++i) {
        const double grown = std::exp((1 - s) * t) * start[i];
        EXPECT_NEAR(state[i], grown * std::cos(a * s * t), 1e-6 * epsilon) << i;
        EXPECT_NEAR(state[n + i], grown * std::sin(a * s * t), 1e-6 * epsilon) << i;
    }
}

// As it is defined: a step at a time, and between them a number of its own for each value and step.
TEST(RoundingSpread, MovesEveryValueAtRandomAfterEveryStep) {
    constexpr int steps = 5;
    constexpr std::uint64_t seed = 3;
    const Problem p = medium(37);
    const auto start = random_state<float>(p, 1, 0.5);
    const std::vector<double> from(start.begin(), start.end());
    const auto exact = solved(p, from, steps);
    constexpr double most = 4 * std::numeric_limits<float>::epsilon() / 2;
    auto moved = from;
    std::uint64_t index = 0;
    for (int s = 0; s < steps; ++s) {
        moved = solved(p, moved, 1);
        for (double& value : moved)
            value += most * (2 * unit_random(seed, index++) - 1) * std::abs(value);
    }
    EXPECT_EQ(rounding_spread<float>(p, start, steps, exact, seed), 4 * distance(moved, exact));
}

// On a size at which threads share the points, and which they do not divide.
TEST(Scheme, TakesTheSameStepsByAnyNumberOfThreads) {
    const Problem p = medium(70001);
    const auto start = random_state<double>(p, 1, 0.5);
    const std::vector<float> rounded(start.begin(), start.end());
    const auto all = [&](int threads) {
        omp_set_num_threads(threads);
        double largest = 0;
        const auto state = reference_solve<double>(p, start, 3, &largest);
        return std::tuple(state, largest, rounding_spread<float>(p, rounded, 3, state, 5));
    };
    const int before = omp_get_max_threads();
    const auto by_one = all(1);
    EXPECT_EQ(all(3), by_one);
    omp_set_num_threads(before);
}

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
