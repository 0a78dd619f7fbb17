// Where solvers could read or write what is not theirs, and how far their inverse reaches.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/problem.hpp"
#include "kernels/pyramid/recurrence.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/random.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::pyramid_tests {
namespace {

using launch_tests::OnEach;
using pyramid::GpuVariant;

class Edges : public OnEach {
  protected:
    /// Solves with other values right behind f and x: none may be read into the answer, nor be written over.
    template <class T>
    void expect_solves_alone(const GpuVariant<T>& solver, double s, std::size_t m, T other = 3) {
        const int steps = solver.steps_per_launch.most;
        constexpr std::size_t beyond = 16;
        std::vector<T> f(m + beyond, other), got(m + beyond);
        for (std::size_t i = 0; i < m; ++i)
            f[i] = static_cast<T>(2 * unit_random(5, i) - 1);
        std::vector<double> expected(f.begin(), f.begin() + static_cast<std::ptrdiff_t>(m));
        for (int k = 0; k < steps; ++k)
            pyramid::Thomas<double>(s, m).solve(expected);
        launch::Buffer<T> now(*device, std::span<const T>(f)), next(*device, std::span<const T>(f)),
            scratch(*device, solver.scratch(m));
        solver.prepare(device->stream(), s, m, scratch.data());
        solver.solve(device->stream(), s, m, steps, now.data(), next.data(), scratch.data());
        (solver.in_place ? now : next).download(got);
        for (std::size_t i = 0; i < m + beyond; ++i) {
            if (i >= m)
                EXPECT_TRUE(got[i] == other || std::isnan(other))
                    << solver.name << ", s " << s << ", m " << m << ", " << i;
            else
                ASSERT_NEAR(got[i], expected[i],
                            (8 + 4 / (1 - pyramid::decay(s))) * steps * std::numeric_limits<T>::epsilon())
                    << solver.name << ", s " << s << ", m " << m << ", " << i;
        }
    }
};

TEST_P(Edges, KeepToTheirRows) {
    for (const auto& solver : pyramid::gpu_variants<double>(device->executor())) {
        if (!solver.unavailable_reason(1).empty()) continue;
        const std::size_t tile = pyramid::recurrence::tile, reach = pyramid::reach_of<double>(1);
        std::vector<std::size_t> orders{3, 5, 99, 1026, 1027, 2050};
        for (std::size_t m = 2 * tile - 3 * reach - 5; m <= 2 * tile - 3 * reach + 5; ++m)
            orders.push_back(m);  // the second tile ends where the piece does
        for (const std::size_t m : orders)
            for (const double other : {3.0, std::nan("")})
                expect_solves_alone(solver, 1, m, other);
    }
}

template <class T>
double farthest_s() {
    double s = 1;
    while (pyramid::reach_of<T>(1.001 * s) <= pyramid::recurrence::farthest)
        s *= 1.001;
    return s;
}

TEST_P(Edges, ReachAsFarAsTheySay) {
    const auto check = [&]<class T>(T) {
        const auto& solver = *pyramid::find_gpu_variant<T>(device->executor(), "gpu_local_inverse");
        const double s = farthest_s<T>();
        EXPECT_EQ(pyramid::reach_of<T>(s), pyramid::recurrence::farthest);
        EXPECT_EQ(solver.unavailable_reason(s), "");
        EXPECT_NE(solver.unavailable_reason(1.01 * s), "");
        for (const std::size_t m : {1000UL, 4096UL, 12345UL})
            expect_solves_alone<T>(solver, s, m);
    };
    check(float{});
    check(double{});
}
// Where a row of a warp is hardly enough, and stripes of all lengths meet.
TEST_P(Edges, OfStripesLoseNothingUpToTheFarthestReach) {
    const auto check = [&]<class T>(T, const char* name) {
        const auto& solver = *pyramid::find_gpu_variant<T>(device->executor(), name);
        double s = 1;
        while (solver.unavailable_reason(1.01 * s).empty())
            s *= 1.01;
        EXPECT_GT(s, 5) << name;
        for (const std::size_t m : {100UL, 1000UL, 4096UL, 40001UL})
            expect_solves_alone<T>(solver, s, m);
    };
    for (const char* name : {"gpu_marching", "gpu_marching_8"}) {
        check(float{}, name);
        check(double{}, name);
    }
}
INSTANTIATE_TEST_SUITE_P(On, Edges, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

template <class T>
void expect_enough_and_no_more() {
    const double negligible = std::numeric_limits<T>::epsilon() / 8;
    for (const double s : {1e-3, 0.1, 0.37, 1.0, 10.0, 300.0}) {
        const int reach = pyramid::reach_of<T>(s);
        EXPECT_EQ(reach % 4, 0) << s;
        EXPECT_LE(std::pow(pyramid::decay(s), reach), negligible) << s;
        EXPECT_GT(std::pow(pyramid::decay(s), reach - 4), negligible) << s;
    }
}
TEST(Reach, IsEnoughAndNoMore) {
    expect_enough_and_no_more<float>();
    expect_enough_and_no_more<double>();
}
TEST(Ratios, KeepAConstantFieldAsTheyAreRounded) {
    for (const double s : {0.1, 1.0, 10.0, 100.0}) {
        const auto ratios = pyramid::ratios_of<float>(s);
        const double lambda = ratios.point;
        EXPECT_EQ(ratios.scale, static_cast<float>((1 - lambda) * (1 - lambda))) << s;
    }
}

}  // namespace
}  // namespace gridmark::pyramid_tests
