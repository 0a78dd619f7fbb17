#include "harness/results/row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/results/ratio.hpp"
#include "harness/results/spread.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::published_row;
using tests::timed_row;
using Samples = std::vector<double>;

Row row(const json& object) {
    return object.get<Row>();
}

TEST(Row, SamplesOfAPublishedRowAreItsMedian) {
    EXPECT_EQ(row(timed_row("a", {3, 1, 2})).values(), (Samples{3, 1, 2}));
    EXPECT_EQ(row(published_row("a", 41)).values(), Samples{41});
    EXPECT_TRUE(row(tests::row_without_time("a", "failed", "x")).values().empty());
}

TEST(Row, ProcessesAreOneWhereNoneAreNamed) {
    EXPECT_EQ(row(timed_row("a", {3, 1, 2}, {{"process_samples", {1, 2}}})).samples_by_process(),
              (std::vector<std::size_t>{1, 2}));
    EXPECT_EQ(row(timed_row("a", {3, 1, 2}, {{"process_samples", json::array()}})).samples_by_process(),
              std::vector<std::size_t>{3});
    EXPECT_EQ(row(published_row("a", 41)).samples_by_process(), std::vector<std::size_t>{1});
}

TEST(Row, KeepsItsMemoryAndTheScaleOfItsField) {
    json known = timed_row("a", {1});
    known["memory"] = {{"host", 2e9}, {"gpu", 3e9}};
    known["verification"] = {
        {"against", "x"}, {"error", 1e-7}, {"tolerance", 1e-6}, {"steps", 3}, {"scale", 0.5}};
    EXPECT_EQ(row(known).memory->gpu, 3e9);
    EXPECT_EQ(row(known).verification->scale, 0.5);
    EXPECT_EQ(json(row(known)), known);
    const json unknown = json(row(timed_row("a", {1})));
    EXPECT_FALSE(unknown.contains("memory"));
    EXPECT_FALSE(unknown["verification"].contains("scale"));
}

TEST(Row, KeepsWhatBindsIt) {
    json bound = timed_row("a", {1});
    EXPECT_FALSE(json(row(bound)).contains("binding"));
    bound["binding"] = {{"ceiling", "gpu_l2_latency"}, {"term", 2}, {"time", 3}, {"unit", "us"}};
    EXPECT_EQ(json(row(bound)), bound);
}

TEST(Row, KeepsWhatWasCountedAndWhyNotTheRest) {
    json counted = timed_row("a", {1});
    for (const json& counters : {json{{"cycles", 5}, {"iterations", 10}},
                                 json{{"reasons", {{"cycles", "no"}}}}, json::object(), json()}) {
        counted["counters"] = counters;
        EXPECT_EQ(json(row(counted)), counted);
    }
    counted["counters"] = {{"cycles", nullptr}, {"iterations", 10}, {"reasons", {{"cycles", "no"}}}};
    const json kept = json(row(counted))["counters"];
    EXPECT_EQ(kept, (json{{"iterations", 10}, {"reasons", {{"cycles", "no"}}}})) << "an older file has nulls";
}

TEST(Row, OfAnOlderFileHasNoLimitThatItBeats) {
    json old = timed_row("a", {1});
    old["limit"] = {{"ceiling", "gpu_launch"}, {"value", 2}, {"unit", "us"}, {"share", 2}};
    const json read = row(old);
    EXPECT_TRUE(read["limit"].is_null());
    EXPECT_EQ(read["beaten_limit"], old["limit"]);
    EXPECT_EQ(json(row(read)), read);
}

TEST(Verification, CanFailWithinAHundredthOfItsField) {
    EXPECT_TRUE((Verification{"x", 0, 0.005, 1, 0.5}).can_fail());
    EXPECT_FALSE((Verification{"x", 0, 0.0051, 1, 0.5}).can_fail());
    EXPECT_TRUE((Verification{"x", 0, 0.01, 1}).can_fail()) << "a field of unknown size counts as 1";
    EXPECT_FALSE((Verification{"x", 0, 2e9, 1}).can_fail());
    EXPECT_TRUE((Verification{"x", 0, 0, 1, 0}).can_fail());
    EXPECT_FALSE((Verification{"x", 0, 1e-9, 1, 0}).can_fail()) << "a field of zeros";
}

TEST(Row, IsMeasuredWithANumber) {
    EXPECT_TRUE(row(timed_row("a", {1})).measured());
    EXPECT_TRUE(row(timed_row("a", {1}, {{"status", "estimate"}})).measured());
    EXPECT_FALSE(row(tests::row_without_time("a", "skipped", "x")).measured());
    EXPECT_FALSE(row(tests::row_without_time("a", "failed", "x")).measured());
    EXPECT_FALSE(row(timed_row("a", {1}, {{"status", "forecast"}})).measured());
}

