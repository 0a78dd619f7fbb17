// Answers known without any reference: x^2 - y^2 is harmonic, and so is its five-point form on any spacing.

#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "kernels/jacobi/problem.hpp"
#include "tests/jacobi/sweeps.hpp"

namespace gridmark::jacobi_tests {
namespace {

template <class T>
std::vector<T> saddle(const Problem& p) {
    std::vector<T> psi;
    for (int j = 0; j < p.ny; ++j)
        for (int i = 0; i < p.nx; ++i)
            psi.push_back(static_cast<T>(i * p.hx * i * p.hx - j * p.hy * j * p.hy));
    return psi;
}

template <class T>
std::vector<T> swept(const Sweep<T>& sweep, const Problem& p, const std::vector<T>& psi, T omega) {
    auto next = psi;
    for (int j = 1; j < p.ny - 1; ++j)
        for (int i = 1; i < p.nx; ++i)
            next[i + j * p.nx] = std::nan("");
    sweep.run(p, psi, std::vector<T>(psi.size(), omega), next);
    return next;
}

template <class T>
std::vector<Sweep<T>> sweeps_and_reference() {
    auto result = all_sweeps<T>();
    if constexpr (std::is_same_v<T, double>)
        result.push_back({"reference", [](const Problem& p, const auto& psi, const auto& omega, auto& next) {
                              jacobi::reference_sweep(p, psi, omega, next);
                          }});
    return result;
}

template <class T>
void expect_saddle_stays() {
    const Problem even{70, 37, 1, 1, {0, 0, -1, -1}};  // a = b = 1/4: every operation is exact
    const Problem uneven{70, 37, 2, 1.5, {0, 0, -1, -1}};
    for (const auto& sweep : sweeps_and_reference<T>()) {
        SCOPED_TRACE(sweep.name);
        for (const Problem& p : {even, uneven}) {
            const auto psi = saddle<T>(p);
            const auto next = swept<T>(sweep, p, psi, 0);
            const double bound = p.hx == p.hy ? 0 : jacobi::rounding_bound<T>(1, 139 * 139, 0);
            for (int j = 1; j < p.ny - 1; ++j)
                for (int i = 1; i < p.nx - 1; ++i)
                    ASSERT_LE(std::abs(next[i + j * p.nx] - psi[i + j * p.nx]), bound)
                        << "at (" << i << ", " << j << ")";
        }
    }
}

TEST(Exact, ASaddleStaysInFloat) {
    expect_saddle_stays<float>();
}
TEST(Exact, ASaddleStaysInDouble) {
    expect_saddle_stays<double>();
}

// Laplace(psi) = 2 of psi = x^2: the source's sign and size, exactly (c = -1/4).
TEST(Exact, AParabolaAnswersToItsSource) {
    const Problem p{35, 20, 1, 1, {0, 0, -1, -1}};
    std::vector<double> psi;
    for (int j = 0; j < p.ny; ++j)
        for (int i = 0; i < p.nx; ++i)
            psi.push_back(i * i);
    for (const auto& sweep : sweeps_and_reference<double>()) {
        SCOPED_TRACE(sweep.name);
        const auto next = swept<double>(sweep, p, psi, 2);
        for (int j = 1; j < p.ny - 1; ++j)
            for (int i = 1; i < p.nx - 1; ++i)
                ASSERT_EQ(next[i + j * p.nx], i * i) << "at (" << i << ", " << j << ")";
    }
}

TEST(Exact, TheReferenceLeavesItsStartAlone) {
    const Problem p = jacobi::channel(17, 11);
    const auto psi = jacobi::initial_psi<double>(p, 1), omega = jacobi::random_omega<double>(p, 1);
    const auto copy = psi;
    EXPECT_EQ(jacobi::reference_solve(p, psi, omega, 0), psi);
    const auto one = jacobi::reference_solve(p, psi, omega, 1);
    EXPECT_NE(one, psi);
    EXPECT_EQ(jacobi::reference_solve(p, psi, omega, 2), jacobi::reference_solve(p, one, omega, 1));
    EXPECT_EQ(psi, copy);
}

TEST(Exact, TheReferenceIsTheSameByAnyNumberOfThreads) {
    const Problem p = jacobi::channel(70, 37);
    const auto psi = jacobi::initial_psi<double>(p, 1), omega = jacobi::random_omega<double>(p, 1);
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    const auto by_one = jacobi::reference_solve(p, psi, omega, 5);
    omp_set_num_threads(3);
    EXPECT_EQ(jacobi::reference_solve(p, psi, omega, 5), by_one);
    omp_set_num_threads(before);
}

}  // namespace
}  // namespace gridmark::jacobi_tests
