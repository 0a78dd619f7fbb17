// Thomas's algorithm against the equation, and the solvers of CPU and device against Thomas's algorithm in
// double.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/random.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::pyramid_tests {
namespace {

using namespace gridmark::pyramid;
using launch_tests::OnEach;
using pyramid::GpuVariant;

// --- Thomas's algorithm

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

// What ncu saw between two starts of a solve, on an H200.
TEST(Cusparse, LaunchesAsManyKernelsAsTheProfilerCounted) {
    const auto* const solver = pyramid::find_gpu_variant<float>(launch::Executor::host, "gpu_cusparse");
    ASSERT_NE(solver, nullptr);
    const std::map<std::size_t, int> counted{{10000, 10},   {30000, 12},   {40000, 14},
                                             {65536, 15},   {131072, 17},  {262144, 19},
                                             {1048576, 23}, {4194304, 27}, {16777216, 31}};
    for (const auto& [rows, kernels] : counted)
        EXPECT_EQ(solver->launches(rows), kernels) << rows;
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

// --- what solvers are held to

/// Between a half and one. The inverse has no negative number, so that nothing cancels: an answer's error is
/// at most the roundings on the longest way to it, and none hides behind others. Right-hand sides of both
/// signs have answers near 0, among which a wrong coefficient is not seen.
double positive(std::uint64_t seed, std::size_t i) {
    return 0.5 + 0.5 * unit_random(seed, i);
}

/// The largest error that a solver may make in a step, in eps of the answer.
template <class T>
double most_eps(std::string_view solver, double s, std::size_t m) {
    // What a solver derives from the matrix it makes in double. In double itself that is as if the diagonal
    // had been rounded, by half an eps of 1 + 2 s; A^-1 does not enlarge it. In float nobody sees it.
    const double made = sizeof(T) == sizeof(double) ? (1 + 2 * s) / 2 : 0;
    // A recurrence of the ratio lambda takes an error along over 1 / (1 - lambda) points, there and back.
    if (solver != "gpu_cyclic_reduction") return made + 8 + 4 / (1 - pyramid::decay(s));
    // A level rounds four times there and four times back: a coefficient, a product and two sums, by half an
    // eps each. Levels count until a neighbour's share is lost in the rounding.
    double e = s, b = 1 + 2 * s, levels = 1;
    for (; e / b > std::numeric_limits<T>::epsilon() / 2 && m > 1; m /= 2, ++levels) {
        const double taken = e * e / b;
        b -= 2 * taken;
        e = taken;
    }
    return made + 4 * levels;
}

/// A^-1 x. Thomas's algorithm in double errs by up to (1 + 4 s) eps: too much to judge others in double by.
void solve_exactly(double s, std::vector<long double>& x) {
    std::vector<long double> share(x.size());
    long double before = 0, carried = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const long double pivot = 1 + 2 * static_cast<long double>(s) - s * before;
        share[i] = before = s / pivot;
        x[i] = carried = (x[i] + s * carried) / pivot;
    }
    for (std::size_t i = x.size(); i-- > 1;)
        x[i - 1] += share[i - 1] * x[i];
}

/// In eps of each value's `scale`; infinite where something is no number.
template <class T>
double largest_error(const std::vector<T>& got, const std::vector<long double>& expected,
                     const std::vector<long double>& scale) {
    long double error = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const long double apart = std::abs(got[i] - expected[i]) / scale[i];
        error = std::isfinite(apart) ? std::max(error, apart) : HUGE_VALL;
    }
    return static_cast<double>(error / std::numeric_limits<T>::epsilon());
}

template <class T>
void expect_solves(double s, std::size_t n, int threads) {
    const auto p = pyramid::rod(n, s);
    std::vector<T> f(n), x(n, std::numeric_limits<T>::quiet_NaN());
    for (std::size_t i = 0; i < n; ++i)
        f[i] = static_cast<T>(positive(3, i));
    std::vector<long double> expected(f.begin(), f.end());
    solve_exactly(s, expected);
    pyramid::cpu_openmp<T>(p, f, x, threads);
    EXPECT_LE(largest_error(x, expected, expected), most_eps<T>("cpu_openmp", s, n))
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

// --- the device's solvers

class Solvers : public OnEach {
  protected:
    template <class T>
    void expect_solves(const GpuVariant<T>& solver, double s, std::size_t m, int steps) {
        std::vector<T> f(m);
        for (std::size_t i = 0; i < m; ++i)
            f[i] = static_cast<T>(positive(5, i));
        std::vector<long double> expected(f.begin(), f.end());
        for (int k = 0; k < steps; ++k)
            solve_exactly(s, expected);
        launch::Buffer<T> rhs(*device, std::span<const T>(f));
        launch::Buffer<T> x(*device, m), scratch(*device, solver.scratch(m));
        solver.prepare(device->stream(), s, m, scratch.data());
        T *now = rhs.data(), *next = x.data();
        pyramid::advance(solver, device->stream(), s, m, steps, now, next, scratch.data());
        device->synchronize();
        std::vector<T> got(m);
        (now == rhs.data() ? rhs : x).download(got);
        // After many steps values may be too small for T: errors are then those of starts of up to 1.
        const std::vector<long double> ones(m, 1);
        EXPECT_LE(largest_error(got, expected, steps == 1 ? expected : ones),
                  steps * most_eps<T>(solver.name, s, m))
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
