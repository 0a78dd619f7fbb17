#include "kernels/pyramid/thomas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kernels/random.hpp"

namespace gridmark::pyramid_tests {
namespace {

using namespace gridmark::pyramid;

TEST(Rod, RefusesWhatMeansNothing) {
    EXPECT_THROW(rod(0, 1), std::invalid_argument);
    for (const double s : {0.0, -1.0, 2e6, std::nan(""), HUGE_VAL})
        EXPECT_THROW(rod(5, s), std::invalid_argument) << s;
    EXPECT_NO_THROW(rod(1, 1e-9));
}

/// Largest residual of A x = f.
template <class T>
double residual(double s, const std::vector<T>& x, const std::vector<T>& f) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double left = i > 0 ? x[i - 1] : 0, right = i + 1 < x.size() ? x[i + 1] : 0;
        most = std::max(most, std::abs((1 + 2 * s) * x[i] - s * (left + right) - f[i]));
    }
    return most;
}

template <class T>
void expect_solves() {
    for (const double s : {0.1, 1.0, 10.0, 1000.0})
        for (const std::size_t n : {1UL, 2UL, 3UL, 100UL, 5000UL}) {
            const Thomas<T> thomas(s, 5000);
            std::vector<T> f(n);
            for (std::size_t i = 0; i < n; ++i)
                f[i] = static_cast<T>(2 * unit_random(1, i) - 1);
            auto x = f;
            thomas.solve(x);
            EXPECT_LE(residual(s, x, f), 4 * (1 + 4 * s) * std::numeric_limits<T>::epsilon())
                << s << ", " << n;
        }
}

TEST(Thomas, SolvesInFloat) {
    expect_solves<float>();
}
TEST(Thomas, SolvesInDouble) {
    expect_solves<double>();
}

TEST(Reference, ASineDecaysByItsExactFactor) {
    const Problem p = rod(200, 3);
    for (const int waves : {1, 7, 150}) {
        std::vector<double> u(p.n);
        for (std::size_t i = 0; i < p.n; ++i)
            u[i] = std::sin(waves * std::numbers::pi * static_cast<double>(i + 1) /
                            static_cast<double>(p.n + 1));
        const auto last = reference_solve(p, u, 20);
        const double factor = std::pow(sine_factor(p, waves), 20);
        for (std::size_t i = 0; i < p.n; ++i)
            EXPECT_NEAR(last[i], factor * u[i], 1e-13) << waves << ", " << i;
    }
}

// A window needs no more of the rod than what its steps reach, and its ends where they are near.
TEST(ReferenceWindow, IsAPartOfTheWhole) {
    for (const double s : {0.1, 10.0})
        for (const int steps : {0, 1, 7, 100}) {
            const Problem p = rod(5000, s);
            const auto start = [](std::size_t i) { return 2 * unit_random(8, i) - 1; };
            std::vector<double> u(p.n);
            for (std::size_t i = 0; i < p.n; ++i)
                u[i] = start(i);
            u = reference_solve(p, u, steps);
            for (const auto& [begin, end] :
                 {std::pair<std::size_t, std::size_t>{0, 50}, {2000, 2300}, {4990, 5000}}) {
                const auto found = reference_window(p, start, begin, end, steps);
                ASSERT_EQ(found.size(), end - begin);
                for (std::size_t i = begin; i < end; ++i)
                    EXPECT_NEAR(found[i - begin], u[i], 1e-15) << s << ", " << steps << ", " << i;
            }
        }
}

}  // namespace
}  // namespace gridmark::pyramid_tests
