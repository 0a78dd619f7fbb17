// `pairs` of a claim: every one, the best of both sides, times of one operation; and the limits of its rows.

#include "harness/verdicts/pairs.hpp"

#include <gtest/gtest.h>

#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::skipped;
using tests::time_of;
using tests::timed_row;
using tests::without_time;
using Names = std::vector<std::string>;

json pairs_with(const json& more) {
    json pairs{{"numerator", {{"variant", "slow"}}},
               {"denominator", {{"variant", {"fast", "fastest"}}}},
               {"by", {"variant", "tile"}},
               {"select", {{"nx", 512}}}};
    pairs.update(more);
    return pairs;
}

const json across = pairs_with({{"across", true}, {"by", {"tile"}}}), best = pairs_with({{"best", true}});

/// "numerator's name over denominator's" of each pair.
Names compared(const json& pairs, const json& rows) {
    Names names;
    const auto found = pairs_of(pairs, rows);
    EXPECT_TRUE(found) << found.reason;
    for (const RowPair& pair : found.value.value_or(std::vector<RowPair>()))
        names.push_back(pair.numerator.name + " over " + pair.denominator.name);
    return names;
}

std::string refusal(const json& pairs, const json& rows) {
    const auto found = pairs_of(pairs, rows);
    EXPECT_FALSE(found);
    return found.reason;
}

const json a_slow = time_of("slow", "a", 40), b_slow = time_of("slow", "b", 30),
           a_fast = time_of("fast", "a", 10), c_fastest = time_of("fastest", "c", 5);
const json four = {a_slow, b_slow, a_fast, c_fastest};

TEST(Across, ComparesEveryRowWithEveryOther) {
    EXPECT_EQ(compared(across, four), (Names{"slow/a over fast/a", "slow/a over fastest/c",
                                             "slow/b over fast/a", "slow/b over fastest/c"}));
    EXPECT_EQ(pairs_of(across, four).value->at(1).label, "a / c");
}

// "The naive kernel against the study's kernels" names it on both sides.
TEST(Across, PutsARowOnOneSide) {
    const json pairs = pairs_with({{"across", true}, {"denominator", {{"variant", {"slow", "fast"}}}}});
    EXPECT_EQ(compared(pairs, four), (Names{"slow/a over fast/a", "slow/b over fast/a"}));
}

TEST(Across, NeedsEveryRow) {
    EXPECT_EQ(refusal(across, {a_slow, a_fast, skipped("slow", "b")}), "no GPU is visible");
    EXPECT_EQ(refusal(across, {a_slow, a_fast, skipped("fast", "b")}), "no GPU is visible");
    EXPECT_EQ(refusal(across, {a_slow, b_slow}), "no row of this kind was measured");
    EXPECT_EQ(refusal(across, json::array({a_fast})), "no row of this kind was measured");
}

TEST(Across, IsJudgedAsAnOrdering) {
    const json claim{{"kind", "ordering"}, {"id", "P1"}, {"pairs", across}, {"tolerance", 0.02}};
    EXPECT_EQ(decide(claim, four).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(claim, four).measured, "3.00 to 8.00 over 4 pairs");
    json rows = four;
    rows.push_back(time_of("fast", "b", 35));
    const Decision d = decide(claim, rows);
    EXPECT_EQ(d.verdict, Verdict::trend_only);
    EXPECT_NE(d.because.find("(b / b)"), std::string::npos) << d.because;
}

// The kernel clock may see more than the step clock: their difference has a sign, and no ratio.
TEST(Across, NeedsValuesAboveZero) {
    const json none = time_of("fast", "a", -10);
    EXPECT_NE(refusal(across, {a_slow, none}).find("0 or below"), std::string::npos);
}

TEST(Best, ComparesTheLeastOfBothSides) {
    EXPECT_EQ(compared(best, four), Names{"slow/b over fastest/c"});
    EXPECT_EQ(pairs_of(best, four).value->front().label, "slow / b / fastest / c");
    EXPECT_EQ(compared(best, {c_fastest, a_fast, b_slow, a_slow}), Names{"slow/b over fastest/c"});
}

