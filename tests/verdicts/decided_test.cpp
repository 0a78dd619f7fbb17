// A decided claim as it is printed, counted and put in words; what claims of several ways or per operation
// make.

#include <gtest/gtest.h>

#include "harness/verdicts/pairs.hpp"
#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::time_of;

json claim_of_kind(const std::string& kind) {
    return {{"id", "T1"},
            {"kind", kind},
            {"statement", "a is slower than b"},
            {"place", "page 3"},
            {"pairs",
             {{"numerator", {{"variant", "a"}}},
              {"denominator", {{"variant", "b"}}},
              {"by", {"tile"}},
              {"select", {{"quantity", "time"}}}}},
            {"published", {{"text", "twice"}, {"value", 2}}},
            {"tolerance", 0.1}};
}

const json no_errata{{"errata", json::array()}};

TEST(PrintedClaim, HoldsItsDecision) {
    json rows{time_of("a", "8", 20, {{"status", "estimate"}, {"reason", "quick"}}), time_of("b", "8", 10)};
    rows[0]["limit"] = {{"ceiling", "gpu_l2_bandwidth"}, {"value", 10}, {"unit", "us"}, {"share", 0.5}};
    json claim = claim_of_kind("ratio");
    claim["holds_anywhere"] = true;
    const json study{{"errata",
                      {{{"claims", {"T0", "T1"}}, {"text", "first"}},
                       {{"claims", {"T2"}}, {"text", "of another"}},
                       {{"claims", {"T1"}}, {"text", "second"}}}}};
    const json printed = decided_claim("toy", study, claim, rows);
    const Decision d = decide(claim, rows);
    EXPECT_EQ(printed["experiment"], "toy");
    EXPECT_EQ(printed["published"], "twice");
    EXPECT_EQ(printed["verdict"], "REPRODUCED");
    EXPECT_EQ(printed["value"], *d.value);
    EXPECT_NEAR(printed["value"].get<double>(), 2, 1e-9);
    EXPECT_EQ(printed["interval"], (json{d.interval->low, d.interval->high}));
    EXPECT_LT(d.interval->low, d.interval->high);
    EXPECT_EQ(printed["limits"], "a 50 % of gpu_l2_bandwidth");
    EXPECT_EQ(printed["estimate"], true);
    EXPECT_EQ(printed["holds_anywhere"], true);
    EXPECT_EQ(printed["errata"], (json{"first", "second"}));
    EXPECT_EQ(printed["statement"], "a is slower than b");
    EXPECT_EQ(printed["place"], "page 3");
    EXPECT_EQ(printed["why"], "");
    EXPECT_EQ(printed["because"].get<std::string>(), d.because);
    EXPECT_EQ(measured_words(printed).find("2.00, interval 1."), 0U) << measured_words(printed);
}

TEST(PrintedClaim, OfNothingMeasuredHoldsNulls) {
    const json printed = decided_claim("toy", no_errata, claim_of_kind("ratio"), {});
    EXPECT_EQ(printed["verdict"], "NOT RUN");
    EXPECT_TRUE(printed["value"].is_null());
    EXPECT_TRUE(printed["interval"].is_null());
    EXPECT_EQ(printed["estimate"], false);
    EXPECT_EQ(printed["holds_anywhere"], false);
    EXPECT_EQ(printed["errata"], json::array());
    EXPECT_EQ(measured_words(printed), "nothing");
}

TEST(MeasuredWords, SayTheIntervalUnlessTheNumberIsExact) {
    const auto words = [](const char* kind, const json& interval) {
        return measured_words({{"measured", "3.1"}, {"kind", kind}, {"interval", interval}});
    };
    EXPECT_EQ(words("ratio", {0.99951, 2.987}), "3.1, interval 1.000 to 2.99");
    EXPECT_EQ(words("ratio", {12.34, 123.4}), "3.1, interval 12.3 to 123");
    EXPECT_EQ(words("absolute", {2.987, 3.21}), "3.1, interval 2.99 to 3.21");
    EXPECT_EQ(words("absolute", {3.1, 3.1}), "3.1") << "an exact number";
    EXPECT_EQ(words("ratio", nullptr), "3.1");
}

// --- counted

json counted_claim(const std::string& id, Verdict verdict, const json& more = json::object()) {
    json claim{{"id", id},
               {"experiment", "toy"},
               {"verdict", to_string(verdict)},
               {"holds_anywhere", false},
               {"counts_with", ""}};
    claim.update(more);
    return claim;
}

