// The inner loop of cpu_openmp in each instruction set that this CPU has: a machine runs only the widest by
// itself.

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "kernels/isa.hpp"
#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/cpu_row.hpp"
#include "kernels/jacobi/update.hpp"

namespace gridmark::jacobi_tests {
namespace {

template <class T>
void expect_segment(void (*segment)(T, T, T, const T*, const T*, T*, long, int, int)) {
    constexpr int nx = 150;
    std::mt19937 engine(3);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> psi(3 * nx), omega(nx);
    for (auto* field : {&psi, &omega})
        for (T& value : *field)
            value = uniform(engine);
    const T a = T(0.3), b = T(0.2), c = T(-0.15), mark = 9;
    const T* row = psi.data() + nx;
    // Empty, single, shorter than a vector, across vectors from an odd start, whole.
    for (const auto& [begin, end] :
         {std::pair{5, 5}, {7, 3}, {9, 10}, {1, 8}, {3, 70}, {31, 64}, {1, nx - 1}}) {
        std::vector<T> next(nx, mark);
        segment(a, b, c, row, omega.data(), next.data(), nx, begin, end);
        for (int i = 0; i < nx; ++i) {
            if (i < begin || i >= end) {
                ASSERT_EQ(next[i], mark) << i << " is outside of [" << begin << ", " << end << ")";
                continue;
            }
            const double expected =
                jacobi::update<double>({a, b, c}, row[i + 1], row[i - 1], row[i + nx], row[i - nx], omega[i]);
            ASSERT_NEAR(next[i], expected, 4 * std::numeric_limits<T>::epsilon()) << "at " << i;
        }
    }
}

TEST(Segment, Sse2) {
    expect_segment(jacobi::sse2::segment_float);
    expect_segment(jacobi::sse2::segment_double);
}

TEST(Segment, Avx2) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        GTEST_SKIP() << "this CPU has no AVX2";
    expect_segment(jacobi::avx2::segment_float);
    expect_segment(jacobi::avx2::segment_double);
}

TEST(Segment, Avx512) {
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512vl"))
        GTEST_SKIP() << "this CPU has no AVX-512";
    expect_segment(jacobi::avx512::segment_float);
    expect_segment(jacobi::avx512::segment_double);
}

TEST(Segment, TheWidestIsNamed) {
    const std::string isa = widest_isa();
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    EXPECT_EQ(isa, avx512 ? "avx512" : avx2 ? "avx2" : "sse2");
}

}  // namespace
}  // namespace gridmark::jacobi_tests