TEST(Selector, ReadsFieldsAndParameters) {
    const json row = timed_row("a", {1});
    EXPECT_EQ(selected_value(row, "variant"), "gpu_shared");
    EXPECT_EQ(selected_value(row, "clock"), "kernel");
    EXPECT_EQ(selected_value(row, "nx"), 512);
    EXPECT_TRUE(selected_value(row, "ny").is_null());
    EXPECT_TRUE(selected_value(row, "median").is_null()) << "only what a selector may name";
}

TEST(Selector, MatchesWhenEveryKeyDoes) {
    const json row = timed_row("a", {1});
    EXPECT_TRUE(matches(json::object(), row));
    EXPECT_TRUE(
        matches({{"variant", "gpu_shared"}, {"nx", 512}, {"tile", "32x32"}, {"quantity", "time"}}, row));
    EXPECT_FALSE(matches({{"variant", "gpu_shared"}, {"nx", 256}}, row));
    EXPECT_FALSE(matches({{"ny", 256}}, row)) << "a parameter that the row does not have";
    EXPECT_FALSE(matches({{"nx", "512"}}, row)) << "a word is not a number";
}

TEST(Selector, MeasuredStandsForOkAndEstimate) {
    const json selector{{"status", "measured"}};
    EXPECT_TRUE(matches(selector, timed_row("a", {1})));
    EXPECT_TRUE(matches(selector, timed_row("a", {1}, {{"status", "estimate"}})));
    EXPECT_FALSE(matches(selector, tests::row_without_time("a", "skipped", "x")));
    EXPECT_FALSE(matches({{"status", "ok"}}, timed_row("a", {1}, {{"status", "estimate"}})));
}

TEST(Selector, AListMeansAnyOfItsValues) {
    const json row = timed_row("a", {1}), estimate = timed_row("a", {1}, {{"status", "estimate"}});
    EXPECT_TRUE(matches({{"variant", {"cpu_naive", "gpu_shared"}}, {"nx", {256, 512}}}, row));
    EXPECT_FALSE(matches({{"variant", {"cpu_naive", "gpu_rows"}}, {"nx", {256, 512}}}, row));
    EXPECT_FALSE(matches({{"ny", {256, 512}}}, row)) << "a parameter that the row does not have";
    EXPECT_TRUE(matches({{"ny", {256, nullptr}}}, row)) << "null is what the row lacks";
    EXPECT_FALSE(matches({{"nx", {256, nullptr}}}, row));
    EXPECT_FALSE(matches({{"nx", {"512", true}}}, row)) << "neither a word nor a truth is a number";
    EXPECT_FALSE(matches({{"nx", json::array()}}, row)) << "there is no value to have";
    EXPECT_TRUE(matches({{"status", {"skipped", "measured"}}}, estimate));
    EXPECT_FALSE(matches({{"status", {"failed", "measured"}}}, tests::row_without_time("a", "skipped", "x")));
}

TEST(Selector, SelectsInTheirOrderWhatMatchesAll) {
    const json rows{timed_row("a", {1}), timed_row("b", {1}, {{"variant", "cpu"}}), timed_row("c", {1})};
    const auto found = select_rows(rows, {{{"quantity", "time"}}, {{"variant", "gpu_shared"}}});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].name, "a");
    EXPECT_EQ(found[1].name, "c");
    EXPECT_TRUE(select_rows(rows, {{{"variant", "none"}}}).empty());
}

/// Two rows whose times drift alike, twice the other at every moment.
struct Drifting {
    json slow, fast;
    explicit Drifting(const json& pair)
        : slow(timed_row("a", {2, 4, 6, 8, 10, 12, 14, 16, 18}, {{"group", pair}})),
          fast(timed_row("b", tests::samples_from(1, 1), {{"group", pair}})) {}
};

/// Both ends of an interval about a value, give or take a logarithm.
void expect_about(const Interval& interval, double value, double reach) {
    EXPECT_NEAR(interval.low, value * std::exp(-reach), 1e-12 * value);
    EXPECT_NEAR(interval.high, value * std::exp(reach), 1e-12 * value);
}

/// What two kernels' ratio differs by from card to card.
const double cards = std::hypot(0.01, 0.01);

TEST(RowRatio, OfOneRunIsPaired) {
    const Drifting rows("group/kernel");
    const Ratio ratio = row_ratio(rows.slow, rows.fast, Runs::same);
    EXPECT_EQ(ratio.value, 2);
    expect_about(ratio.interval, 2, cards);
}

// Equal names of pairs in two runs mean nothing: those samples were not taken in turns.
TEST(RowRatio, OfDifferentRunsIsNeverPaired) {
    const Drifting rows("group/kernel");
    const Ratio ratio = row_ratio(rows.slow, rows.fast, Runs::different);
    EXPECT_EQ(ratio.value, 2);
    EXPECT_EQ(ratio.interval, (Interval{2.0 / 9, 18}));
}

