// How a rod is cut, what that keeps on the device, what it moves, and how much padding it needs.

#include "kernels/pyramid/pieces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/out_of_core.hpp"
#include "kernels/pyramid/problem.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "tests/support/counting_device.hpp"

namespace gridmark::pyramid_tests {
namespace {

using namespace gridmark::pyramid;
using pyramid::Pieces;

std::size_t twice(std::size_t m) {
    return 2 * m;
}

TEST(PiecesFor, FillTheDevice) {
    const Pieces pieces = pyramid::pieces_for(1000, 20, 300, twice);
    EXPECT_EQ(pieces.length, 110U);
    EXPECT_EQ(pieces.count(), 10U);
    EXPECT_EQ(pieces[0].low, 0U);
    EXPECT_EQ(pieces[0].padded(), 130U);
    EXPECT_EQ(pieces[4].padded(), 150U);
    EXPECT_EQ(pieces[9].values(), 10U);
    EXPECT_EQ(pieces[9].high, 0U);
    EXPECT_EQ(pieces[8].high, 10U);  // clipped by the rod's end
    EXPECT_EQ(pieces.reached_before(0), 0U);
    EXPECT_EQ(pieces.reached_before(9), 10U);
}

TEST(PiecesFor, LeaveARodWholeThatFits) {
    const Pieces pieces = pyramid::pieces_for(1000, 20, 2000, twice);
    EXPECT_EQ(pieces.count(), 1U);
    EXPECT_EQ(pieces[0].padded(), 1000U);
}

TEST(PiecesFor, RefuseADeviceThatHoldsNoPiece) {
    EXPECT_EQ(pyramid::pieces_for(1000, 20, 120, twice).length, 20U);
    EXPECT_THROW(pyramid::pieces_for(1000, 20, 118, twice), std::invalid_argument);
    EXPECT_THROW(pyramid::pieces_for(1000, 0, 0, twice), std::invalid_argument);
}

TEST(PiecesFor, SayWhatIsNeededOfAShortRod) {
    try {
        pyramid::pieces_for(100, 1000, 150, [](std::size_t m) { return 2 * m; });
        FAIL() << "150 values hold no rod of 100";
    } catch (const std::invalid_argument& error) {
        EXPECT_NE(std::string(error.what()).find("at least 200 are needed"), std::string::npos)
            << error.what();
    }
}
TEST(PiecesFor, FillTheDeviceToTheLastValue) {
    const auto same = [](std::size_t m) { return m; };
    EXPECT_EQ(pyramid::pieces_for(1000, 20, 60, same).length, 20U);
    for (const std::size_t values : {61UL, 62UL, 100UL, 999UL})
        EXPECT_EQ(pyramid::pieces_for(1000, 20, values, same).longest(), values);
}

TEST(Pieces, AddUp) {
    const Pieces pieces{1000, 300, 20};
    EXPECT_EQ(pieces.count(), 4U);
    EXPECT_EQ(pieces.longest(), 340U);
    EXPECT_EQ(pieces.padded(), 320U + 340U + 340U + 120U);
    EXPECT_EQ((Pieces{100, 300, 20}.longest()), 100U);
}

class Cut : public testing::TestWithParam<const char*> {
  protected:
    const pyramid::GpuVariant<float>& solver =
        *pyramid::find_gpu_variant<float>(launch::Executor::host, GetParam());
};

TEST_P(Cut, KeepsToTheBudgetAndUsesIt) {
    constexpr std::size_t n = 100'000'000, p = 100;
    for (const std::size_t budget : {700'000UL, 1'500'000UL}) {
        const Pieces one = pyramid::synchronous_pieces(solver, n, p, budget),
                     three = pyramid::overlapped_pieces(solver, n, p, budget);
        EXPECT_LE(pyramid::synchronous_values(solver, one), budget);
        EXPECT_LE(pyramid::overlapped_values(solver, three), budget);
        EXPECT_GT(pyramid::synchronous_values(solver, one), budget - 1000);
        EXPECT_GT(pyramid::overlapped_values(solver, three), budget - 3000);
    }
}

// A few long pieces would leave nothing to overlap.
TEST_P(Cut, MakesEnoughPiecesToOverlap) {
    constexpr std::size_t n = 10'000'000;
    const std::size_t plenty = pyramid::synchronous_values(solver, {n, n, 0}) - 1;
    EXPECT_EQ(pyramid::overlapped_pieces(solver, n, 100, plenty).count(), 24U);
    EXPECT_EQ(pyramid::overlapped_pieces(solver, n, 100, plenty + 1).count(), 1U);
    EXPECT_EQ(pyramid::synchronous_pieces(solver, n, 100, plenty).count(), 2U);
}

TEST_P(Cut, NeverMakesPiecesShorterThanTheirPadding) {
    const std::size_t values = pyramid::overlapped_values(solver, {24000, 300, 300});
    EXPECT_GE(pyramid::overlapped_pieces(solver, 24000, 300, values).length, 300U);
    EXPECT_THROW(pyramid::overlapped_pieces(solver, 24000, 300, values / 2), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(For, Cut,
                         testing::Values("gpu_cyclic_reduction", "gpu_local_inverse", "gpu_cusparse"),
                         [](const auto& info) { return std::string(info.param); });

TEST(OverlappedPieces, AreNoShorterThanTheirPaddingToBeMany) {
    const auto& solver = *pyramid::find_gpu_variant<float>(launch::Executor::host, "gpu_local_inverse");
    const std::size_t values = pyramid::overlapped_values(solver, {24000, 3000, 2000});
    EXPECT_EQ(pyramid::overlapped_pieces(solver, 24000, 2000, values).length, 2000U)
        << "24 would be 1000 long";
    EXPECT_EQ(pyramid::overlapped_values(solver, {24000, 24000, 0}) * 2,
              pyramid::overlapped_values(solver, {48000, 24000, 0}))
        << "a piece takes one staging buffer, two take two";
}

// What rows declare to be moved is what is moved: every value up, every padded value down.
TEST(Traffic, IsWhatPiecesSay) {
    tests::CountingDevice device;
    const auto& solver = *pyramid::find_gpu_variant<double>(launch::Executor::host, "gpu_local_inverse");
    const Pieces pieces{1000, 300, 20};
    launch::Pinned<double> u(device, 1000), next(device, 1000);
    std::fill(u.span().begin(), u.span().end(), 1.0);
    for (const bool overlapped : {false, true}) {
        device.up = device.down = 0;
        launch::Buffer<double> memory(device, overlapped ? pyramid::overlapped_values(solver, pieces)
                                                         : pyramid::synchronous_values(solver, pieces));
        const auto driver =
            overlapped ? pyramid::overlapped_driver<double>(device, solver, 1, pieces, memory.data(), 1)
                       : pyramid::synchronous_driver<double>(device, solver, 1, pieces, memory.data(), 1);
        driver->pass(u.span(), next.span(), 4);
        EXPECT_EQ(device.up, 8 * 1000U);
        EXPECT_EQ(device.down, 8 * pieces.padded());
        driver->compute(4);
        EXPECT_EQ(device.up, 8 * 1000U);
    }
}

// --- the theory of the padding, against responses that were really computed

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