TEST(Best, LeavesOutWhatCannotRunHere) {
    const json rows{skipped("slow", "c"), a_slow, skipped("fast", "c"), a_fast};
    EXPECT_EQ(compared(best, rows), Names{"slow/a over fast/a"});
    EXPECT_EQ(refusal(best, {a_slow, skipped("fast", "c")}), "no GPU is visible");
    EXPECT_EQ(refusal(best, {skipped("slow", "c"), a_fast}), "no GPU is visible");
    EXPECT_EQ(refusal(best, json::array({a_fast})), "no row of this kind was measured");
    EXPECT_EQ(refusal(best, json::array({a_slow})), "no row of this kind was measured");
}

// A claim about several problems takes the best of each: a side's best row of one says nothing of another.
TEST(BestOfEach, IsAPairForEachValueOfTheKeys) {
    const json each = pairs_with({{"best", true}, {"each", {"tile"}}, {"by", {"variant"}}});
    json rows = {a_slow, b_slow, a_fast, time_of("fastest", "a", 5), time_of("fast", "b", 20)};
    EXPECT_EQ(compared(each, rows), (Names{"slow/a over fastest/a", "slow/b over fast/b"}));
    EXPECT_EQ(pairs_of(each, rows).value->at(1).label, "b: slow / fast");
    const json claim{{"kind", "ordering"}, {"id", "P1"}, {"pairs", each}, {"tolerance", 0.02}};
    EXPECT_EQ(decide(claim, rows).measured, "1.50 to 8.00 over 2 pairs (a: slow / fastest; b: slow / fast)");
    rows.push_back(time_of("slow", "c", 7));
    EXPECT_EQ(refusal(each, rows), "no row of this kind was measured") << "none to compare c with";
}

// Of a row whose processes disagree the fastest process decides whether it might have been the best.
TEST(Best, LeavesOutAnUnstableRowThatIsBehindAllTheSame) {
    const auto with = [](double fastest_process, bool disturbed) {
        std::vector<Row> rows;
        for (const json& row : {b_slow, a_fast})
            rows.push_back(row);
        Row unstable = time_of("fastest", "d", 40);
        unstable.samples = {fastest_process, 40};
        unstable.process_samples = {1, 1};
        unstable.status = Status::failed;
        unstable.reason = "it was unstable";
        if (disturbed) unstable.disturbed = Disturbance{{"others"}};
        rows.push_back(unstable);
        return pairs_of(best, rows);
    };
    EXPECT_EQ(with(11, false).value.value().front().denominator.name, "fast/a");
    EXPECT_EQ(with(9, false).reason, "it was unstable");
    EXPECT_EQ(with(11, true).reason, "it was unstable") << "undisturbed it might be faster";
}

// What failed might have been the best.
TEST(Best, IsNotTakenWhereACandidateFailed) {
    for (const char* variant : {"slow", "fast"}) {
        json rows = four;
        rows.push_back(without_time(variant, "d", "failed", "the answer is wrong"));
        EXPECT_EQ(refusal(best, rows), "the answer is wrong") << variant;
    }
}

TEST(Best, IsOneRatioThatNamesItsRows) {
    const json claim{
        {"kind", "ratio"}, {"id", "P2"}, {"pairs", best}, {"published", {{"value", 6}}}, {"tolerance", 0.1}};
    const Decision d = decide(claim, four);
    EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
    EXPECT_EQ(*d.value, 6);
    EXPECT_EQ(d.measured, "6.00 (slow / b / fastest / c)");
    EXPECT_FALSE(d.estimate);

    json rows = four;
    rows[0]["status"] = "estimate";
    EXPECT_FALSE(decide(claim, rows).estimate) << "a row that is not the best";
    rows[1]["status"] = "estimate";
    EXPECT_TRUE(decide(claim, rows).estimate);
}

TEST(Pairs, MayDifferInTheClockButNotInTheQuantity) {
    const json wall = time_of("fast", "b", 10, {{"clock", "wall"}});
    EXPECT_EQ(compared(best, {b_slow, wall}), Names{"slow/b over fast/b"});
    const json traffic = time_of("fast", "b", 10, {{"quantity", "dram"}});
    const json seconds = time_of("fast", "b", 10, {{"unit", "s"}});
    for (const json& pairs : {best, across, pairs_with({{"by", {"tile"}}})}) {
        EXPECT_EQ(refusal(pairs, {b_slow, traffic}), "slow/b and fast/b differ in quantity: time and dram");
        EXPECT_EQ(refusal(pairs, {b_slow, seconds}), "slow/b and fast/b differ in unit: us and s");
    }
}