TEST(RowRatio, IsIndependentWithoutACommonPair) {
    const Interval independent{2.0 / 9, 18};
    const Drifting none(nullptr);
    EXPECT_EQ(row_ratio(none.slow, none.fast, Runs::same).interval, independent);
    Drifting other("one");
    other.fast["group"] = "other";
    EXPECT_EQ(row_ratio(other.slow, other.fast, Runs::same).interval, independent);
    Drifting launches("one");
    launches.fast["process_samples"] = {4, 5};
    EXPECT_LT(row_ratio(launches.slow, launches.fast, Runs::same).interval.low, independent.low);
    Drifting missing("one");
    missing.slow.erase("group");
    EXPECT_EQ(row_ratio(missing.slow, missing.fast, Runs::same).interval, independent);
}

// Nine samples of each of three launches, each launch still but 10 % beside the others.
TEST(RowRatio, GoesByProcesses) {
    const auto three = [](double a, double b, double c) {
        Samples samples;
        for (double level : {a, b, c})
            samples.insert(samples.end(), 9, level);
        return timed_row("a", samples, {{"process_samples", {9, 9, 9}}, {"group", "group"}});
    };
    const json moving = three(9, 10, 11), still = three(5, 5, 5);
    EXPECT_EQ(row_ratio(moving, still, Runs::same).value, 2);
    const double reach = reach_of_a_process(Samples{9, 10, 11}, 0.9);
    expect_about(row_ratio(moving, still, Runs::same).interval, 2, reach);

    // Launch by launch in one run; in the order of their medians where runs are different.
    const json rising = three(4.5, 5, 5.5), falling = three(5.5, 5, 4.5);
    expect_about(row_ratio(moving, rising, Runs::same).interval, 2, cards);
    EXPECT_EQ(row_ratio(moving, falling, Runs::different).interval, (Interval{2, 2}));
    EXPECT_EQ(row_ratio(moving, still, Runs::different).interval, (Interval{1.8, 2.2}));

    json other = rising;
    other["group"] = "other";
    expect_about(row_ratio(moving, other, Runs::same).interval, 2, cards);
    // Independently of each other where one has more processes.
    json fewer = timed_row("b", Samples(18, 4.5), {{"process_samples", {9, 9}}});
    std::fill_n(fewer["samples"].begin(), 9, 5.5);
    for (const Runs runs : {Runs::same, Runs::different})
        expect_about(row_ratio(moving, fewer, runs).interval, 2,
                     std::hypot(reach, reach_of_a_process(Samples{4.5, 5.5}, 0.9)));
}

TEST(RowRatio, OfPublishedRowsHasNoWidth) {
    const Ratio ratio = row_ratio(published_row("a", 58), published_row("b", 32), Runs::same);
    EXPECT_EQ(ratio.value, 58.0 / 32);
    EXPECT_EQ(ratio.interval, (Interval{58.0 / 32, 58.0 / 32}));
}

TEST(RowRatio, MeansNothingOfWhatMayBeZero) {
    const auto above = timed_row("above", {1, 1.1, 1.2}), around = timed_row("around", {-0.1, 0.1, 0.2}),
               below = timed_row("below", {-3, -2, -1});
    EXPECT_EQ(why_no_ratio(above, above), "");
    EXPECT_NE(why_no_ratio(above, around).find("around"), std::string::npos);
    EXPECT_NE(why_no_ratio(around, above).find("around"), std::string::npos);
    EXPECT_NE(why_no_ratio(below, below).find("below"), std::string::npos);
    EXPECT_EQ(why_no_ratio(tests::published_row("printed", 2), above), "");
}

TEST(RowRatio, MeansNothingWhereAQuotientIsNoNumber) {
    const auto tiny = timed_row("tiny", {1e-300, 1e-300, 1e-300}),
               huge = timed_row("huge", {1e300, 1e300, 1e300});
    for (const auto& [a, b] : {std::pair{&tiny, &huge}, {&huge, &tiny}})
        EXPECT_EQ(why_no_ratio(*a, *b), (*a)["name"].get<std::string>() + " and " +
                                            (*b)["name"].get<std::string>() +
                                            " are too far apart for a ratio");
    // Of the median's interval no end is 0, of the samples one is.
    auto samples = tests::samples_from(1, 0.1);
    const auto whole = timed_row("whole", samples, {{"group", "p"}});
    samples.front() = 0;
    const auto holed = timed_row("holed", samples, {{"group", "p"}});
    EXPECT_NE(why_no_ratio(whole, holed), "");
    EXPECT_EQ(why_no_ratio(holed, whole), "");
    // Their middle is no sum that overflows.
    EXPECT_EQ(median(std::vector<double>{1.5e308, 1.7e308}), 1.6e308);
}

