#include "harness/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace gridmark::harness {
namespace {

using Samples = std::vector<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// 1, 2, ..., n in an order that is not sorted.
Samples shuffled(int n) {
    Samples samples(n);
    for (int k = 0; k < n; ++k)
        samples[k] = 1 + (k * 7) % n;  // n must not be a multiple of 7
    return samples;
}

TEST(Median, OfAnOddNumberIsTheMiddle) {
    EXPECT_EQ(median(Samples{4}), 4);
    EXPECT_EQ(median(Samples{9, 1, 5}), 5);
    EXPECT_EQ(median(Samples{3, 100, -2, 4, 1}), 3);
}

TEST(Median, OfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
    EXPECT_EQ(median(Samples{4, 1}), 2.5);
    EXPECT_EQ(median(Samples{10, 1, 2, 4}), 3);
}

TEST(Median, RefusesNothingAndWhatIsNotFinite) {
    EXPECT_THROW(median({}), std::invalid_argument);
    EXPECT_THROW(median(Samples{1, nan, 2}), std::invalid_argument);
    EXPECT_THROW(median(Samples{1, infinity}), std::invalid_argument);
    EXPECT_THROW(median_interval(Samples{1, nan}), std::invalid_argument);
    EXPECT_THROW(count_outliers(Samples{nan}), std::invalid_argument);
}

// From a table of sign-test intervals (for n = 20: the 6th to the 15th value).
TEST(MedianRanks, AreThoseOfTheTables) {
    const auto expect = [](std::size_t n, double confidence, std::size_t low, std::size_t high) {
        const auto ranks = median_ranks(n, confidence);
        ASSERT_TRUE(ranks) << n;
        EXPECT_EQ(ranks->low, low) << n;
        EXPECT_EQ(ranks->high, high) << n;
    };
    expect(6, 0.95, 0, 5);
    expect(9, 0.95, 1, 7);
    expect(20, 0.95, 5, 14);
    expect(100, 0.95, 39, 60);
    expect(1000, 0.95, 468, 531);
    expect(9, 0.975, 0, 8);
    expect(20, 0.975, 4, 15);
    expect(1000, 0.975, 464, 535);
}

TEST(MedianRanks, AreNoneWhereTheyCannotHold) {
    for (std::size_t n : {0, 1, 2, 5})
        EXPECT_FALSE(median_ranks(n)) << n;
    EXPECT_FALSE(median_ranks(6, 0.975));
    EXPECT_TRUE(median_ranks(7, 0.975));
}

/// P(Binomial(n, 1/2) <= k), summed term by term in extended precision.
long double binomial_tail(std::size_t n, std::size_t k) {
    long double term = std::pow(0.5L, static_cast<long double>(n)), sum = term;
    for (std::size_t i = 0; i < k; ++i) {
        term *= static_cast<long double>(n - i) / static_cast<long double>(i + 1);
        sum += term;
    }
    return sum;
}

// [x(low), x(high)] misses the median when at most `low` samples lie on one side.
TEST(MedianRanks, HoldTheConfidenceAndNoMore) {
    for (double confidence : {0.9, 0.95, 0.975, 0.99}) {
        for (std::size_t n = 1; n <= 1000; n += n < 40 ? 1 : 37) {
            SCOPED_TRACE(testing::Message() << n << " samples, " << confidence);
            const long double tail = (1 - static_cast<long double>(confidence)) / 2;
            const auto ranks = median_ranks(n, confidence);
            if (!ranks) {
                ASSERT_GT(binomial_tail(n, 0), tail);
                continue;
            }
            ASSERT_EQ(ranks->low + ranks->high, n - 1) << "symmetric";
            ASSERT_LE(binomial_tail(n, ranks->low), tail);
            ASSERT_GT(binomial_tail(n, ranks->low + 1), tail) << "wider than need be";
        }
    }
}

TEST(MedianInterval, IsReadFromTheOrderedSamples) {
    EXPECT_EQ(median_interval(shuffled(9)), (Interval{2, 8}));
    EXPECT_EQ(median_interval(shuffled(20)), (Interval{6, 15}));
    EXPECT_EQ(median_interval(shuffled(20), 0.975), (Interval{5, 16}));
    EXPECT_EQ(median_interval(shuffled(100)), (Interval{40, 61}));
}

TEST(MedianInterval, IsTheWholeRangeOfTooFewSamples) {
    EXPECT_EQ(median_interval(Samples{5, 1, 3}), (Interval{1, 5}));
    EXPECT_EQ(median_interval(Samples{2}), (Interval{2, 2}));
}

TEST(IndependentRatio, DividesTheEnds) {
    // 97.5 % intervals of nine samples are the whole range: [10, 90] and [1, 9].
    Samples tens = shuffled(9);
    for (double& s : tens)
        s *= 10;
    const Ratio ratio = independent_ratio(tens, shuffled(9));
    EXPECT_EQ(ratio.value, 10);
    EXPECT_EQ(ratio.interval, (Interval{10.0 / 9, 90}));
}

TEST(IndependentRatio, TakesSetsOfDifferentLength) {
    const Ratio ratio = independent_ratio(Samples{6}, Samples{2, 3, 4});
    EXPECT_EQ(ratio.value, 2);
    EXPECT_EQ(ratio.interval, (Interval{1.5, 3}));
}

// The times drift by a factor of nine, and still every pair says 2.
TEST(PairedRatio, IsNotBlurredByDrift) {
    Samples twice = shuffled(9);
    for (double& s : twice)
        s *= 2;
    const Ratio ratio = paired_ratio(twice, shuffled(9));
    EXPECT_EQ(ratio.value, 2);
    EXPECT_EQ(ratio.interval, (Interval{2, 2}));
}

TEST(PairedRatio, IsTheMedianOfThePairs) {
    const Samples numerator{2, 9, 4, 10, 6, 6, 14, 8, 90}, denominator{2, 3, 4, 5, 6, 2, 7, 8, 9};
    // Ratios: 1 3 1 2 1 3 2 1 10; ordered: 1 1 1 1 2 2 3 3 10; ranks 1 and 7.
    const Ratio ratio = paired_ratio(numerator, denominator);
    EXPECT_EQ(ratio.value, 2);
    EXPECT_EQ(ratio.interval, (Interval{1, 3}));
}

using Counts = std::vector<std::size_t>;

TEST(ProcessRatio, ComparesLaunchesInTheOrderOfTheirMedians) {
    // Medians 2, 4, 6 beside 1, 2, 3, in another order; fewer than six samples show their whole range.
    const Samples n{4, 4, 4, 6, 6, 6, 2, 2, 2}, d{3, 3, 3, 1, 1, 1, 2, 2, 2};
    const Ratio ratio = process_ratio(n, Counts{3, 3, 3}, d, Counts{3, 3, 3});
    EXPECT_EQ(ratio.value, 2);
    EXPECT_EQ(ratio.interval, (Interval{2, 2}));
}

TEST(ProcessRatio, IsAsWideAsItsLaunchesDiffer) {
    const Samples n{1.9, 2, 2.1, 4, 4, 4, 6, 9, 9}, d{1, 1, 1.25, 2, 2, 2, 3, 3, 3};
    const Ratio ratio = process_ratio(n, Counts{3, 3, 3}, d, Counts{3, 3, 3});
    EXPECT_EQ(ratio.value, 2);
    EXPECT_EQ(ratio.interval, (Interval{2, 3}));
}

TEST(ProcessRatio, SeesNoDifferenceThatOneLaunchDoesNotShow) {
    const Samples still{1, 1, 1}, some{1, 1.2, 1.2};
    EXPECT_EQ(process_ratio(some, Counts{1, 1, 1}, still, Counts{1, 1, 1}).interval.low, 1);
}

TEST(ProcessRatio, RefusesOtherNumbersOfLaunches) {
    const Samples two{1, 2}, three{1, 2, 3};
    EXPECT_THROW(process_ratio(two, Counts{1, 1}, two, Counts{1, 1}), std::invalid_argument);
    EXPECT_THROW(process_ratio(three, Counts{1, 1, 1}, three, Counts{1, 2}), std::invalid_argument);
    EXPECT_THROW(process_ratio(three, Counts{1, 1, 2}, three, Counts{1, 1, 1}), std::invalid_argument);
}

TEST(PairedRatio, RefusesDifferentLengths) {
    EXPECT_THROW(paired_ratio(Samples{1, 2}, Samples{1}), std::invalid_argument);
    EXPECT_THROW(paired_ratio(Samples{nan}, Samples{1}), std::invalid_argument);
    EXPECT_THROW(paired_ratio(Samples{1}, Samples{0}), std::invalid_argument);
}

TEST(Outliers, LieThreeQuartileRangesOut) {
    // Quartiles of 1..9 are 3 and 7: the fences stand at -9 and 19.
    Samples samples = shuffled(9);
    EXPECT_EQ(count_outliers(samples), 0U);
    // With one more value the quartiles are 3.25 and 7.75: the fences stand at -10.25 and 21.25.
    samples.push_back(21.2);
    EXPECT_EQ(count_outliers(samples), 0U);
    samples.back() = 21.3;
    EXPECT_EQ(count_outliers(samples), 1U);
    samples.back() = -1000;
    EXPECT_EQ(count_outliers(samples), 1U);
    EXPECT_EQ(count_outliers(Samples{5, 5, 5, 5, 5.1}), 1U);
    EXPECT_EQ(count_outliers(Samples{5}), 0U);
}

TEST(RelativeWidth, IsTheIntervalOverTheMedian) {
    EXPECT_DOUBLE_EQ(relative_width(shuffled(9)), 6.0 / 5);
    EXPECT_EQ(relative_width(Samples{4, 4, 4, 4, 4, 4}), 0);
}

TEST(LaunchMedians, AreTakenLaunchByLaunch) {
    const Samples samples{9, 1, 5, 4, 1, 7};
    const std::vector<std::size_t> launches{3, 2, 1};
    EXPECT_EQ(process_medians(samples, launches), (Samples{5, 2.5, 7}));
}

TEST(LaunchMedians, RefuseCountsThatDoNotAddUp) {
    const Samples samples{1, 2, 3};
    for (const std::vector<std::size_t>& launches : {std::vector<std::size_t>{2}, {2, 2}, {}})
        EXPECT_THROW(process_medians(samples, launches), std::invalid_argument);
    EXPECT_THROW(process_medians(samples, std::vector<std::size_t>{0, 3}), std::invalid_argument)
        << "an empty launch";
}

// Of 1, 1.1, 1.21, 2.662 and 1.4641, powers of 1.1 but the fourth: 0, 1, 2, 4 and the fourth is 1.1^2 * 2.2.
TEST(LeaveOneOut, SetsEachBesideTheOthers) {
    const Samples values{1, 1.1, 1.21, 1.21 * 2.2, 1.4641};
    const auto found = leave_one_out(values);
    ASSERT_EQ(found.size(), 5U);
    // The others' exponents are 0, 1, 2, 4: the median is 1.5, the distances 1.5, 0.5, 0.5, 2.5, their
    // median 1.
    EXPECT_NEAR(found[3].ratio, 1.21 * 2.2 / std::pow(1.1, 1.5), 1e-9);
    EXPECT_NEAR(found[3].spread, std::pow(1.1, 1.4826), 1e-9);
    EXPECT_NEAR(leave_one_out(Samples{1, 2, 2, 2})[0].ratio, 0.5, 1e-9);
    EXPECT_EQ(leave_one_out(Samples{1, 2, 2, 2})[0].spread, 1);
}

TEST(LeaveOneOut, RefusesTooFewAndWhatHasNoLogarithm) {
    EXPECT_THROW(leave_one_out(Samples{1, 2, 3}), std::invalid_argument);
    EXPECT_THROW(leave_one_out(Samples{1, 2, 0, 3}), std::invalid_argument);
    EXPECT_THROW(leave_one_out(Samples{1, 2, nan, 3}), std::invalid_argument);
}

TEST(RunMargin, IsTheSquareOfTheSpread) {
    EXPECT_NEAR(run_margin(Samples{10, 12, 11, 10.5, 11.5}), 1.44, 1e-12);
    EXPECT_EQ(run_margin(Samples{3, 3, 3, 3, 3}), 1);
    EXPECT_THROW(run_margin(Samples{10, 12, 11, 10.5}), std::invalid_argument);
    EXPECT_THROW(run_margin(Samples{10, 12, 11, 10.5, -1}), std::invalid_argument);
}

// What docs/compare.md says of it: how often two further runs of one normal distribution lie further apart.
TEST(RunMargin, IsSeldomPassedByTwoFurtherRuns) {
    std::mt19937_64 bits(1);
    std::normal_distribution<double> scatter(0, 0.02);
    const auto run = [&] { return std::exp(scatter(bits)); };
    const auto share_beyond = [&](std::size_t runs) {
        constexpr int trials = 40000;
        int beyond = 0;
        for (int trial = 0; trial < trials; ++trial) {
            Samples medians(runs);
            std::generate(medians.begin(), medians.end(), run);
            const double ratio = run() / run(), margin = run_margin(medians);
            beyond += ratio > margin || ratio < 1 / margin ? 1 : 0;
        }
        return static_cast<double>(beyond) / trials;
    };
    EXPECT_NEAR(share_beyond(5), 0.026, 0.004);
    EXPECT_NEAR(share_beyond(10), 0.002, 0.001);
}

TEST(ReachOfAProcess, IsStudentsTOfLogarithms) {
    // t is 2.920 with two degrees of freedom, 6.314 with one.
    EXPECT_NEAR(reach_of_a_process(std::vector<double>{std::exp(-0.1), 1, std::exp(0.1)}, 0.9),
                2.91999 * 0.1 * std::sqrt(4.0 / 3), 1e-6);
    EXPECT_NEAR(reach_of_a_process(std::vector<double>{1, std::exp(0.2)}, 0.9),
                6.31375 * 0.2 / std::sqrt(2.0) * std::sqrt(1.5), 1e-6);
    EXPECT_EQ(reach_of_a_process(std::vector<double>{4, 4, 4}, 0.9), 0);
    for (const std::vector<double>& refused : {std::vector<double>{1}, {1, 0}, {1, -1}, {1, INFINITY}})
        EXPECT_THROW(reach_of_a_process(refused, 0.9), std::invalid_argument);
}

}  // namespace
}  // namespace gridmark::harness