TEST(Tally, CountsEveryVerdictInTheirOrderAndLeavesOutNone) {
    EXPECT_EQ(tally_words({}), "");
    const json anywhere{{"holds_anywhere", true}};
    const std::vector<json> claims{counted_claim("1", Verdict::not_run),
                                   counted_claim("2", Verdict::inconclusive),
                                   counted_claim("3", Verdict::not_reproduced),
                                   counted_claim("4", Verdict::trend_only),
                                   counted_claim("5", Verdict::reproduced),
                                   counted_claim("6", Verdict::reproduced),
                                   counted_claim("7", Verdict::reproduced, anywhere),
                                   counted_claim("8", Verdict::not_reproduced, anywhere)};
    EXPECT_EQ(tally_words(claims),
              "2 REPRODUCED, 1 TREND ONLY, 1 NOT REPRODUCED, 1 INCONCLUSIVE, 1 NOT RUN; on any machine 1 "
              "REPRODUCED, 1 NOT REPRODUCED");
    EXPECT_EQ(tally_words({claims[6]}), "on any machine 1 REPRODUCED");
    EXPECT_EQ(tally_words({claims[0]}), "1 NOT RUN");
}

TEST(Tally, CountsWhatSaysTheSameOnce) {
    const json with{{"counts_with", "1"}};
    const json first = counted_claim("1", Verdict::reproduced),
               same = counted_claim("2", Verdict::reproduced, with);
    EXPECT_EQ(tally_words({first, same}), "1 REPRODUCED");
    EXPECT_EQ(tally_words({same}), "1 REPRODUCED") << "the other is not among them";
    EXPECT_EQ(tally_words({first, counted_claim("2", Verdict::inconclusive, with)}),
              "1 REPRODUCED, 1 INCONCLUSIVE")
        << "it does not say the same";
    json other = same;
    other["experiment"] = "another";
    EXPECT_EQ(tally_words({first, other}), "2 REPRODUCED") << "the first claim of another study";
}

TEST(Chance, IsSpokenOfFromOneHalfOn) {
    const auto words = [](std::size_t intervals) {
        return chance_words(std::vector<json>(intervals, json{{"interval", {1, 2}}}));
    };
    EXPECT_EQ(words(4), "");
    EXPECT_EQ(words(6), "of 6 intervals of 90 %, about 1 miss by chance");
    EXPECT_EQ(words(9), "of 9 intervals of 90 %, about 1 miss by chance");
    EXPECT_EQ(words(56), "of 56 intervals of 90 %, about 6 miss by chance");
}

// --- what a claim declares

TEST(DeclaredSize, IsHeldBesidesTheOrdering) {
    json claim = claim_of_kind("ordering");
    const auto verdict = [&](double us) {
        return decide(claim, json{time_of("a", "8", us), time_of("b", "8", 10)}).verdict;
    };
    EXPECT_EQ(verdict(15), Verdict::reproduced);
    claim["pairs"]["at_least"] = 2;
    EXPECT_EQ(verdict(15), Verdict::trend_only);
    EXPECT_EQ(verdict(25), Verdict::reproduced);
}

TEST(DeclaredThreads, MayStandInWhatIsSelected) {
    json claim = claim_of_kind("ordering");
    claim["pairs"]["select"]["threads"] = json{1, 8};
    json rows{time_of("a", "8", 20), time_of("b", "8", 10)};
    rows[0]["parameters"]["threads"] = 8;
    rows[1]["parameters"]["threads"] = 1;
    EXPECT_EQ(decide(claim, rows, {.cores = 8}).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(claim, rows, {.cores = 3}).verdict, Verdict::inconclusive) << "down to 0.75";
}

TEST(DeclaredOptimum, MayBeTheMost) {
    json claim{{"kind", "optimum"},
               {"optimum",
                {{"select", {{"quantity", "time"}}},
                 {"among", {{{"variant", {"a", "b"}}}}},
                 {"by", {"variant"}},
                 {"expect", {{"variant", "a"}}}}},
               {"tolerance", 0.02}};
    const json rows{time_of("a", "8", 20), time_of("b", "8", 10)};
    EXPECT_EQ(decide(claim, rows).verdict, Verdict::not_reproduced);
    // The expected one's own number, not that of the best.
    EXPECT_NEAR(*decide(claim, rows).value, 20, 1e-9);
    EXPECT_GT(decide(claim, rows).interval->low, 19);
    claim["optimum"]["most"] = true;
    EXPECT_EQ(decide(claim, rows).verdict, Verdict::reproduced);
}

