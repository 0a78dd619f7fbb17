// What holds of every interval and ratio of rows, however many processes they come from.

#include "harness/results/ratio.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/results/spread.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Processes = std::vector<std::vector<double>>;

/// A time by the kernel's clock of processes with these samples.
Row measured_by(const Processes& processes, const json& changes = json::object()) {
    std::vector<double> samples;
    json counts = json::array();
    for (const auto& process : processes) {
        samples.insert(samples.end(), process.begin(), process.end());
        counts.push_back(process.size());
    }
    json row = tests::timed_row("a", samples, {{"process_samples", counts}});
    row.update(changes);
    return row.get<Row>();
}

Row scaled_row(Row row, double factor) {
    for (double& sample : row.samples)
        sample *= factor;
    *row.median *= factor;
    return row;
}

void expect_interval(const Interval& found, const Interval& expected) {
    EXPECT_NEAR(found.low, expected.low, 1e-12 * std::abs(expected.low));
    EXPECT_NEAR(found.high, expected.high, 1e-12 * std::abs(expected.high));
}

Interval give_or_take(double value, double reach) {
    return {value * std::exp(-reach), value * std::exp(reach)};
}

// --- intervals

TEST(IntervalOfARow, OfAStillProcessIsWhatMachinesDifferBy) {
    expect_interval(row_interval(measured_by({{10, 10, 10}})), give_or_take(10, 0.01));
    expect_interval(row_interval(measured_by({{10, 10, 10}}, {{"clock", "step"}})), give_or_take(10, 0.02));
    // The ranks reach farther down, the machines farther up.
    expect_interval(row_interval(measured_by({{9, 10, 10.01}})), {9, 10 * std::exp(0.01)});
}

TEST(IntervalOfARow, OfTwoProcessesIsWhereOneMoreWouldLie) {
    expect_interval(row_interval(measured_by({{9, 9, 1000}, {11, 11, 11}})),
                    give_or_take(11, reach_of_a_process(std::vector<double>{9, 11}, 0.9)));
}

TEST(IntervalOfARow, IsAboutTheMedianOfAllSamples) {
    // The processes' medians are 3, 20 and 30, that of all samples is 4.
    expect_interval(row_interval(measured_by({{1, 2, 3, 4, 5}, {20}, {30}})),
                    give_or_take(4, reach_of_a_process(std::vector<double>{3, 20, 30}, 0.9)));
}

TEST(IntervalOfARow, OfAProcessAtZeroIsNoFactor) {
    for (const double low : {0.0, -1.0}) {
        const Row row = measured_by({{low}, {1}, {2}});
        EXPECT_EQ(row_interval(row), (Interval{low, 2})) << low;
        EXPECT_EQ(repeat_reach(row), 0.01) << "there is no logarithm of the processes";
        EXPECT_EQ(why_no_ratio(row, measured_by({{1}})), "a may be 0 or below, which has no ratio") << low;
    }
}

/// Rows of one process, of two and of three; skewed, and with numbers of samples of both parities.
const std::vector<Row> rows_of_all_kinds{measured_by({{7}}),
                                         measured_by({{3, 4, 9, 4, 3, 3}}, {{"group", "g"}}),
                                         measured_by({{6, 5, 8, 2, 3, 40}}, {{"group", "g"}}),
                                         measured_by({{3, 4, 9}, {5, 5, 6, 7}}),
                                         measured_by({{2, 3, 2}, {2, 2, 2, 30}}),
                                         measured_by({{1, 1, 8}, {2}, {3, 3, 3, 9}}),
                                         measured_by({{4, 4}, {5, 6, 5}, {4.5}}, {{"clock", "step"}})};

TEST(IntervalOfARow, HoldsItsMedianInAnyUnit) {
    for (const Row& row : rows_of_all_kinds) {
        const Interval interval = row_interval(row);
        EXPECT_LT(interval.low, *row.median);
        EXPECT_GT(interval.high, *row.median);
        expect_interval(row_interval(scaled_row(row, 1000)), {1000 * interval.low, 1000 * interval.high});
    }
}

// --- ratios

TEST(RatioOfRows, TheOtherWayRoundIsInverse) {
    for (const Row& a : rows_of_all_kinds)
        for (const Row& b : rows_of_all_kinds)
            for (const Runs runs : {Runs::same, Runs::different}) {
                const Ratio one = row_ratio(a, b, runs), other = row_ratio(b, a, runs);
                EXPECT_DOUBLE_EQ(one.value, *a.median / *b.median);
                EXPECT_DOUBLE_EQ(other.value, 1 / one.value);
                EXPECT_LE(one.interval.low, one.value);
                EXPECT_GE(one.interval.high, one.value);
                expect_interval(other.interval, {1 / one.interval.high, 1 / one.interval.low});
                EXPECT_TRUE(why_no_ratio(a, b).empty());
            }
}

