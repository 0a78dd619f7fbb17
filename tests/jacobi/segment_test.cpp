// The inner loop of cpu_openmp in each instruction set that this CPU has: a machine runs only the widest by
// itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "kernels/isa.hpp"
#include "kernels/jacobi/cpu.hpp"
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

template <class T>
using Segment = void (*)(T, T, T, const T*, const T*, T*, long, int, int);

class SegmentOf : public testing::TestWithParam<Isa> {};

TEST_P(SegmentOf, IsRight) {
    if (const auto reason = isa_missing_reason(GetParam()); !reason.empty()) GTEST_SKIP() << reason;
    using namespace jacobi;
    expect_segment(for_isa<Segment<float>>(GetParam(), GRIDMARK_VERSIONS(segment_float)));
    expect_segment(for_isa<Segment<double>>(GetParam(), GRIDMARK_VERSIONS(segment_double)));
}
INSTANTIATE_TEST_SUITE_P(Each, SegmentOf, testing::ValuesIn(compiled_isas),
                         [](const auto& isa) { return name_of(isa.param); });

TEST(Segment, TheWidestIsNamed) {
    const std::string isa = name_of(widest_isa());
#if defined(__x86_64__)
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    EXPECT_EQ(isa, avx512 ? "avx512" : avx2 ? "avx2" : "sse2");
#else
    EXPECT_EQ(isa, has_isa(Isa::sve) ? "sve" : "neon");
#endif
}

TEST(Segment, OfTheOtherArchitectureIsRefused) {
    EXPECT_TRUE(isa_missing_reason(compiled_isas[0]).empty()) << "every CPU has the baseline";
    for (const Isa isa : {Isa::sse, Isa::avx2, Isa::avx512, Isa::neon, Isa::sve}) {
        EXPECT_EQ(has_isa(isa), isa_missing_reason(isa).empty()) << name_of(isa);
        if (std::ranges::find(compiled_isas, isa) != std::end(compiled_isas)) continue;
        EXPECT_TRUE(isa_missing_reason(isa).starts_with("an instruction set of ")) << name_of(isa);
    }
}

}  // namespace
}  // namespace gridmark::jacobi_tests
