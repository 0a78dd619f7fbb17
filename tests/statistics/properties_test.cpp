// What holds of every set of samples: in other units, in another order, the other way round.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

using Values = std::vector<double>;
using Numbers = std::vector<std::size_t>;

Values times(Values values, double factor) {
    for (double& value : values)
        value *= factor;
    return values;
}

Values reversed(Values values) {
    std::reverse(values.begin(), values.end());
    return values;
}

void expect_near(const Interval& found, const Interval& expected) {
    EXPECT_NEAR(found.low, expected.low, 1e-12 * std::abs(expected.low));
    EXPECT_NEAR(found.high, expected.high, 1e-12 * std::abs(expected.high));
}

/// One way round and the other: numerator / denominator, and denominator / numerator.
void expect_inverse(const Ratio& ratio, const Ratio& other) {
    EXPECT_NEAR(other.value, 1 / ratio.value, 1e-12 / ratio.value);
    expect_near(other.interval, {1 / ratio.interval.high, 1 / ratio.interval.low});
}

/// Skewed, so that mean and median differ, of a few sizes of both parities.
class OfSamples : public testing::TestWithParam<Values> {};

TEST_P(OfSamples, AnotherUnitChangesNothingButTheUnit) {
    const Values &samples = GetParam(), other = times(samples, 1024);  // exact in binary
    EXPECT_EQ(median(other), 1024 * median(samples));
    EXPECT_EQ(median_interval(other).low, 1024 * median_interval(samples).low);
    EXPECT_EQ(median_interval(other).high, 1024 * median_interval(samples).high);
    EXPECT_EQ(relative_width(other), relative_width(samples));
    EXPECT_EQ(count_outliers(other), count_outliers(samples));
}

TEST_P(OfSamples, TheirOrderChangesNothing) {
    const Values &samples = GetParam(), other = reversed(samples);
    EXPECT_EQ(median(other), median(samples));
    EXPECT_EQ(median_interval(other), median_interval(samples));
    EXPECT_EQ(count_outliers(other), count_outliers(samples));
}

TEST_P(OfSamples, TheIntervalHoldsTheMedianAndGrowsWithTheConfidence) {
    const Values& samples = GetParam();
    Interval inner{median(samples), median(samples)};
    for (const double confidence : {0.5, 0.9, 0.95, 0.975, 0.99}) {
        const Interval outer = median_interval(samples, confidence);
        // The whole range, where they are too few, is no narrower than any.
        EXPECT_LE(outer.low, inner.low) << confidence;
        EXPECT_GE(outer.high, inner.high) << confidence;
        inner = outer;
    }
    EXPECT_EQ(median_interval(samples), median_interval(samples, 0.95)) << "unasked";
}

TEST_P(OfSamples, RatiosTheOtherWayRoundAreInverse) {
    const Values &above = GetParam(), below = reversed(times(above, 3));
    const Ratio independent = independent_ratio(above, below);
    EXPECT_EQ(independent.value, median(above) / median(below));
    expect_inverse(independent, independent_ratio(below, above));
    EXPECT_GE(independent.value, independent.interval.low);
    EXPECT_LE(independent.value, independent.interval.high);
    // Ranks lie as far from either end; the median of an even number is no rank.
    const Ratio paired = paired_ratio(above, below), back = paired_ratio(below, above);
    expect_near(back.interval, {1 / paired.interval.high, 1 / paired.interval.low});
    if (above.size() % 2 == 1) expect_inverse(paired, back);
}

INSTANTIATE_TEST_SUITE_P(Sizes, OfSamples,
                         testing::Values(Values{3}, Values{2, 9}, Values{4, 1, 1, 20}, Values{1, 2, 4, 8, 64},
                                         Values{5, 1, 1, 1, 1, 90}, Values{8, 1, 2, 1, 3, 1, 70, 1, 2},
                                         Values{1,   3, 2, 1, 1, 5, 9, 2, 1, 4,
                                                300, 2, 1, 6, 2, 1, 7, 1, 2, 3}),
                         [](const auto& set) { return std::to_string(set.param.size()); });

TEST(RelativeWidthOfSkewedTimes, IsOverTheMedianAndNotTheMiddle) {
    EXPECT_EQ(relative_width(Values{1, 1, 1, 1, 1, 9}), 8);
}

// --- sets of several processes

const Values above{1, 2, 3, 4, 5, 20, 30}, below{1, 2, 10, 11, 12, 13, 14};
const Numbers first_long{5, 1, 1}, last_long{1, 1, 5};

TEST(RatioOfProcesses, IsOfTheMediansOfAllSamples) {
    // The processes' medians are 3, 20 and 30, that of all samples is 4; the others are all 1.
    const Ratio ratio = process_ratio(above, first_long, Values(7, 1), last_long);
    EXPECT_EQ(ratio.value, 4);
    EXPECT_EQ(ratio.interval, (Interval{3, 30}));
}

