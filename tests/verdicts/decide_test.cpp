#include <gtest/gtest.h>

#include <map>

#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {

namespace {

LabelledRatio pair(const std::string& label, double low, double high) {
    return {label, {(low + high) / 2, {low, high}}};
}

/// An interval with a median of its own, which lies in no fixed place.
LabelledInterval between(double low, double high, std::optional<double> median = {}) {
    return {"", {low, high}, median.value_or((low + high) / 2)};
}

TEST(Verdict, HasItsWords) {
    EXPECT_EQ(to_string(Verdict::reproduced), "REPRODUCED");
    EXPECT_EQ(to_string(Verdict::trend_only), "TREND ONLY");
    EXPECT_EQ(to_string(Verdict::not_reproduced), "NOT REPRODUCED");
    EXPECT_EQ(to_string(Verdict::inconclusive), "INCONCLUSIVE");
    EXPECT_EQ(to_string(Verdict::not_run), "NOT RUN");
}

TEST(Ordering, ReproducedWhenEveryPairAgrees) {
    const auto d = decide_ordering({pair("a", 1.2, 1.4), pair("b", 1.03, 1.05), pair("c", 1.7, 1.9)}, 0.02);
    EXPECT_EQ(d.verdict, Verdict::reproduced);
    EXPECT_EQ(d.because, "the interval lies above 1.02 in all 3 pairs");
    EXPECT_EQ(d.measured, "1.04 to 1.80 over 3 pairs");
    ASSERT_TRUE(d.interval);
    EXPECT_EQ(*d.interval, (Interval{1.03, 1.9}));
}

TEST(Ordering, InconclusiveWhenNoneDisagreesAndSomeAreOpen) {
    auto d = decide_ordering({pair("a", 1.2, 1.4), pair("b", 0.99, 1.03)}, 0.02);
    EXPECT_EQ(d.verdict, Verdict::inconclusive);
    EXPECT_NE(d.because.find("(b)"), std::string::npos) << d.because;
    // An interval that ends on 1 does not lie above it, nor one on 1.02 above that.
    EXPECT_EQ(decide_ordering({pair("a", 1.0, 1.4)}, 0).verdict, Verdict::inconclusive);
    EXPECT_EQ(decide_ordering({pair("a", 1.02, 1.4)}, 0.02).verdict, Verdict::inconclusive);
}

// An interval that cannot reach the bound decides: more samples would not move it.
TEST(Ordering, WhatIsEqualWithinTheToleranceDoesNotAgree) {
    const auto verdict = [](const std::vector<Interval>& measured) {
        std::vector<LabelledRatio> pairs;
        for (const Interval& m : measured)
            pairs.push_back(pair("p", m.low, m.high));
        return decide_ordering(pairs, 0.02).verdict;
    };
    EXPECT_EQ(verdict({{1.001, 1.002}}), Verdict::trend_only) << "on the side, by less";
    EXPECT_EQ(verdict({{0.999, 1.001}}), Verdict::inconclusive) << "on no side";
    EXPECT_EQ(verdict({{0.985, 0.99}}), Verdict::not_reproduced);
    EXPECT_EQ(verdict({{0.97, 0.99}}), Verdict::not_reproduced);
    EXPECT_EQ(verdict({{1.015, 1.03}}), Verdict::inconclusive);
    EXPECT_EQ(verdict({{1.1, 1.2}, {1.1, 1.2}, {0.99, 1.01}}), Verdict::trend_only);
    EXPECT_EQ(verdict({{1.1, 1.2}, {0.99, 1.01}}), Verdict::inconclusive) << "the second might be on either";
    EXPECT_EQ(verdict({{1.1, 1.2}, {0.98, 0.99}}), Verdict::not_reproduced);
    EXPECT_EQ(verdict({{1.1, 1.2}, {0.98, 0.99}, {0.9, 1.1}}), Verdict::inconclusive);
    EXPECT_EQ(decide_ordering({pair("a", 1.001, 1.002)}, 0).verdict, Verdict::reproduced);
    const auto d = decide_ordering({pair("a", 1.1, 1.2), pair("b", 1.001, 1.002), pair("c", 0.8, 0.9),
                                    pair("d", 0.99, 1.01), pair("e", 0.9, 1.1), pair("f", 0.9, 1.01)},
                                   0.02);
    EXPECT_EQ(d.because,
              "above 1.02 in 1 of 6 pairs, above 1 by 2 % at most in 1 (b), equal within 2 % in 1 (d), below "
              "0.98 in 1 (c), not above 1.02 in 1 (f), not resolved in 1 (e)");
}

// Whichever version of fmt there is.
TEST(Ratios, HaveThreeDigits) {
    for (const auto& [value, words] : std::map<double, std::string>{{224, "224"},
                                                                    {223.96, "224"},
                                                                    {9.996, "10.0"},
                                                                    {99.96, "100"},
                                                                    {27.561, "27.6"},
                                                                    {0.9876, "0.988"},
                                                                    {0.1109, "0.111"},
                                                                    {0.00012345, "0.000123"},
                                                                    {0.000012345, "1.23e-05"},
                                                                    {2210, "2.21e+03"},
                                                                    {999.7, "1.00e+03"},
                                                                    {-4, "-4.00"}})
        EXPECT_EQ(three_digits(value), words);
}

TEST(Ratios, NearOneShowTheirSide) {
    EXPECT_EQ(ratio_words(1.0017, "{:.2f}"), "1.002");
    EXPECT_EQ(ratio_words(0.9961, "{:.2f}"), "0.996");
    EXPECT_EQ(ratio_words(1.0117, "{:.2f}"), "1.01");
    EXPECT_EQ(ratio_words(4), "4.00");
    EXPECT_EQ(ratio_words(0.9961), "0.996");
    EXPECT_EQ(decide_ordering({pair("a", 1.001, 1.003)}, 0.02).measured, "1.002");
    EXPECT_EQ(decide_ratio({1.004, {1.003, 1.005}}, 1.05, 0.1).measured, "1.004");
    EXPECT_EQ(decide_absolute({between(0.9987, 0.9988)}, 2, 0.1, "1").measured, "0.999");
    EXPECT_EQ(decide_absolute({between(1.0001, 1.0001), between(1.002, 1.01)}, 1, 0.02, "times").measured,
              "1.000 to 1.006 times");
}

TEST(Ordering, IsHeldToASizeBesides) {
    const auto held = [](std::vector<LabelledRatio> pairs) {
        return hold_to_size(decide_ordering(pairs, 0.02), pairs, 2).verdict;
    };
    EXPECT_EQ(held({pair("a", 2.1, 2.4), pair("b", 3.1, 3.4)}), Verdict::reproduced);
    EXPECT_EQ(held({pair("a", 2.0, 2.4)}), Verdict::inconclusive) << "it ends on the size";
    EXPECT_EQ(held({pair("a", 2.1, 2.4), pair("b", 1.9, 2.1)}), Verdict::inconclusive);
    EXPECT_EQ(held({pair("a", 1.2, 1.4)}), Verdict::trend_only);
    EXPECT_EQ(held({pair("a", 2.1, 2.4), pair("b", 1.2, 1.4), pair("c", 1.9, 2.1)}), Verdict::trend_only);
    EXPECT_EQ(held({pair("a", 0.9, 2.4)}), Verdict::inconclusive);
    EXPECT_EQ(held({pair("a", 0.8, 0.9)}), Verdict::not_reproduced);
    const std::vector<LabelledRatio> mixed{pair("a", 2.1, 2.4), pair("b", 1.2, 1.4), pair("c", 1.9, 2.1)};
    EXPECT_EQ(hold_to_size(decide_ordering(mixed, 0.02), mixed, 2).because,
              "above 1 in all pairs; above 2 in 1 of 3, below it in 1");
}

TEST(Ordering, TrendOnlyWhenMoreAgreeThanDisagree) {
    const auto d = decide_ordering({pair("a", 1.2, 1.4), pair("b", 1.2, 1.4), pair("c", 0.8, 0.9)}, 0.02);
    EXPECT_EQ(d.verdict, Verdict::trend_only);
    EXPECT_NE(d.because.find("(c)"), std::string::npos) << d.because;
}

TEST(Ordering, NotReproducedOtherwise) {
    EXPECT_EQ(decide_ordering({pair("a", 0.8, 0.9)}, 0.02).verdict, Verdict::not_reproduced);
    EXPECT_EQ(decide_ordering({pair("a", 1.2, 1.4), pair("b", 0.8, 0.9)}, 0.02).verdict,
              Verdict::not_reproduced);
    EXPECT_EQ(decide_ordering({pair("a", 0.7, 0.8), pair("b", 0.8, 0.9), pair("c", 0.9, 1.1)}, 0.02).verdict,
              Verdict::not_reproduced)
        << "whatever becomes of the open pair";
}

TEST(Ordering, InconclusiveWhereAnOpenPairWouldDecide) {
    EXPECT_EQ(decide_ordering({pair("a", 1.2, 1.4), pair("b", 0.8, 0.9), pair("c", 0.9, 1.1)}, 0.02).verdict,
              Verdict::inconclusive);
    EXPECT_EQ(decide_ordering({pair("a", 1.2, 1.4), pair("b", 1.2, 1.4), pair("c", 1.2, 1.4),
                               pair("d", 0.8, 0.9), pair("e", 0.9, 1.1)},
                              0.02)
                  .verdict,
              Verdict::trend_only)
        << "three of five agree already";
}

TEST(Ordering, OrEqualAgreesDownToTheTolerance) {
    const auto verdict = [](const std::vector<LabelledRatio>& pairs) {
        return decide_ordering(pairs, 0.02, true).verdict;
    };
    EXPECT_EQ(verdict({pair("a", 0.985, 1.01), pair("b", 1.2, 1.4)}), Verdict::reproduced);
    EXPECT_EQ(verdict({pair("a", 0.975, 1.01)}), Verdict::inconclusive);
    EXPECT_EQ(verdict({pair("a", 0.95, 0.97)}), Verdict::not_reproduced);
    EXPECT_EQ(verdict({pair("a", 0.95, 0.97), pair("b", 0.99, 1), pair("c", 0.99, 1)}), Verdict::trend_only);
    EXPECT_EQ(decide_ordering({pair("a", 0.99, 1)}, 0.02, true).because, "the interval lies above 0.98");
    EXPECT_EQ(decide_ordering({pair("a", 0.98, 0.99)}, 0.02).verdict, Verdict::not_reproduced);
}

// 1.5 to 2, give or take 10 %: 1.35 to 2.2.
TEST(Range, FollowsBandAndSideInEveryPair) {
    const auto verdict = [](const std::vector<Interval>& measured) {
        std::vector<LabelledRatio> pairs;
        for (const Interval& m : measured)
            pairs.push_back(pair("p", m.low, m.high));
        return decide_range(pairs, {1.5, 2}, 0.1).verdict;
    };
    EXPECT_EQ(verdict({{1.36, 1.4}, {2.1, 2.19}}), Verdict::reproduced);
    EXPECT_EQ(verdict({{1.36, 1.4}, {2.1, 2.21}}), Verdict::inconclusive) << "one crosses an end";
    EXPECT_EQ(verdict({{1.36, 1.4}, {2.3, 2.4}}), Verdict::trend_only);
    EXPECT_EQ(verdict({{1.1, 1.2}}), Verdict::trend_only);
    EXPECT_EQ(verdict({{1.1, 1.2}, {1.3, 1.4}}), Verdict::trend_only) << "whatever the second is";
    EXPECT_EQ(verdict({{0.9, 1.1}}), Verdict::inconclusive) << "on no side";
    EXPECT_EQ(verdict({{0.9, 1.4}, {1.6, 1.7}}), Verdict::inconclusive);
    EXPECT_EQ(verdict({{1.1, 1.2}, {0.9, 1.1}}), Verdict::inconclusive) << "the second might be a half";
    EXPECT_EQ(verdict({{1.1, 1.2}, {1.1, 1.2}, {0.9, 1.1}}), Verdict::trend_only);
    EXPECT_EQ(verdict({{0.5, 0.6}}), Verdict::not_reproduced);
    EXPECT_EQ(verdict({{0.5, 0.6}, {1.6, 1.7}}), Verdict::not_reproduced);
    EXPECT_EQ(verdict({{0.5, 0.6}, {1.6, 1.7}, {1.6, 1.7}}), Verdict::trend_only);
}

TEST(Range, MayLieBelowOne) {
    const auto verdict = [](double low, double high) {
        return decide_range({pair("p", low, high)}, {0.5, 0.6}, 0.1).verdict;
    };
    EXPECT_EQ(verdict(0.46, 0.65), Verdict::reproduced);
    EXPECT_EQ(verdict(0.7, 0.8), Verdict::trend_only);
    EXPECT_EQ(verdict(1.5, 1.6), Verdict::not_reproduced);
    const Decision d = decide_range({pair("a", 0.5, 0.52), pair("b", 0.7, 0.8)}, {0.5, 0.6}, 0.1);
    EXPECT_EQ(d.measured, "0.51 to 0.75 over 2 pairs");
    EXPECT_EQ(*d.interval, (Interval{0.5, 0.8}));
    EXPECT_EQ(
        d.because,
        "1 of 2 intervals lie between 0.5 and 0.6, give or take 10 %; 1 outside on that side of 1, 0 on the "
        "other; the farthest 1.25 times the published ratio");
}

// The range of a table is not what it has of each of its pairs.
TEST(Range, HoldsAPairToItsOwnPublishedRatio) {
    const auto decided = [](double first, double second) {
        LabelledRatio a = pair("a", 1.49, 1.51), b = pair("b", 1.99, 2.01);
        a.published = first;
        b.published = second;
        return decide_range({a, b}, {1.5, 2}, 0.02);
    };
    EXPECT_EQ(decided(1.5, 2).verdict, Verdict::reproduced);
    const Decision d = decided(2, 1.6);
    EXPECT_EQ(d.verdict, Verdict::trend_only) << "each within the range, and not at its own";
    EXPECT_EQ(
        d.because,
        "0 of 2 intervals lie at the ratio that is published for their pair, give or take 2 %; 2 outside on "
        "that side of 1, 0 on the other; the farthest 0.750 of the published ratio");
}

// Its ends count as the side that they are on, however wide the tolerance is.
TEST(Range, EndsAtOne) {
    const auto verdict = [](double low, double high) {
        return decide_range({pair("p", low, high)}, {1.05, 1.2}, 0.1).verdict;
    };
    EXPECT_EQ(verdict(0.96, 0.98), Verdict::not_reproduced);
    EXPECT_EQ(verdict(0.96, 1.05), Verdict::inconclusive);
    EXPECT_EQ(verdict(1.01, 1.05), Verdict::reproduced);
}

TEST(Absolute, CountsTheIntervalsInTheBandAndOutside) {
    // 70 give or take 10 %: 63 to 77.
    const auto verdict = [](const std::vector<Interval>& measured) {
        std::vector<LabelledInterval> rows;
        for (const Interval& m : measured)
            rows.push_back(between(m.low, m.high));
        return decide_absolute(rows, 70, 0.1, "%").verdict;
    };
    EXPECT_EQ(verdict({{64, 65}, {63, 77}}), Verdict::reproduced);
    for (const Interval& crossing : {Interval{60, 63.1}, Interval{76.9, 80}, Interval{50, 90}}) {
        EXPECT_EQ(verdict({crossing}), Verdict::inconclusive);
        EXPECT_EQ(verdict({{64, 65}, crossing}), Verdict::inconclusive);
        EXPECT_EQ(verdict({{60, 62}, crossing}), Verdict::not_reproduced) << "at most one of two";
        EXPECT_EQ(verdict({{64, 65}, {60, 62}, crossing}), Verdict::inconclusive) << "it would decide";
    }
    EXPECT_EQ(verdict({{64, 65}, {64, 65}, {60, 62.9}}), Verdict::trend_only);
    EXPECT_EQ(verdict({{64, 65}, {60, 62.9}}), Verdict::not_reproduced) << "one of two";
    EXPECT_EQ(verdict({{77.1, 80}, {60, 62.9}}), Verdict::not_reproduced);
    const auto d = decide_absolute({between(64, 65), between(60, 62.9, 62)}, 70, 0.1, "%");
    EXPECT_EQ(d.measured, "62 to 64.5 %") << "values, as of pairs; the interval stands by itself";
    EXPECT_EQ(decide_absolute({between(1.9, 2.05)}, 2, 0.1, "1").because,
              "1 of 1 intervals lie within 10 % of 2, 0 outside");
    EXPECT_EQ(d.because, "1 of 2 intervals lie within 10 % of 70 %, 1 outside");
    EXPECT_EQ(*d.interval, (Interval{60, 65}));
}

TEST(RatioClaim, FollowsBandAndSide) {
    const auto verdict = [](double low, double high, double published) {
        return decide_ratio({(low + high) / 2, {low, high}}, published, 0.1).verdict;
    };
    EXPECT_EQ(verdict(1.85, 2.0, 2), Verdict::reproduced);
    EXPECT_EQ(verdict(1.8, 2.2, 2), Verdict::reproduced) << "the whole band";
    EXPECT_EQ(verdict(1.79, 2.1, 2), Verdict::inconclusive) << "its middle lies in the band";
    EXPECT_EQ(verdict(1.9, 2.21, 2), Verdict::inconclusive) << "its middle lies in the band";
    EXPECT_EQ(verdict(1.5, 1.81, 2), Verdict::inconclusive) << "its middle lies outside";
    EXPECT_EQ(verdict(0.9, 1.9, 2), Verdict::inconclusive);
    EXPECT_EQ(verdict(1.2, 1.5, 2), Verdict::trend_only);
    EXPECT_EQ(verdict(3, 4, 2), Verdict::trend_only);
    EXPECT_EQ(verdict(0.9, 1.1, 2), Verdict::inconclusive);
    EXPECT_EQ(verdict(0.5, 0.6, 2), Verdict::not_reproduced);
    EXPECT_EQ(verdict(0.2, 0.3, 0.5), Verdict::trend_only);
    EXPECT_EQ(verdict(2, 3, 0.5), Verdict::not_reproduced);
    EXPECT_EQ(verdict(0.45, 0.55, 0.5), Verdict::reproduced);
    EXPECT_EQ(verdict(0.45, 0.56, 0.5), Verdict::inconclusive);
}

// 1.05 give or take 10 % reaches down to 0.945.
TEST(RatioClaim, TheBandEndsAtOne) {
    const auto verdict = [](double low, double high, double published) {
        return decide_ratio({(low + high) / 2, {low, high}}, published, 0.1).verdict;
    };
    EXPECT_EQ(verdict(0.97, 0.99, 1.05), Verdict::not_reproduced);
    EXPECT_EQ(verdict(0.99, 1.01, 1.05), Verdict::inconclusive);
    EXPECT_EQ(verdict(1.01, 1.1, 1.05), Verdict::reproduced);
    EXPECT_EQ(verdict(1.01, 1.03, 0.95), Verdict::not_reproduced);
    EXPECT_EQ(verdict(0.9, 0.99, 0.95), Verdict::reproduced);
}

TEST(RatioClaim, SaysByWhichFactorItMissesTheNumber) {
    const auto because = [](double value, double published) {
        return decide_ratio({value, {value * 0.99, value * 1.01}}, published, 0.1).because;
    };
    EXPECT_EQ(because(8, 2), "faster as claimed, 4.00 times the published ratio");
    EXPECT_EQ(because(2, 8), "faster as claimed, 0.250 of the published ratio");
    EXPECT_EQ(because(0.1, 0.5), "faster as claimed, 0.200 of the published ratio");
}

TEST(Range, SaysHowFarTheFarthestMisses) {
    const auto pair = [](double value) { return LabelledRatio{"p", {value, {value * 0.99, value * 1.01}}}; };
    const Decision d = decide_range({pair(1.2), pair(3), pair(12), pair(0.5)}, {2, 4}, 0.05);
    EXPECT_EQ(d.verdict, Verdict::trend_only);
    EXPECT_EQ(d.because,
              "1 of 4 intervals lie between 2 and 4, give or take 5 %; 2 outside on that side of 1, 1 on the "
              "other; the farthest 3.00 times the published ratio");
}

TEST(RatioClaim, OfOneHasNoSide) {
    const auto verdict = [](double low, double high) {
        return decide_ratio({(low + high) / 2, {low, high}}, 1, 0.1).verdict;
    };
    EXPECT_EQ(verdict(0.95, 1.05), Verdict::reproduced);
    EXPECT_EQ(verdict(0.95, 1.2), Verdict::inconclusive);
    EXPECT_EQ(verdict(1.2, 1.3), Verdict::not_reproduced);
    EXPECT_EQ(verdict(0.7, 0.8), Verdict::not_reproduced);
}

TEST(RatioClaim, KeepsValueAndInterval) {
    const auto d = decide_ratio({1.9, {1.85, 2.0}}, 2, 0.1);
    EXPECT_EQ(d.value, 1.9);
    EXPECT_EQ(*d.interval, (Interval{1.85, 2.0}));
    EXPECT_EQ(d.measured, "1.90");
}

const std::vector<LabelledInterval> candidates{
    {"a", {9.9, 10.1}, 10}, {"b", {10.05, 10.4}, 10.15}, {"c", {10.05, 11}, 10.5}, {"d", {12, 13}, 12.5}};

TEST(Optimum, ReproducedByTheLeastByMoreThanTheTolerance) {
    const auto d = decide_optimum({candidates[0], candidates[3]}, "a", 0.02, "us");
    EXPECT_EQ(d.verdict, Verdict::reproduced);
    EXPECT_EQ(d.because, "the least by more than 2 %");
    EXPECT_EQ(d.measured, "a with 10 us");
    EXPECT_EQ(d.value, 10);
    EXPECT_EQ(*d.interval, (Interval{9.9, 10.1}));
}

// Neither the least of several that intervals cannot tell apart, nor one that is beaten by less than the
// tolerance, is shown to be the fastest.
TEST(Optimum, InconclusiveByATie) {
    const auto d = decide_optimum(candidates, "a", 0.02, "us");
    EXPECT_EQ(d.verdict, Verdict::inconclusive);
    EXPECT_EQ(d.because, "not told apart by more than 2 %: b, c");
    EXPECT_EQ(decide_optimum(candidates, "c", 0.02, "us").verdict, Verdict::inconclusive);
    const std::vector<LabelledInterval> apart{{"a", {9.95, 9.98}, 9.96}, {"b", {10, 10.02}, 10.01}};
    for (const char* expected : {"a", "b"}) {
        EXPECT_EQ(decide_optimum(apart, expected, 0.02, "us").verdict, Verdict::inconclusive) << expected;
    }
    EXPECT_EQ(decide_optimum(apart, "a", 0, "us").verdict, Verdict::reproduced);
    EXPECT_EQ(decide_optimum(apart, "b", 0, "us").verdict, Verdict::not_reproduced);
}

TEST(Optimum, NotReproducedByAnythingSlower) {
    const auto d = decide_optimum(candidates, "d", 0.02, "us");
    EXPECT_EQ(d.verdict, Verdict::not_reproduced);
    EXPECT_EQ(d.because, "d takes 1.25 times as long as a");
    EXPECT_EQ(d.measured, "a with 10 us; d has 12.5");
}

TEST(Optimum, MayBeTheMost) {
    EXPECT_EQ(decide_optimum(candidates, "d", 0.02, "us", true).verdict, Verdict::reproduced);
    EXPECT_EQ(decide_optimum(candidates, "d", 0.02, "us", true).because, "the most by more than 2 %");
    const auto d = decide_optimum(candidates, "a", 0.02, "us", true);
    EXPECT_EQ(d.verdict, Verdict::not_reproduced);
    EXPECT_EQ(d.because, "d takes 1.25 times as long as a");
    EXPECT_EQ(decide_optimum({candidates[0], candidates[1]}, "b", 0.02, "us", true).verdict,
              Verdict::inconclusive);
}

TEST(Optimum, NotRunWhereTheExpectedWasNotMeasured) {
    const auto d = decide_optimum(candidates, "e", 0.02, "us");
    EXPECT_EQ(d.verdict, Verdict::not_run);
    EXPECT_EQ(d.because, "e was not measured");
}

}  // namespace
}  // namespace gridmark::harness