/// The row with another number of operations than the usual 700.
json doing(json row, const json& flops) {
    row["flops"] = flops;
    return row;
}

TEST(PerFlops, ComparesTimesOfOneOperation) {
    const json pairs = pairs_with({{"per", "flops"}, {"best", true}});
    // 30 / 700 against 10 / 350.
    const RowPair pair = pairs_of(pairs, {b_slow, doing(a_fast, 350)}).value->front();
    const Ratio plain = ratio_of(pair, best), scaled = ratio_of(pair, pairs);
    EXPECT_DOUBLE_EQ(plain.value, 3);
    EXPECT_DOUBLE_EQ(scaled.value, 1.5);
    EXPECT_LT(plain.interval.low, plain.interval.high);
    EXPECT_DOUBLE_EQ(scaled.interval.low, plain.interval.low / 2);
    EXPECT_DOUBLE_EQ(scaled.interval.high, plain.interval.high / 2);

    // The samples of rows that were measured in turns stay paired: both drift, their ratio does not.
    const json slow = timed_row("slow", tests::samples_from(2, 2),
                                {{"group", "group"}, {"flops", 1400}, {"clock", "wall"}}),
               fast = timed_row("fast", tests::samples_from(1, 1), {{"group", "group"}, {"clock", "wall"}});
    EXPECT_EQ(ratio_of({"", slow, fast}, pairs).interval, (Interval{1, 1}));
}

TEST(PerFlops, FindsTheBestByIt) {
    const json pairs = pairs_with({{"per", "flops"}, {"best", true}});
    EXPECT_EQ(compared(pairs, {doing(a_slow, 1400), b_slow, a_fast}), Names{"slow/a over fast/a"});
    EXPECT_EQ(compared(best, {doing(a_slow, 1400), b_slow, a_fast}), Names{"slow/b over fast/a"});
}

TEST(PerFlops, NeedsTheNumberOfOperations) {
    const json pairs = pairs_with({{"per", "flops"}, {"across", true}});
    for (const json& none : {json(nullptr), json(0)})
        EXPECT_EQ(refusal(pairs, {a_slow, doing(a_fast, none)}),
                  "fast/a does not say how many operations it does");
    EXPECT_EQ(compared(across, {a_slow, doing(a_fast, nullptr)}).size(), 1U);
}

// --- limits of the rows that a claim rests on

json bound(const std::string& ceiling, double share) {
    return {{"limit", {{"ceiling", ceiling}, {"value", 1.0}, {"unit", "us"}, {"share", share}}}};
}

TEST(DescribeLimits, GivesTheSharesThatAVariantReaches) {
    const std::vector<Row> rows{time_of("shared", "32x8", 20, bound("gpu_l2_bandwidth", 0.454)),
                                time_of("plain", "32x8", 15, bound("gpu_l2_bandwidth", 0.6)),
                                time_of("shared", "32x4", 25, bound("gpu_l2_bandwidth", 0.346))};
    EXPECT_EQ(describe_limits(rows), "shared 35 to 45 % of gpu_l2_bandwidth; plain 60 % of gpu_l2_bandwidth");
}

TEST(DescribeLimits, KeepsCeilingsApartAndLeavesOutRowsWithoutOne) {
    const std::vector<Row> rows{time_of("shared", "32x8", 20, bound("gpu_launch", 0.9)),
                                time_of("shared", "32x4", 25, bound("gpu_l2_bandwidth", 0.4)),
                                time_of("plain", "32x4", 25)};
    EXPECT_EQ(describe_limits(rows), "shared 90 % of gpu_launch; shared 40 % of gpu_l2_bandwidth");
    EXPECT_EQ(describe_limits({time_of("plain", "32x4", 25)}), "");
    EXPECT_EQ(describe_limits({}), "");
}

TEST(DescribeLimits, BelongsToTheRowsThatAClaimRestsOn) {
    const json claim{{"kind", "absolute"},
                     {"of", {{"select", {{"variant", "shared"}}}}},
                     {"published", {{"value", 20.0}}},
                     {"tolerance", 0.1}};
    const json rows{time_of("shared", "32x8", 20, bound("gpu_launch", 0.9)),
                    time_of("plain", "32x8", 20, bound("gpu_l2_bandwidth", 0.4))};
    EXPECT_EQ(decide(claim, rows).limits, "shared 90 % of gpu_launch");
}

}  // namespace
}  // namespace gridmark::harness
