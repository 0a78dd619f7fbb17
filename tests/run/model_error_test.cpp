// How far the model was from what was measured elsewhere, and the interval that a forecast gets from that.

#include <gtest/gtest.h>

#include "harness/forecast/forecast.hpp"

namespace gridmark::harness {
namespace {

// An inverted ratio, a level left out or bytes halved would give other numbers.
TEST(ModelError, IsTheGreaterOverTheLesser) {
    std::vector<PredictedRow> rows;
    for (const double predicted : {5.0, 8.0, 10.0, 11.0, 12.5, 20.0, 9.0, 10.0, 10.0, 10.0})
        rows.push_back({"a", "r", "v", "kernel", {predicted, {{"gpu_launch", predicted}}, {}}, 10.0});
    const auto errors = errors_of(rows);
    ASSERT_EQ(errors.size(), 2U);  // of the study and of all
    for (const ModelError& error : errors) {
        EXPECT_EQ(error.rows, 10U);
        EXPECT_EQ(error.within_fifth, 7U);
        EXPECT_NEAR(error.median, (1.1 + 10 / 9.0) / 2, 1e-12);
        EXPECT_NEAR(error.ninth, 2, 1e-12);
        EXPECT_LT(error.low, 1);
        EXPECT_GT(error.high, 1);
    }
    std::vector<PredictedRow> elsewhere{{"a", "r", "v", "kernel", {100, {}, {}}}};
    set_intervals(elsewhere, errors);
    ASSERT_TRUE(elsewhere[0].interval);
    EXPECT_NEAR(elsewhere[0].interval->low, 100 * errors[1].low, 1e-9);
}

TEST(ModelError, PutsTheIntervalWhereTheMeasuredTimesLie) {
    std::vector<PredictedRow> rows(9, {"a", "r", "v", "kernel", {10, {{"gpu_launch", 10}}, {}}, 20.0});
    EXPECT_EQ(rows[0].ratio(), 0.5) << "predicted / measured";
    const auto errors = errors_of(rows);
    std::vector<PredictedRow> elsewhere{{"a", "r", "v", "kernel", {100, {}, {}}}};
    set_intervals(elsewhere, errors);
    EXPECT_DOUBLE_EQ(elsewhere[0].interval->low, 200) << "all took twice as long as predicted";
    EXPECT_DOUBLE_EQ(elsewhere[0].interval->high, 200);
}

PredictedRow predicted(const std::string& experiment, const std::string& clock = "kernel") {
    return {experiment, "r", "v", clock, {10, {}, {}}};
}

TEST(ModelError, GivesARowTheIntervalOfItsOwnStudyWhereThatHasRowsEnough) {
    std::vector<PredictedRow> rows;
    const auto measure = [&](const char* experiment, int count, double took) {
        for (int k = 0; k < count; ++k) {
            rows.push_back(predicted(experiment));
            rows.back().measured = took;
        }
    };
    measure("a", 8, 20);
    measure("b", 8, 40);
    measure("c", 7, 80);
    std::vector<PredictedRow> elsewhere{predicted("a"), predicted("b"), predicted("c"), predicted("d"),
                                        predicted("a", "step")};
    set_intervals(elsewhere, errors_of(rows));
    EXPECT_EQ(elsewhere[0].interval, (Interval{20, 20}));
    EXPECT_EQ(elsewhere[1].interval, (Interval{40, 40}));
    for (const std::size_t of_all : {2, 3}) {
        ASSERT_TRUE(elsewhere[of_all].interval) << "seven rows are too few, and none, too";
        EXPECT_EQ(elsewhere[of_all].interval->low, 20);
        EXPECT_EQ(elsewhere[of_all].interval->high, 80);
    }
    EXPECT_FALSE(elsewhere[4].interval) << "nothing was measured by that clock";
}

}  // namespace
}  // namespace gridmark::harness
