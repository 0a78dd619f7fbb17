// How far float is from double after a few steps, and a quotient that rounds as a division does.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "kernels/maxwell/quotient.hpp"
#include "kernels/maxwell/reference.hpp"
#include "kernels/random.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

using namespace maxwell;

// --- fields after a few steps, against the derived bound

/// Largest distance of single from double precision with the same coefficients, and the bound for it.
std::pair<double, double> error_and_bound(const Grid& grid, const Body& body, int steps) {
    const Problem problem{grid, stable_dct(grid, body), both_ways(6)};
    const auto k = average<float>(grid, body, 1);
    Reference<float> single(problem, k);
    Reference<double, float> twice(problem, k);
    set_random(single, grid, 2);
    std::vector<float> plane(plane_values(grid));
    std::vector<double> wide(plane.size());
    for (int component = 0; component < components; ++component)
        for (int x = 0; x <= grid.n(0); ++x) {
            single.get_plane(component, x, plane.data());
            std::copy(plane.begin(), plane.end(), wide.begin());
            twice.set_plane(component, x, wide.data());
        }
    single.steps(steps);
    twice.steps(steps);
    const auto a = all_values(single, grid);
    const auto b = all_values(twice, grid);
    double error = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        error = std::max(error, std::abs(static_cast<double>(a[i]) - b[i]));
    return {error, rounding_bound<float>(problem, body, steps, 1)};
}

TEST(RoundingBound, HoldsAndIsNoExcuse) {
    for (const int steps : {1, 2, 3}) {
        const Grid grid = uneven_grid(17, 14, 19);
        const auto [error, bound] = error_and_bound(grid, random_body(grid, 1), steps);
        EXPECT_LT(error, bound) << steps;
        EXPECT_GT(error, 0);
        // What a wrong coefficient does is of the order of the fields themselves.
        EXPECT_LT(bound, 0.02) << steps;
    }
    const Grid grid = uniform_grid(12, 12, 12);
    const auto [error, bound] = error_and_bound(grid, empty_box(grid), 3);
    EXPECT_LT(error, bound);
}

TEST(RoundingBound, AllowsEachHalfStepItsSixteenRoundings) {
    const Grid grid = uniform_grid(8, 8, 8);
    const Body body = empty_box(grid);
    const Problem problem{grid, 0.25, {{0, 0}, 1, 0}};
    // Half cells at the ends: two differences of two values, each over half a cell.
    const double largest_e = 1 + 0.25 * 2 * (2 + 2);
    EXPECT_GT(rounding_bound<double>(problem, body, 1, 1), 16 * 0x1p-53 * largest_e);
}

TEST(RoundingBound, GrowsWithStepsAndPrecision) {
    const Grid grid = uniform_grid(8, 8, 8);
    const Body body = empty_box(grid);
    const Problem problem{grid, stable_dct(grid, body), both_ways(6)};
    const double two = rounding_bound<float>(problem, body, 2, 1),
                 three = rounding_bound<float>(problem, body, 3, 1);
    EXPECT_GT(three, two);
    EXPECT_NEAR(rounding_bound<double>(problem, body, 3, 1) / three, 0x1p-29, 1e-12);
}

// --- a quotient by way of the reciprocal has the bits of a division

template <class T>
class Quotient : public testing::Test {
  protected:
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    using limits = std::numeric_limits<T>;
    static void expect(T a, T b) {
        ASSERT_EQ(std::bit_cast<Bits>(quotient(a, b, reciprocal(b))), std::bit_cast<Bits>(a / b))
            << a << " / " << b;
    }
    /// In [1, 2).
    static T mantissa(int i) { return static_cast<T>(1 + unit_random(7, i)); }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Quotient, Precisions);

TYPED_TEST(Quotient, OfAnyTwoNumbers) {
    for (int i = 0; i < 200000; ++i)
        this->expect((i % 2 ? 1 : -1) * std::ldexp(this->mantissa(2 * i), i % 40 - 20),
                     this->mantissa(2 * i + 1));
}

// Where the first quotient is furthest off, and where 1 / b has the largest error.
TYPED_TEST(Quotient, OfNumbersJustBelowTwo) {
    using limits = std::numeric_limits<TypeParam>;
    for (int i = 1; i < 500; ++i)
        for (int k = 1; k < 500; ++k)
            this->expect(2 - i * limits::epsilon(), 2 - k * limits::epsilon());
}

TYPED_TEST(Quotient, FromTheLeastDividendOn) {
    using limits = std::numeric_limits<TypeParam>;
    for (const TypeParam b :
         {limits::epsilon(), TypeParam(0.7), TypeParam(1), TypeParam(81), 1 / limits::epsilon()})
        for (int i = 0; i < 20000; ++i)
            this->expect(least_dividend<TypeParam> * this->mantissa(i),
                         b * (b < 2 ? this->mantissa(20000 + i) : 1));
}

TYPED_TEST(Quotient, OfZeros) {
    this->expect(0, TypeParam(3));
    this->expect(-TypeParam(0), TypeParam(3));
}

TYPED_TEST(Quotient, IsNotForExtremeDivisors) {
    using limits = std::numeric_limits<TypeParam>;
    EXPECT_EQ(reciprocal(TypeParam(0)), 0);
    EXPECT_EQ(reciprocal(limits::epsilon() / 2), 0);
    EXPECT_EQ(reciprocal(-3 / limits::epsilon()), 0);
    EXPECT_EQ(reciprocal(TypeParam(-4)), -0.25);
}

// Down to the smallest numbers, and by any divisor.
TYPED_TEST(Quotient, OfAnyNumbersIfTheyAreLookedAt) {
    using limits = std::numeric_limits<TypeParam>;
    for (int i = 0; i < 50000; ++i)
        for (const TypeParam size : {limits::denorm_min(), limits::min(), TypeParam(1e-30), TypeParam(1)}) {
            const TypeParam a = size * (100 * this->mantissa(2 * i)),
                            b = this->mantissa(2 * i + 1) * (i % 7 ? 1 : limits::min());
            EXPECT_EQ(any_quotient(a, b, reciprocal(b)), a / b);
        }
    EXPECT_EQ(any_quotient(TypeParam(0), TypeParam(3), reciprocal(TypeParam(3))), 0);
}

// Less than that is not safe: somewhere below, the last bit is wrong.
TEST(QuotientByReciprocal, NeedsALeastDividend) {
    int wrong = 0;
    for (int i = 0; i < 1000; ++i) {
        const float a = 1e-40F * static_cast<float>(1 + unit_random(3, i)),
                    b = static_cast<float>(1 + unit_random(4, i));
        if (quotient(a, b, reciprocal(b)) != a / b) ++wrong;
    }
    EXPECT_GT(wrong, 0);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