TEST(RowInterval, OfOneProcessHoldsTheRanks) {
    EXPECT_EQ(row_interval(timed_row("a", tests::samples_from(1, 1))), (Interval{2, 8}));
    EXPECT_EQ(row_interval(published_row("a", 41)), (Interval{41, 41}));
    EXPECT_EQ(row_interval(timed_row("a", {7}, {{"quantity", "launches"}})), (Interval{7, 7}));
}

TEST(RowInterval, OfSeveralProcessesIsWhereOneMoreWouldLie) {
    expect_about(row_interval(timed_row("a", {9, 10, 11}, {{"process_samples", {1, 1, 1}}})), 10,
                 reach_of_a_process(Samples{9, 10, 11}, 0.9));
}

TEST(RowInterval, HoldsWhatMachinesOfAModelDifferBy) {
    const auto of = [](const json& changes) {
        json row = timed_row("a", {10, 10, 10}, {{"process_samples", {1, 1, 1}}});
        row.update(changes);
        return row_interval(row);
    };
    expect_about(of({{"clock", "kernel"}}), 10, 0.01);
    expect_about(of({{"clock", "step"}}), 10, 0.02);
    expect_about(of({{"clock", "wall"}}), 10, 0);
    expect_about(of({{"quantity", "registers"}, {"unit", "a thread"}}), 10, 0);
}

// A host that is so much slower would decide the step; no model has a say in it.
TEST(RowInterval, OfAStepIsUpToTheHostWhereItsLaunchesMightBindElsewhere) {
    const auto of = [](double by_host, const json& changes = json::object()) {
        json row = timed_row("a", {10, 10, 10},
                             {{"clock", "step"}, {"process_samples", {1, 1, 1}}, {"by_host", by_host}});
        row.update(changes);
        return row_interval(row);
    };
    expect_about(of(5), 10, 0.315);
    expect_about(of(4.9), 10, 0.02);
    const json binding{{"ceiling", "gpu_launch"}, {"term", 5}, {"time", 9}, {"unit", "us"}};
    expect_about(of(1, {{"binding", binding}}), 10, 0.02);
    expect_about(of(9, {{"clock", "kernel"}}), 10, 0.01);
    const json launched{{"parameters", {{"launch", "stream"}}}, {"by_host", nullptr}};
    expect_about(of(1, launched), 10, 0.315);
}

TEST(RowInterval, OfADifferenceIsByWhatItsTimesDo) {
    const auto time = [](double us, const char* clock) {
        return timed_row("a", {us, us, us}, {{"process_samples", {1, 1, 1}}, {"clock", clock}}).get<Row>();
    };
    const double machines = machines_of_difference(time(100, "step"), time(60, "kernel"));
    EXPECT_DOUBLE_EQ(machines, std::hypot(0.02 * 100, 0.01 * 60));
    const json difference = timed_row("a", {40, 40, 40},
                                      {{"process_samples", {1, 1, 1}},
                                       {"quantity", "synchronisation"},
                                       {"clock", nullptr},
                                       {"machines_differ_by", machines}});
    expect_about(row_interval(difference), 40, std::log1p(machines / 40));
    json none = difference;
    none["samples"] = {-1, -1, -1};
    none["median"] = -1;
    EXPECT_EQ(row_interval(none), (Interval{-1 - machines, -1 + machines})) << "however near to 0 it is";
}

TEST(RowInterval, OfWhatMayBeZeroHoldsTheProcesses) {
    EXPECT_EQ(row_interval(timed_row("a", {-1, 2, 3}, {{"process_samples", {1, 1, 1}}})), (Interval{-1, 3}));
    // The middle process has so many samples that ranks would lie among its own.
    Samples samples(27, 2);
    std::fill_n(samples.begin(), 3, -1);
    std::fill_n(samples.end() - 4, 4, 3);
    EXPECT_EQ(row_interval(timed_row("a", samples, {{"process_samples", {3, 20, 4}}})), (Interval{-1, 3}));
}

TEST(Row, IsUnstableWhereItsProcessesDisagree) {
    const auto why = [](const json& changes) {
        json row = timed_row("a", {10, 10, 10, 20, 20, 20}, {{"process_samples", {3, 3}}});
        row.update(changes);
        return row.get<Row>().why_unfit();
    };
    EXPECT_EQ(why(json::object()), "");
    EXPECT_EQ(why({{"samples", {10, 10, 10, 25, 25, 25}}}),
              "unstable: the medians of its processes differ by a factor of 2.5");
    EXPECT_EQ(why({{"samples", {10, 10, 10, 10, 10, 99}}}), "") << "by medians";
    EXPECT_EQ(why({{"samples", {-1, -1, -1, 9, 9, 9}}, {"clock", nullptr}}), "") << "no time by a clock";
}

}  // namespace
}  // namespace gridmark::harness
