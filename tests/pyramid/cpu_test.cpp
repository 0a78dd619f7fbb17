// The CPU's parallel step against Thomas's algorithm in double.

#include "kernels/pyramid/cpu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "kernels/pyramid/thomas.hpp"
#include "kernels/random.hpp"

namespace gridmark::pyramid_tests {
namespace {

template <class T>
void expect_solves(double s, std::size_t n, int threads) {
    const auto p = pyramid::rod(n, s);
    std::vector<T> f(n), x(n, std::numeric_limits<T>::quiet_NaN());
    std::vector<double> expected(n);
    for (std::size_t i = 0; i < n; ++i)
        expected[i] = f[i] = static_cast<T>(2 * unit_random(3, i) - 1);
    expected = pyramid::reference_solve(p, expected, 1);
    pyramid::cpu_openmp<T>(p, f, x, threads);
    double error = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double apart = std::abs(static_cast<double>(x[i]) - expected[i]);
        error = std::isfinite(apart) ? std::max(error, apart) : HUGE_VAL;
    }
    EXPECT_LE(error, (8 + 4 / (1 - pyramid::decay(s))) * std::numeric_limits<T>::epsilon())
        << "s " << s << ", n " << n << ", threads " << threads;
}

TEST(CpuOpenmp, Solves) {
    for (const double s : {0.1, 1.0, 10.0, 300.0})
        for (const std::size_t n : {1UL, 2UL, 100UL, 4095UL, 4200UL, 5000UL, 50000UL, 123457UL})
            for (const int threads : {1, 3}) {
                expect_solves<float>(s, n, threads);
                expect_solves<double>(s, n, threads);
            }
}

}  // namespace
}  // namespace gridmark::pyramid_tests
