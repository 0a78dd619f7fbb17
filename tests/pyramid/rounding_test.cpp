// What rounding does in many steps, against the bound that verification allows for it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/random.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::pyramid_tests {
namespace {

using launch_tests::OnEach;

constexpr std::size_t n = 1001;
constexpr int steps = 64;

const std::vector<std::function<double(std::size_t)>> starts{
    [](std::size_t i) { return 2 * unit_random(4, i) - 1; },
    [](std::size_t) { return 1.0; },  // every rounding goes the same way
    [](std::size_t i) {
        return std::sin(std::numbers::pi * static_cast<double>(i + 1) / static_cast<double>(n + 1));
    },
};

/// Largest distance from the double reference of what `advance` makes of a start in 64 steps.
template <class T>
double error_of(double s, const std::function<double(std::size_t)>& start,
                const std::function<void(std::vector<T>&)>& advance) {
    std::vector<T> u(n);
    for (std::size_t i = 0; i < n; ++i)
        u[i] = static_cast<T>(start(i));
    const std::vector<double> given(u.begin(), u.end());
    const auto expected = pyramid::reference_solve(pyramid::rod(n, s), given, steps);
    advance(u);
    double most = 0;
    for (std::size_t i = 0; i < n; ++i)
        most = std::max(most, std::abs(static_cast<double>(u[i]) - expected[i]));
    return most;
}

class Rounding : public OnEach {};

TEST_P(Rounding, OfTheDevicesSolversStaysWithinItsBound) {
    for (const auto& solver : pyramid::gpu_variants<float>(device->executor()))
        for (const double s : {0.1, 1.0, 10.0, 100.0})
            for (const auto& start : starts) {
                if (!solver.unavailable_reason(s).empty()) continue;
                const double error = error_of<float>(s, start, [&](std::vector<float>& u) {
                    launch::Buffer<float> now(*device, std::span<const float>(u)), next(*device, n),
                        scratch(*device, solver.scratch(n));
                    solver.prepare(device->stream(), s, n, scratch.data());
                    float *from = now.data(), *to = next.data();
                    pyramid::advance(solver, device->stream(), s, n, steps, from, to, scratch.data());
                    (from == now.data() ? now : next).download(u);
                });
                EXPECT_LE(error, solver.rounding * pyramid::rounding_bound<float>(s, steps))
                    << solver.name << ", s " << s;
            }
}

INSTANTIATE_TEST_SUITE_P(On, Rounding, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

TEST(RoundingBound, HoldsForTheCpuAndIsNoExcuseForMore) {
    double largest_share = 0;
    for (const double s : {0.1, 1.0, 10.0, 100.0})
        for (const auto& start : starts) {
            const auto serial = error_of<float>(s, start, [&](std::vector<float>& u) {
                const pyramid::Thomas<float> thomas(s, n);
                for (int k = 0; k < steps; ++k)
                    thomas.solve(u);
            });
            const auto parallel = error_of<float>(s, start, [&](std::vector<float>& u) {
                std::vector<float> next(n);
                for (int k = 0; k < steps; ++k, u.swap(next))
                    pyramid::cpu_openmp<float>(pyramid::rod(n, s), u, next, 2);
            });
            const double bound = pyramid::rounding_bound<float>(s, steps);
            EXPECT_LE(serial, bound) << s;
            EXPECT_LE(parallel, bound) << s;
            largest_share = std::max({largest_share, serial / bound, parallel / bound});
        }
    EXPECT_GT(largest_share, 0.1);
}

TEST(RoundingBound, GrowsWithStepsAndReach) {
    EXPECT_DOUBLE_EQ(pyramid::rounding_bound<double>(1, 10), 10 * pyramid::rounding_bound<double>(1, 1));
    EXPECT_GT(pyramid::rounding_bound<float>(100, 1), 3 * pyramid::rounding_bound<float>(1, 1));
    EXPECT_EQ(pyramid::rounding_bound<float>(1, 0), 0);
}

}  // namespace
}  // namespace gridmark::pyramid_tests
