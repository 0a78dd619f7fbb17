// The declared traffic and operations, counted; and that the rounding bound tells a wrong variant.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/diffusion/cpu.hpp"
#include "kernels/diffusion/reference.hpp"
#include "kernels/diffusion/start.hpp"
#include "kernels/diffusion/update.hpp"

namespace gridmark::diffusion {
namespace {

int counted = 0;

/// A number that counts its operations.
struct Counted {
    double value;
    friend Counted operator*(Counted a, Counted b) { return ++counted, Counted{a.value * b.value}; }
    friend Counted operator+(Counted a, Counted b) { return ++counted, Counted{a.value + b.value}; }
    friend Counted operator-(Counted a, Counted b) { return ++counted, Counted{a.value - b.value}; }
};

TEST(Cost, OperationsOfAPoint) {
    counted = 0;
    EXPECT_EQ(updated<Counted>({0.25}, {1}, {2}, {7}).value, 3);
    EXPECT_EQ(counted, flops_per_point);
}

// What a step depends on, found by changing one value at a time, and what it writes.
TEST(Cost, ValuesReadAndWritten) {
    const Problem p = rod(20);
    const auto after = [&](const std::vector<double>& now) {
        std::vector<double> next(now.size(), std::numeric_limits<double>::quiet_NaN());
        cpu_openmp(p, now.data(), next.data(), 2);
        return next;
    };
    auto start = random_start<double>(p, 1);
    const auto before = after(start);
    int moved = 0;
    for (int i = 0; i < p.n; ++i) {
        moved += std::isfinite(before[i]) ? 1 : 0;
        start[i] += 1;
        moved += after(start) != before ? 1 : 0;
        start[i] -= 1;
    }
    EXPECT_EQ(moved * sizeof(double), bytes_per_point<double> * p.n);
    EXPECT_EQ(bytes_per_point<float>, 8);
}

TEST(RoundingBound, TellsACoefficientThatIsOffByAHundredth) {
    const Problem p = rod(100), off = rod(100, 0.2525);
    const auto start = random_start<double>(p, 1);
    const auto right = reference_solve(p, start, 3), wrong = reference_solve(off, start, 3);
    double error = 0;
    for (int i = 0; i < p.n; ++i)
        error = std::max(error, std::abs(right[i] - wrong[i]));
    EXPECT_GT(error, rounding_bound<float>(p, 3, 1));
}

}  // namespace
}  // namespace gridmark::diffusion
