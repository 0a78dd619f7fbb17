// The theory of the padding, against responses that were really computed.

#include "kernels/pyramid/pieces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/pyramid/problem.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid_tests {
namespace {

using namespace gridmark::pyramid;

/// The response of h steps to a single 1 in the middle of a rod so long that its ends do not count.
std::vector<double> response(double s, int h, std::size_t half) {
    std::vector<double> u(2 * half + 1, 0.0);
    u[half] = 1;
    return reference_solve(rod(u.size(), s), u, h);
}

TEST(Decay, SolvesItsEquation) {
    for (const double s : {0.001, 0.1, 1.0, 10.0, 1e5}) {
        const double lambda = decay(s);
        EXPECT_GT(lambda, 0);
        EXPECT_LT(lambda, 1);
        EXPECT_NEAR((1 + 2 * s) * lambda, s * (1 + lambda * lambda), 1e-14 * (1 + 2 * s));
    }
}

TEST(ResponseTail, IsThatOfTheResponse) {
    for (const double s : {0.1, 1.0, 10.0})
        for (const int h : {1, 2, 16, 64}) {
            const std::size_t half = 2000;
            const auto found = response(s, h, half);
            for (const std::size_t distance : {0UL, 1UL, 5UL, 20UL, 80UL}) {
                const double sum = std::accumulate(found.begin() + half + distance, found.end(), 0.0);
                EXPECT_NEAR(response_tail(s, h, distance), sum, (h + 1) * 1e-15)
                    << s << ", " << h << ", " << distance;
                if (sum > 1e-200) {
                    EXPECT_NEAR(response_tail(s, h, distance) / sum, 1, 1e-9) << s << ", " << h;
                }
            }
        }
}

TEST(ResponseTail, OfOneStepIsGeometric) {
    const double lambda = decay(1);
    for (const std::size_t p : {1UL, 20UL, 300UL})
        EXPECT_NEAR(response_tail(1, 1, p + 1) / (std::pow(lambda, p + 1) / (1 + lambda)), 1, 1e-9);
}

TEST(MinimalPadding, IsEnoughAndNoMore) {
    for (const double s : {0.1, 1.0, 10.0})
        for (const int h : {1, 4, 64, 256})
            for (const double tolerance : {1e-3, 1e-7, 1e-14}) {
                const std::size_t p = minimal_padding(s, h, tolerance);
                EXPECT_LE(padding_error(s, h, p), tolerance);
                if (p > 1) {
                    EXPECT_GT(padding_error(s, h, p - 1), tolerance);
                }
            }
}

// The paper's padding grows with h, the true one with its root.
TEST(MinimalPadding, GrowsLikeTheRootOfTheHeight) {
    const auto at = [](int h) { return static_cast<double>(minimal_padding(10, h, 1e-7)); };
    EXPECT_NEAR(at(256) / at(64), 2, 0.2);
    EXPECT_EQ(paper_padding(10, 64, 1e-7), 64 * minimal_padding(10, 1, 1e-7));
    EXPECT_LT(at(64), 0.3 * static_cast<double>(paper_padding(10, 64, 1e-7)));
}

TEST(PaddingError, IsTwiceTheTailBeyondThePadding) {
    for (const double s : {0.1, 1.0, 10.0})
        for (const std::size_t p : {1UL, 7UL, 40UL, 250UL}) {
            const double lambda = decay(s), expected = 2 * std::pow(lambda, p + 1) / (1 + lambda);
            EXPECT_NEAR(padding_error(s, 1, p) / expected, 1, 1e-9) << s << ", " << p;
        }
}

}  // namespace
}  // namespace gridmark::pyramid_tests
