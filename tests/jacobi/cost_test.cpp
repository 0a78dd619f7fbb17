// The declared cost, counted.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "kernels/jacobi/update.hpp"
#include "tests/jacobi/sweeps.hpp"

namespace gridmark::jacobi_tests {
namespace {

/// A number that only counts what is done with it.
struct Counted {
    inline static int multiplications = 0, additions = 0;
    friend Counted operator*(Counted, Counted) { return ++multiplications, Counted(); }
    friend Counted operator+(Counted, Counted) { return ++additions, Counted(); }
};

TEST(Cost, OperationsOfAnUpdate) {
    Counted::multiplications = Counted::additions = 0;
    jacobi::update(jacobi::Coefficients<Counted>{}, Counted(), Counted(), Counted(), Counted(), Counted());
    EXPECT_EQ(Counted::multiplications, 3);
    EXPECT_EQ(Counted::additions, 4);
    EXPECT_EQ(jacobi::flops_per_point, Counted::multiplications + Counted::additions);
}

/// How many values of psi and omega a sweep depends on, and how many it writes: found by changing one at a
/// time.
int values_moved(const Sweep<double>& sweep, const Problem& p) {
    const std::size_t n = static_cast<std::size_t>(p.nx) * p.ny;
    const auto start = jacobi::initial_psi<double>(p, 1), source = jacobi::random_omega<double>(p, 1);
    std::vector<double> psi(start.begin(), start.end()), omega(source.begin(), source.end());
    const double unwritten = 99;
    const auto run = [&] {
        std::vector<double> next(n, unwritten);
        sweep.run(p, psi, omega, next);
        return next;
    };
    const auto before = run();
    int moved = static_cast<int>(n) - static_cast<int>(std::count(before.begin(), before.end(), unwritten));
    for (auto* read : {&psi, &omega}) {
        for (double& value : *read) {
            const double kept = std::exchange(value, value + 1);
            moved += run() != before;
            value = kept;
        }
    }
    return moved;
}

// The least traffic: psi and omega read once and psi' written once for every point, less what edges do not
// need.
TEST(Cost, ValuesReadAndWritten) {
    const Problem p = jacobi::without_body(jacobi::channel(24, 20));
    const int inside = 22 * 18, outflow = 18, corners = 4;
    // Written: inside and outflow. psi: all but the corners. omega: inside.
    const int expected = (inside + outflow) + (24 * 20 - corners) + inside;
    for (const auto& variant : jacobi::cpu_variants<double>)
        EXPECT_EQ(values_moved(on_cpu(variant, 1), p), expected) << variant.name;
    for (const auto& variant : jacobi::gpu_variants<double>(launch::Executor::host)) {
        if (variant.origin != launch::Origin::published && variant.ablation_of.empty()) continue;
        EXPECT_EQ(values_moved(on_host(variant, {4, 4}, Order::forward), p), expected) << variant.name;
    }
}

TEST(Cost, BytesPerPoint) {
    const Problem p = jacobi::without_body(jacobi::channel(24, 20));
    const double per_inside_point =
        values_moved(on_cpu(jacobi::cpu_variants<double>[0], 1), p) / (22.0 * 18.0);
    EXPECT_NEAR(jacobi::bytes_per_point<double> / sizeof(double), per_inside_point, 0.3);  // the edges' share
    EXPECT_EQ(jacobi::bytes_per_point<float>, 12);
    EXPECT_EQ(jacobi::bytes_per_point<double>, 24);
}

}  // namespace
}  // namespace gridmark::jacobi_tests