TEST(RatioOfProcesses, HoldsItsValueEvenWhereNoProcessShowsIt) {
    // 3, 20, 30 beside 1, 2, 12 are 3, 10 and 2.5; the medians of all samples are 4 and 11.
    const Ratio ratio = process_ratio(above, first_long, below, last_long);
    EXPECT_EQ(ratio.value, 4.0 / 11);
    EXPECT_EQ(ratio.interval, (Interval{4.0 / 11, 10}));
    expect_inverse(ratio, process_ratio(below, last_long, above, first_long));
}

TEST(RatioOfProcesses, DoesNotDependOnWhichCameFirst) {
    const Ratio ratio = process_ratio(above, first_long, below, last_long);
    const Ratio other = process_ratio(reversed(above), last_long, reversed(below), first_long);
    EXPECT_EQ(other.value, ratio.value);
    EXPECT_EQ(other.interval, ratio.interval);
    const Ratio itself = process_ratio(above, first_long, reversed(above), last_long);
    EXPECT_EQ(itself.value, 1);
    EXPECT_EQ(itself.interval, (Interval{1, 1}));
}

TEST(RatioOfProcesses, TakesThreeAndMore) {
    for (const std::size_t n : {3, 4, 5})
        EXPECT_EQ(process_ratio(Values(n, 6), Numbers(n, 1), Values(n, 2), Numbers(n, 1)).interval,
                  (Interval{3, 3}))
            << n;
}

/// So many processes, half of them a tenth above one and half as far below, as logarithms.
Values scattered(std::size_t n) {
    Values medians;
    for (std::size_t k = 0; k < n; ++k)
        medians.push_back(std::exp(k % 2 == 0 ? 0.1 : -0.1));
    return medians;
}

TEST(ReachOfOneMore, IsWiderOfFewerProcessesAndForMoreConfidence) {
    double wider = 1e9;
    for (const std::size_t n : {2, 4, 6, 8, 20}) {
        const double reach = reach_of_a_process(scattered(n), 0.9);
        EXPECT_LT(reach, wider) << n;
        EXPECT_LT(reach_of_a_process(scattered(n), 0.8), reach);
        EXPECT_GT(reach_of_a_process(scattered(n), 0.95), reach);
        wider = reach;
    }
}

TEST(ReachOfOneMore, IsTheSameInAnyUnitAndOfTheInverses) {
    const Values medians{2, 3, 3.5, 11};
    Values inverse;
    for (const double value : medians)
        inverse.push_back(1 / value);
    const double reach = reach_of_a_process(medians, 0.9);
    for (const Values& other : {times(medians, 1000), reversed(medians), inverse})
        EXPECT_NEAR(reach_of_a_process(other, 0.9), reach, 1e-12);
}

TEST(DeviationFromTheOthers, IsTheSameInAnyUnitAndOrder) {
    for (const Values& values : {Values{1, 2, 5, 40}, Values{3, 1, 8, 2, 100}}) {
        const auto found = leave_one_out(values), scaled = leave_one_out(times(values, 1e6)),
                   turned = leave_one_out(reversed(values));
        ASSERT_EQ(found.size(), values.size());
        for (std::size_t k = 0; k < values.size(); ++k)
            for (const Deviation& other : {scaled[k], turned[values.size() - 1 - k]}) {
                EXPECT_NEAR(other.ratio, found[k].ratio, 1e-9 * found[k].ratio);
                EXPECT_NEAR(other.spread, found[k].spread, 1e-9 * found[k].spread);
                EXPECT_GE(other.spread, 1);
            }
    }
    // The others of the first are 2, 5 and 40: their median is 5, the farther of whose two neighbours lies
    // three times as far.
    const auto first = leave_one_out(Values{1, 2, 5, 40}).front();
    EXPECT_NEAR(first.ratio, 1.0 / 5, 1e-12);
    EXPECT_NEAR(first.spread, std::pow(5.0 / 2, 1.4826), 1e-9);
}

TEST(MarginOfRuns, GrowsWithEveryFartherRunAndHasNoUnit) {
    Values runs{10, 10.1, 10.2, 10.05, 10.15};
    double margin = run_margin(runs);
    EXPECT_NEAR(run_margin(times(runs, 1e-3)), margin, 1e-12);
    EXPECT_NEAR(run_margin(reversed(runs)), margin, 1e-12);
    runs.push_back(10.12);
    EXPECT_EQ(run_margin(runs), margin) << "one among them tells nothing new";
    for (const double farther : {9.9, 10.3, 20.0}) {
        runs.push_back(farther);
        EXPECT_GT(run_margin(runs), margin) << farther;
        margin = run_margin(runs);
    }
}

}  // namespace
}  // namespace gridmark::harness