TEST(RatioOfRows, GrowsWithItsNumerator) {
    for (const Row& a : rows_of_all_kinds)
        for (const Row& b : rows_of_all_kinds)
            for (const Runs runs : {Runs::same, Runs::different}) {
                const Ratio one = row_ratio(a, b, runs), three = row_ratio(scaled_row(a, 3), b, runs);
                EXPECT_DOUBLE_EQ(three.value, 3 * one.value);
                expect_interval(three.interval, {3 * one.interval.low, 3 * one.interval.high});
            }
}

TEST(RatioOfRows, OfTwoProcessesEach) {
    const Row a = measured_by({{9, 9, 10}, {11, 11, 11}}), b = measured_by({{2, 2, 2}, {4, 4, 4}});
    const double value = 10.5 / 3;
    expect_interval(row_ratio(a, b, Runs::same).interval,
                    give_or_take(value, reach_of_a_process(std::vector<double>{9.0 / 2, 11.0 / 4}, 0.9)));
    // Of different runs two do not show in the order of their medians what they differ by.
    expect_interval(row_ratio(a, b, Runs::different).interval,
                    give_or_take(value, std::hypot(reach_of_a_process(std::vector<double>{9, 11}, 0.9),
                                                   reach_of_a_process(std::vector<double>{2, 4}, 0.9))));
}

TEST(RatioOfRows, OfOneProcessAndTwoIsNotPairedEvenInOneGroup) {
    const json group{{"group", "g"}};
    const std::vector<double> samples = tests::samples_from(1, 1);
    const Row one = measured_by({samples}, group), two = measured_by({{1, 2, 3, 4}, {5, 6, 7, 8, 9}}, group);
    const double reach = std::hypot(0.01, reach_of_a_process(std::vector<double>{2.5, 7}, 0.9));
    const Interval ends = independent_ratio(samples, samples).interval, about = give_or_take(1, reach);
    expect_interval(row_ratio(one, two, Runs::same).interval,
                    {std::min(ends.low, about.low), std::max(ends.high, about.high)});
    const Row nine = measured_by({samples}, group),
              eight = measured_by({tests::samples_from(1, 1, 8)}, group);
    expect_interval(row_ratio(nine, eight, Runs::same).interval,
                    independent_ratio(samples, tests::samples_from(1, 1, 8)).interval);
}

TEST(RatioOfRows, OfTwoRowsOfOneRunMovesWithWhatTheyShare) {
    // The processes differ by a factor of two, and their ratio does not: machines differ by more.
    const Row a = measured_by({{10}, {20}, {14}}), b = measured_by({{5}, {10}, {7}});
    expect_interval(row_ratio(a, b, Runs::same).interval, give_or_take(2, std::hypot(0.01, 0.01)));
    const Row step = measured_by({{5}, {10}, {7}}, {{"clock", "step"}});
    expect_interval(row_ratio(a, step, Runs::same).interval, give_or_take(2, std::hypot(0.01, 0.02)));
}

// --- which kind of time a row is

TEST(KindOfTime, IsByItsQuantityAndClock) {
    const auto kind = [](const json& changes) { return time_kind(measured_by({{10}}, changes)); };
    EXPECT_EQ(kind({{"clock", "kernel"}}), TimeKind::kernel);
    EXPECT_EQ(kind({{"clock", "wall"}}), TimeKind::wall);
    EXPECT_EQ(kind({{"clock", "step"}}), TimeKind::step);
    EXPECT_EQ(kind({{"clock", "step"}, {"parameters", {{"launch", "graph"}}}}), TimeKind::step);
    EXPECT_EQ(kind({{"clock", "step"}, {"parameters", {{"launch", "stream"}}}}), TimeKind::step_by_host);
    EXPECT_EQ(kind({{"clock", "step"}, {"by_host", 5}}), TimeKind::step_by_host);
    EXPECT_EQ(kind({{"clock", "step"}, {"by_host", 4.99}}), TimeKind::step);
    EXPECT_EQ(kind({{"clock", nullptr}}), TimeKind::other);
    EXPECT_EQ(kind({{"quantity", "registers"}}), TimeKind::other);
    EXPECT_EQ(kind({{"machines_differ_by", 1}}), TimeKind::difference);
}

TEST(ReachOfMachines, OfADifferenceIsByItsValueAndNothingAtZero) {
    const auto reach = [](double value) {
        return machine_reach(measured_by({{value}}, {{"machines_differ_by", 2}}));
    };
    EXPECT_DOUBLE_EQ(reach(4), std::log(1.5));
    EXPECT_EQ(reach(0), 0);
    EXPECT_EQ(reach(-4), 0);
    EXPECT_EQ(machine_reach(tests::published_row("a", 3).get<Row>()), 0);
}

TEST(ReachOfARepeat, IsTheLargerOfProcessesAndMachines) {
    const double processes = reach_of_a_process(std::vector<double>{9, 10, 11}, 0.9);
    EXPECT_DOUBLE_EQ(repeat_reach(measured_by({{9}, {10}, {11}})), processes);
    EXPECT_EQ(repeat_reach(measured_by({{10}, {10.0001}, {10}})), 0.01);
    EXPECT_EQ(repeat_reach(measured_by({{9, 10, 11}})), 0.01) << "one process tells nothing of others";
}

}  // namespace
}  // namespace gridmark::harness
