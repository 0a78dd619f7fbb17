// The device's solvers against Thomas's algorithm in double.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/random.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::pyramid_tests {
namespace {

using launch_tests::OnEach;
using pyramid::GpuVariant;

class Solvers : public OnEach {
  protected:
    /// A^-1 has norm 1. A recurrence with the ratio lambda sums 1 / (1 - lambda) roundings, though.
    template <class T>
    void expect_solves(const GpuVariant<T>& solver, double s, std::size_t m, int steps) {
        std::vector<T> f(m);
        for (std::size_t i = 0; i < m; ++i)
            f[i] = static_cast<T>(2 * unit_random(5, i) - 1);
        std::vector<double> expected(f.begin(), f.end());
        for (int k = 0; k < steps; ++k)
            pyramid::Thomas<double>(s, m).solve(expected);
        launch::Buffer<T> rhs(*device, std::span<const T>(f));
        launch::Buffer<T> x(*device, m), scratch(*device, solver.scratch(m));
        solver.prepare(device->stream(), s, m, scratch.data());
        T *now = rhs.data(), *next = x.data();
        pyramid::advance(solver, device->stream(), s, m, steps, now, next, scratch.data());
        device->synchronize();
        std::vector<T> got(m);
        (now == rhs.data() ? rhs : x).download(got);
        double error = 0;
        for (std::size_t i = 0; i < m; ++i) {
            const double apart = std::abs(static_cast<double>(got[i]) - expected[i]);
            error = std::isfinite(apart) ? std::max(error, apart) : HUGE_VAL;
        }
        EXPECT_LE(error, (8 + 4 / (1 - pyramid::decay(s))) * steps * std::numeric_limits<T>::epsilon())
            << solver.name << ", s " << s << ", m " << m << ", " << steps << " steps";
    }
    template <class T>
    void check() {
        for (const auto& solver : pyramid::gpu_variants<T>(device->executor()))
            for (const double s : {0.1, 1.0, 10.0, 300.0}) {
                if (!solver.unavailable_reason(s).empty()) continue;
                for (const std::size_t m :
                     {1UL, 2UL, 3UL, 4UL, 7UL, 8UL, 100UL, 1023UL, 1024UL, 1025UL, 4096UL, 5000UL, 12345UL})
                    for (const int most = solver.steps_per_launch.most; const int steps : {1, 8 * most + 3})
                        if ((m >= 3 || solver.name != "gpu_cusparse") && (steps == 1 || most > 1))
                            expect_solves<T>(solver, s, m, steps);
            }
    }
};

TEST_P(Solvers, SolveInFloat) {
    check<float>();
}
TEST_P(Solvers, SolveInDouble) {
    check<double>();
}
INSTANTIATE_TEST_SUITE_P(On, Solvers, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

TEST(LocalInverse, SaysWhereItReachesTooFar) {
    const auto* solver = pyramid::find_gpu_variant<double>(launch::Executor::host, "gpu_local_inverse");
    EXPECT_EQ(solver->unavailable_reason(300), "");
    EXPECT_NE(solver->unavailable_reason(1e5).find("points"), std::string::npos);
}

}  // namespace
}  // namespace gridmark::pyramid_tests
