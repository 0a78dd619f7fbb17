// `decide`: which rows a claim takes, and when it is not decided at all.

#include <gtest/gtest.h>

#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {

namespace {

using nlohmann::json;
using tests::skipped;
using tests::time_of;

const json ordering = tests::shared_is_slower({{"nx", 512}});

json ratio_claim(double value) {
    json claim = ordering;
    claim["kind"] = "ratio";
    claim["id"] = "R1";
    claim["published"] = {{"value", value}};
    claim["tolerance"] = 0.1;
    return claim;
}

const json optimum{{"kind", "optimum"},
                   {"optimum",
                    {{"select", {{"quantity", "time"}}},
                     {"among", {{{"variant", "shared"}}, {{"variant", "plain"}}}},
                     {"by", {"variant", "tile"}},
                     {"expect", {{"variant", "plain"}, {"tile", "32x8"}}}}},
                   {"tolerance", 0.02}};

const json absolute{{"kind", "absolute"},
                    {"of", {{"select", {{"quantity", "l1_hit_rate"}}}}},
                    {"published", {{"value", 70.0}}},
                    {"tolerance", 0.1}};

TEST(PairsClaim, PairsRowsByTheirLabels) {
    // Taken across the tiles, 20 / 25 would be below 1.
    const json rows{time_of("shared", "32x8", 20), time_of("plain", "32x4", 25), time_of("plain", "32x8", 15),
                    time_of("shared", "32x4", 30), time_of("rows", "32x4", 90)};
    const Decision d = decide(ordering, rows);
    EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
    EXPECT_NE(d.measured.find("over 2 pairs"), std::string::npos) << d.measured;
    EXPECT_FALSE(d.estimate);
}

TEST(PairsClaim, TakesOnlySelectedRows) {
    json other = time_of("shared", "32x4", 1);
    other["parameters"]["nx"] = 16384;
    json rate = time_of("shared", "32x4", 1, {{"quantity", "l1_hit_rate"}});
    const json rows{time_of("shared", "32x8", 20), time_of("plain", "32x8", 15), other, rate};
    const Decision d = decide(ordering, rows);
    EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
    EXPECT_EQ(d.measured.find("pairs"), std::string::npos) << d.measured;
}

TEST(PairsClaim, NamesThePairsThatDisagree) {
    const json rows{time_of("shared", "32x8", 20), time_of("plain", "32x8", 15),
                    time_of("shared", "32x4", 20), time_of("plain", "32x4", 30),
                    time_of("shared", "32x2", 20), time_of("plain", "32x2", 10)};
    const Decision d = decide(ordering, rows);
    EXPECT_EQ(d.verdict, Verdict::trend_only);
    EXPECT_NE(d.because.find("(32x4)"), std::string::npos) << d.because;
}

TEST(PairsClaim, IsNotRunWithTheReasonOfASkippedRow) {
    for (const json& rows : {json{skipped("shared", "32x8"), skipped("plain", "32x8")},
                             json{time_of("shared", "32x8", 20), skipped("plain", "32x8")},
                             json{skipped("shared", "32x8"), time_of("plain", "32x8", 20)},
                             json{time_of("shared", "32x4", 20), time_of("plain", "32x4", 10),
                                  time_of("shared", "32x8", 20), skipped("plain", "32x8")}}) {
        const Decision d = decide(ordering, rows);
        EXPECT_EQ(d.verdict, Verdict::not_run);
        EXPECT_EQ(d.because, "no GPU is visible");
    }
}

// A claim about every configuration is not decided by some of them.
TEST(PairsClaim, IsNotRunByWhatNothingVerified) {
    json unguarded = time_of("shared", "32x8", 20);
    unguarded["verification"] = {{"against", "x"}, {"error", 0}, {"tolerance", 2e9}, {"steps", 21}};
    const json rows{unguarded, time_of("plain", "32x8", 15)};
    const Decision d = decide(ordering, rows);
    EXPECT_EQ(d.verdict, Verdict::not_run);
    EXPECT_NE(d.because.find("was verified by nothing: its tolerance is 2e+09"), std::string::npos)
        << d.because;
}

// It might as well be the fastest without what disturbed it.
TEST(AnyClaim, IsNotRunByDisturbedRowsUnlessTheyAreAllowed) {
    json rows{time_of("shared", "32x8", 20), time_of("plain", "32x8", 15)};
    json best = ordering;
    best["pairs"]["best"] = true;
    for (const bool allowed : {false, true}) {
        rows[1]["disturbed"] = {{"by", {"others took 40 % of the CPU time"}}, {"allowed", allowed}};
        for (const json& claim : {ordering, best}) {
            const Decision d = decide(claim, rows);
            EXPECT_EQ(d.verdict, allowed ? Verdict::reproduced : Verdict::not_run);
            EXPECT_EQ(d.because.find("others took 40 %") == std::string::npos, allowed) << d.because;
        }
    }
}

TEST(PairsClaim, IsNotRunWhenOneSideOfAPairIsMissing) {
    const json whole{time_of("shared", "32x8", 20), time_of("plain", "32x8", 15)};
    for (const char* variant : {"shared", "plain"}) {
        json rows = whole;
        rows.push_back(time_of(variant, "32x4", 20));
        const Decision d = decide(ordering, rows);
        EXPECT_EQ(d.verdict, Verdict::not_run) << variant;
        EXPECT_NE(d.because.find("32x4"), std::string::npos) << d.because;
    }
}

TEST(PairsClaim, IsNotRunWithoutRows) {
    const Decision d = decide(ordering, json::array());
    EXPECT_EQ(d.verdict, Verdict::not_run);
    EXPECT_FALSE(d.because.empty());
}

TEST(PairsClaim, SaysThatItRestsOnEstimates) {
    json rows{time_of("shared", "32x8", 20),
              time_of("plain", "32x8", 15, {{"status", "estimate"}, {"reason", "quick"}})};
    EXPECT_TRUE(decide(ordering, rows).estimate);
    EXPECT_EQ(decide(ordering, rows).verdict, Verdict::reproduced);
}

TEST(RatioClaims, CompareWithThePublishedFactor) {
    const json rows{time_of("shared", "32x8", 30), time_of("plain", "32x8", 15)};
    EXPECT_EQ(decide(ratio_claim(2.1), rows).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(ratio_claim(8.3), rows).verdict, Verdict::trend_only);
    EXPECT_EQ(decide(ratio_claim(0.5), rows).verdict, Verdict::not_reproduced);
    EXPECT_EQ(*decide(ratio_claim(2.1), rows).value, 2);
}

TEST(RatioClaims, AreNotDecidedByOneOfSeveralPairs) {
    const json rows{time_of("shared", "32x8", 30), time_of("plain", "32x8", 15),
                    time_of("shared", "32x4", 30), time_of("plain", "32x4", 15)};
    const Decision d = decide(ratio_claim(2), rows);
    EXPECT_EQ(d.verdict, Verdict::not_run);
    EXPECT_EQ(d.because, "claim R1 compares one pair of rows, and its selectors find 2");
}

TEST(OptimumClaim, FindsTheLeastOfAllChoices) {
    json rows{time_of("shared", "32x8", 20), time_of("plain", "32x8", 15), time_of("plain", "32x4", 18)};
    EXPECT_EQ(decide(optimum, rows).verdict, Verdict::reproduced);
    rows.push_back(time_of("rows", "32x8", 1));  // not among the choices
    EXPECT_EQ(decide(optimum, rows).verdict, Verdict::reproduced);
    rows.push_back(time_of("shared", "32x4", 10));
    const Decision d = decide(optimum, rows);
    EXPECT_EQ(d.verdict, Verdict::not_reproduced);
    EXPECT_NE(d.measured.find("shared / 32x4"), std::string::npos) << d.measured;
}

TEST(OptimumClaim, MayExpectANumber) {
    json claim = optimum;
    claim["optimum"]["by"] = {"threads"};
    claim["optimum"]["expect"] = {{"threads", 8}};
    json one = time_of("plain", "32x8", 20), eight = time_of("plain", "32x8", 15);
    one["parameters"]["threads"] = 1;
    eight["parameters"]["threads"] = 8;
    const Decision d = decide(claim, json{one, eight});
    EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
    EXPECT_EQ(d.measured.substr(0, 7), "8 with ");
}

TEST(OptimumClaim, IsNotRunWhenAChoiceHasNoNumber) {
    const json rows{time_of("plain", "32x8", 15), skipped("shared", "32x8")};
    const Decision d = decide(optimum, rows);
    EXPECT_EQ(d.verdict, Verdict::not_run);
    EXPECT_EQ(d.because, "no GPU is visible");
    EXPECT_EQ(decide(optimum, json::array()).verdict, Verdict::not_run);
    EXPECT_FALSE(decide(optimum, json::array()).because.empty());
}

// What was left out might have been the best.
TEST(OptimumClaim, IsNotRunByFewerCandidatesThanItNames) {
    json claim = optimum;
    claim["optimum"]["candidates"] = 3;
    json rows{time_of("shared", "32x8", 20), time_of("plain", "32x8", 15), time_of("rows", "32x8", 1)};
    EXPECT_EQ(decide(claim, rows).verdict, Verdict::not_run);
    EXPECT_EQ(decide(claim, rows).because, "2 of 3 candidates were measured");
    rows.push_back(time_of("plain", "32x4", 18));
    EXPECT_EQ(decide(claim, rows).verdict, Verdict::reproduced);
}

TEST(OptimumClaim, SaysThatItRestsOnEstimates) {
    const json rows{time_of("plain", "32x8", 15, {{"status", "estimate"}, {"reason", "quick"}}),
                    time_of("plain", "32x4", 18)};
    EXPECT_TRUE(decide(optimum, rows).estimate);
    EXPECT_FALSE(decide(optimum, json::array({time_of("plain", "32x8", 15)})).estimate);
}

/// A row with a median alone, as a derived one is.
json bare(const std::string& variant, const std::string& tile, double median,
          const json& more = json::object()) {
    return tests::published_row(variant + "/" + tile, median, tests::changes(variant, tile, more));
}

// A derived value stands for itself: where the others' intervals decide, it decides as a point.
TEST(ClaimsAboutValuesWithoutSamples, TakeTheBareValue) {
    const json rows{bare("shared", "32x8", 30), bare("plain", "32x8", 15)};
    const Decision above = decide(ordering, rows);
    EXPECT_EQ(above.verdict, Verdict::reproduced) << above.because;
    EXPECT_EQ(*above.interval, (Interval{2, 2}));
    EXPECT_FALSE(above.estimate);
    EXPECT_EQ(decide(ordering, json{bare("shared", "32x8", 14), bare("plain", "32x8", 15)}).verdict,
              Verdict::not_reproduced);
    EXPECT_EQ(decide(ratio_claim(2.1), rows).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(ratio_claim(8.3), rows).verdict, Verdict::trend_only);
    EXPECT_EQ(decide(optimum, rows).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(optimum, json{bare("shared", "32x8", 14), bare("plain", "32x8", 15)}).verdict,
              Verdict::not_reproduced);
    const json rate{{"quantity", "l1_hit_rate"}, {"unit", "%"}};
    EXPECT_EQ(decide(absolute, json::array({bare("plain", "32x8", 70, rate)})).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(absolute, json::array({bare("plain", "32x8", 30, rate)})).verdict,
              Verdict::not_reproduced);
}

TEST(ClaimsAboutValuesWithoutSamples, MayMeetMeasuredOnes) {
    const json rows{bare("shared", "32x8", 30), time_of("plain", "32x8", 15)};
    EXPECT_EQ(decide(ordering, rows).verdict, Verdict::reproduced);
    const json estimate = bare("shared", "32x8", 30, {{"status", "estimate"}, {"reason", "preset quick"}});
    EXPECT_TRUE(decide(ordering, json{estimate, time_of("plain", "32x8", 15)}).estimate);
}

TEST(AbsoluteClaim, TakesEverySelectedRow) {
    const json unit{{"quantity", "l1_hit_rate"}, {"unit", "%"}};
    json rows{time_of("plain", "32x8", 70), time_of("plain", "32x4", 72, unit)};
    EXPECT_EQ(decide(absolute, rows).verdict, Verdict::reproduced);
    rows.push_back(time_of("plain", "32x1", 71, unit));
    rows.push_back(time_of("plain", "32x2", 30, unit));
    EXPECT_EQ(decide(absolute, rows).verdict, Verdict::trend_only);
    EXPECT_NE(decide(absolute, rows).measured.find("%"), std::string::npos);
}

TEST(AbsoluteClaim, IsNotRunWithTheReasonOfASkippedRow) {
    json row = skipped("plain", "32x8");
    row["quantity"] = "l1_hit_rate";
    row["reason"] = "no profiler (ncu) on the PATH";
    const Decision d = decide(absolute, json::array({row}));
    EXPECT_EQ(d.verdict, Verdict::not_run);
    EXPECT_EQ(d.because, "no profiler (ncu) on the PATH");
    EXPECT_EQ(decide(absolute, json::array()).verdict, Verdict::not_run);
}

/// A rate that is counted in two ways.
json two_ways() {
    json claim = absolute;
    claim["of"]["select"] = {{"variant", "plain"}};
    claim["of"]["ways"] = {{{"quantity", "l1_hit_rate"}}, {{"quantity", "l1_line_hit_rate"}}};
    return claim;
}
json rate(const std::string& quantity, double value) {
    return time_of("plain", quantity, value, {{"quantity", quantity}, {"unit", "%"}});
}

TEST(AbsoluteClaim, IsDecidedByEveryWayToCount) {
    const auto decided = [](double sectors, double lines) {
        return decide(two_ways(), json{rate("l1_hit_rate", sectors), rate("l1_line_hit_rate", lines)});
    };
    EXPECT_EQ(decided(70, 71).verdict, Verdict::reproduced);
    EXPECT_EQ(decided(40, 50).verdict, Verdict::not_reproduced);
    EXPECT_NE(decided(40, 50).measured.find("(l1_line_hit_rate)"), std::string::npos);
    EXPECT_LT(decided(40, 50).interval->low, 41);
    EXPECT_GT(decided(40, 50).interval->high, 49);
    for (const Decision& d : {decided(40, 70), decided(70, 40)}) {
        EXPECT_EQ(d.verdict, Verdict::inconclusive);
        EXPECT_TRUE(d.because.starts_with("the ways to count disagree: l1_hit_rate ")) << d.because;
    }
}

TEST(AbsoluteClaim, IsNotRunWhereOneOfItsWaysCannotCount) {
    json lines = skipped("plain", "lines");
    lines["quantity"] = "l1_line_hit_rate";
    lines["reason"] = "ncu gave no values of it";
    const Decision d = decide(two_ways(), json{rate("l1_hit_rate", 70), lines});
    EXPECT_EQ(d.verdict, Verdict::not_run);
    EXPECT_EQ(d.because, "ncu gave no values of it");
    EXPECT_EQ(decide(two_ways(), json::array({rate("l1_hit_rate", 70)})).verdict, Verdict::reproduced)
        << "a paper's one number";
    EXPECT_EQ(decide(two_ways(), json::array()).verdict, Verdict::not_run);
}

TEST(RangeClaim, TakesItsPublishedEnds) {
    json claim = ordering;
    claim["kind"] = "range";
    claim["published"] = {{"low", 1.5}, {"high", 2.5}};
    EXPECT_EQ(decide(claim, json{time_of("shared", "32x8", 20), time_of("plain", "32x8", 10)}).verdict,
              Verdict::reproduced);
    EXPECT_EQ(decide(claim, json{time_of("shared", "32x8", 30), time_of("plain", "32x8", 10)}).verdict,
              Verdict::trend_only);
}

TEST(OrderingClaim, MayAllowEqualTimes) {
    json claim = ordering;
    claim["tolerance"] = 0.1;
    const json rows{time_of("shared", "32x8", 10), time_of("plain", "32x8", 10)};
    EXPECT_EQ(decide(claim, rows).verdict, Verdict::inconclusive);
    claim["or_equal"] = true;
    EXPECT_EQ(decide(claim, rows).verdict, Verdict::reproduced);
}

TEST(AbsoluteClaim, SaysThatItRestsOnEstimates) {
    const json rows = json::array({time_of(
        "plain", "32x8", 70, {{"quantity", "l1_hit_rate"}, {"status", "estimate"}, {"reason", "quick"}})});
    EXPECT_TRUE(decide(absolute, rows).estimate);
}

// Of what was measured and disagrees with itself nothing is missing.
TEST(PairsClaim, OfAnUnstableRowIsInconclusiveAndNotNotRun) {
    const json unstable =
        time_of("shared", "32x8", 20, {{"samples", {50, 20, 20}}, {"process_samples", {1, 1, 1}}});
    const auto beside = [&](const std::vector<double>& samples) {
        const std::vector<int> each(samples.size(), 1);
        return json{unstable,
                    time_of("plain", "32x8", 10, {{"samples", samples}, {"process_samples", each}})};
    };
    const json rows = beside({10, 10, 8});
    const Decision d = decide(ordering, rows);
    EXPECT_EQ(d.verdict, Verdict::inconclusive);
    EXPECT_EQ(d.measured, "2.00 to 5.00 by process") << "50 / 10, 20 / 10, 20 / 8";
    EXPECT_FALSE(d.interval) << "no verdict rests on it";
    EXPECT_EQ(decide(ordering, beside({10, 8})).measured, "2.00 to 6.25 by process") << "any beside any";
    EXPECT_NE(d.because.find("was unstable: "), std::string::npos) << d.because;
    json disturbed = rows;
    disturbed[0]["disturbed"] = {{"by", {"another"}}, {"allowed", false}};
    EXPECT_EQ(decide(ordering, disturbed).verdict, Verdict::not_run);
    disturbed[0]["disturbed"]["allowed"] = true;
    EXPECT_EQ(decide(ordering, disturbed).verdict, Verdict::inconclusive);
}

TEST(IntervalsThatMissByChance, AreOneInTenAndExactNumbersDoNotCount) {
    std::vector<json> claims(60, json{{"interval", nullptr}});
    for (std::size_t k = 0; k < 40; ++k)
        claims[k]["interval"] = {1.0, k < 20 ? 1.0 : 2.0};
    EXPECT_EQ(chance_words(claims), "of 20 intervals of 90 %, about 2 miss by chance");
    claims.resize(24);  // 4 intervals
    EXPECT_EQ(chance_words(claims), "");
}

TEST(DecidedClaim, SaysItsReading) {
    const json study{{"errata", json::array()}};
    json claim = ordering;
    claim["id"] = "T1";
    claim["published"] = {{"text", "two"}};
    EXPECT_EQ(decided_claim("toy", study, claim, {})["reading"], "");
    claim["reading"] = "best for best";
    EXPECT_EQ(decided_claim("toy", study, claim, {})["reading"], "best for best");
}

}  // namespace
}  // namespace gridmark::harness
