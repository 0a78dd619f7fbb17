// The paper's estimate, against numbers worked out by hand.

#include "kernels/pyramid/cost_model.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gridmark::pyramid_tests {
namespace {

using namespace gridmark::pyramid;

// Four pieces of 96 values, 16 of padding at either side: M = 128; mu = 32: 2 (2 * 4 + log2(4)) = 20
// reductions a solve; 2 (128 - 16) = 224 values moved a piece.
constexpr Pieces four{384, 96, 16};

TEST(StepTime, IsThatOfThePrintedEstimate) {
    EXPECT_DOUBLE_EQ(step_time({1, 0}, four, 8, 32, Form::printed), 80);
    EXPECT_DOUBLE_EQ(step_time({0, 1}, four, 8, 32, Form::printed), 896);
    EXPECT_DOUBLE_EQ(step_time({2, 3}, four, 8, 32, Form::printed), 160 + 2688);
}

TEST(StepTime, DividesTransfersByTheHeightWhereCorrected) {
    EXPECT_DOUBLE_EQ(step_time({1, 0}, four, 8, 32, Form::corrected), 80);
    EXPECT_DOUBLE_EQ(step_time({0, 1}, four, 8, 32, Form::corrected), 112);
}

TEST(StepTime, CountsAPartOfAPieceAsSuch) {
    EXPECT_DOUBLE_EQ(step_time({1, 0}, {432, 96, 16}, 1, 32, Form::printed), 90);
}

// Padding grows with the height, on a device that holds as much: no costs make the printed estimate fall.
TEST(StepTime, NeverFallsWithTheHeightAsPrinted) {
    constexpr std::size_t m = 4096;
    for (const Costs costs : {Costs{1, 0}, {0, 1}, {0.3, 2}, {7, 0.01}}) {
        double before = 0;
        for (const int h : {1, 2, 16, 64}) {
            const auto padding = static_cast<std::size_t>(20 * h);
            const double time = step_time(costs, {100000, m - 2 * padding, padding}, h, 64, Form::printed);
            EXPECT_GT(time, before) << h;
            before = time;
        }
    }
}

std::vector<Timed> timed_by(Costs costs) {
    std::vector<Timed> steps;
    for (const int h : {1, 4, 16, 64}) {
        const Pieces pieces{100000, 5000, static_cast<std::size_t>(10 * h)};
        steps.push_back({pieces, h, step_time(costs, pieces, h, 1000, Form::corrected)});
    }
    return steps;
}

TEST(Fit, FindsTheCostsThatMadeTheTimes) {
    const Costs found = fit(timed_by({0.25, 3e-3}), 1000);
    EXPECT_NEAR(found.reduction, 0.25, 1e-10);
    EXPECT_NEAR(found.transfer, 3e-3, 1e-12);
}

// Relative errors count, so that the long times of low heights do not drown the others.
TEST(Fit, WeighsEveryHeightAlike) {
    auto steps = timed_by({0.25, 3e-3});
    steps.front().time *= 1.1;
    const Costs found = fit(steps, 1000);
    EXPECT_NEAR(found.reduction, 0.25, 0.01);
    EXPECT_GT(found.transfer, 3e-3);
}

TEST(Fit, GivesNoCostBelowZero) {
    std::vector<Timed> steps = timed_by({0.25, 0});
    steps.front().time *= 0.5;
    EXPECT_EQ(fit(steps, 1000).transfer, 0);
    EXPECT_GT(fit(steps, 1000).reduction, 0);
    steps = timed_by({0, 3e-3});
    steps.back().time *= 0.5;
    EXPECT_EQ(fit(steps, 1000).reduction, 0);
    EXPECT_GT(fit(steps, 1000).transfer, 0);
}

TEST(Fit, IsTheBestOfOneCostWhereTheOtherIsNone) {
    const Pieces pieces{100000, 5000, 10};
    const auto steps = [&](Costs costs, double factor) {
        return std::vector<Timed>{{pieces, 1, step_time(costs, pieces, 1, 1000, Form::corrected)},
                                  {pieces, 4, factor * step_time(costs, pieces, 4, 1000, Form::corrected)}};
    };
    EXPECT_NEAR(fit(steps({1, 0}, 2), 1000).reduction, 1.2, 1e-12);   // (1 + 1/2) / (1 + 1/4)
    EXPECT_NEAR(fit(steps({0, 1}, 0.5), 1000).transfer, 0.6, 1e-12);  // (1 + 2) / (1 + 4)
}

}  // namespace
}  // namespace gridmark::pyramid_tests