json counted_by(const char* way, double value, const char* status = "ok") {
    return time_of(std::string("a") + way, "8", value,
                   {{"quantity", "rate"},
                    {"unit", "%"},
                    {"status", status},
                    {"reason", status == std::string("ok") ? json() : json("quick")},
                    {"parameters", {{"counted", way}}}});
}

TEST(DeclaredWays, AreJoinedAsFarAsEitherReaches) {
    const auto decided = [](const std::vector<json>& rows, const json& ways) {
        return decide({{"kind", "absolute"},
                       {"of", {{"select", {{"quantity", "rate"}}}, {"ways", ways}}},
                       {"published", {{"value", 70.0}}},
                       {"tolerance", 0.1}},
                      json(rows));
    };
    const json one{{"counted", "one"}}, two{{"counted", "two"}}, three{{"counted", "three"}};
    const json low = counted_by("one", 66), high = counted_by("two", 74, "estimate"),
               middle = counted_by("three", 70);
    for (const json& ways : {json{one, two, three}, json{two, three, one}, json{three, one, two}}) {
        const Decision d = decided({low, high, middle}, ways);
        EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
        EXPECT_LT(d.interval->low, 66);
        EXPECT_GT(d.interval->high, 74 * 0.999);
        EXPECT_TRUE(d.estimate) << "one of them is";
    }
    // That the last agrees with the first does not make up for the second.
    const Decision apart = decided({low, counted_by("two", 20), middle}, json{one, two, three});
    EXPECT_EQ(apart.verdict, Verdict::inconclusive);
    EXPECT_EQ(apart.because,
              "the ways to count disagree: one REPRODUCED, two NOT REPRODUCED, three REPRODUCED");
}

TEST(Conditions, CoresAreThoseOfThePrecisionThatHasMore) {
    const auto context = [](double as_float, double as_double, double one) {
        const auto ceiling = [](const std::string& name, double value) {
            return json{{"name", "cpu_fma_peak_" + name}, {"value", value}};
        };
        return json{{"ceilings",
                     {ceiling("float_all_threads", as_float), ceiling("float_one_thread", one),
                      ceiling("double_all_threads", as_double), ceiling("double_one_thread", one)}}};
    };
    EXPECT_EQ(conditions_of(context(80, 40, 10)).cores, 8);
    EXPECT_EQ(conditions_of(context(40, 80, 10)).cores, 8);
    EXPECT_FALSE(conditions_of(context(40, 80, 0)).cores) << "a peak of nothing is none";
}

// --- pairs

TEST(DescribedLimits, AreTheLeastAndTheMostWhereverTheyStand) {
    const auto words = [](const std::vector<double>& shares) {
        std::vector<Row> rows;
        for (const double share : shares) {
            rows.push_back(time_of("a", "8", 10).get<Row>());
            rows.back().limit = Limit{"gpu_l2_bandwidth", 1, "us", share};
        }
        return describe_limits(rows);
    };
    for (const auto& shares :
         std::vector<std::vector<double>>{{0.35, 0.45, 0.4}, {0.45, 0.35, 0.4}, {0.4, 0.45, 0.35}})
        EXPECT_EQ(words(shares), "a 35 to 45 % of gpu_l2_bandwidth");
    EXPECT_EQ(words({0.351, 0.349}), "a 35 % of gpu_l2_bandwidth");
    EXPECT_EQ(words({}), "");
}

TEST(PairsByOperation, HaveNoRatioThatIsNoNumber) {
    json pairs = claim_of_kind("ordering")["pairs"];
    pairs["per"] = "flops";
    const auto why = [&](double above, double below) {
        return pairs_of(pairs, json{time_of("a", "8", 10, {{"flops", above}}),
                                    time_of("b", "8", 10, {{"flops", below}})})
            .reason;
    };
    EXPECT_EQ(why(1e300, 1e-300), "8: too far apart for a ratio by operation");
    EXPECT_EQ(why(1e-300, 1e300), "8: too far apart for a ratio by operation");
    EXPECT_EQ(why(1e100, 1e-100), "");
}

}  // namespace
}  // namespace gridmark::harness
