// What a GPU's two clocks say of a pair: one order, or two.

#include "harness/verdicts/other_clock.hpp"

#include <gtest/gtest.h>

#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::time_of;

/// Times of a variant on a tile by both clocks.
struct Both {
    double kernel, step;
};

json by_clock(json row, const std::string& clock, const char* key, const char* value) {
    row["name"] = row["name"].get<std::string>() + "/" + clock;
    row["clock"] = clock;
    row["group"] = row["group"].get<std::string>() + "/" + clock;
    row["parameters"][key] = value;
    return row;
}

void add(json& rows, const std::string& variant, const std::string& tile, const Both& times) {
    rows.push_back(by_clock(time_of(variant, tile, times.kernel), "kernel", "cache", "hot"));
    rows.push_back(by_clock(time_of(variant, tile, times.step), "step", "launch", "graph"));
}

json rows_of(const Both& shared, const Both& plain) {
    json rows = json::array();
    add(rows, "shared", "32x8", shared);
    add(rows, "plain", "32x8", plain);
    return rows;
}

json claim_by(const std::string& clock) {
    return tests::shared_is_slower({{"clock", clock}});
}

TEST(OtherClock, WhatItReversesIsNotResolvedAndBothStandInTheClaim) {
    const json rows = rows_of({20, 10}, {15, 15});
    const Decision kernel = decide(claim_by("kernel"), rows), step = decide(claim_by("step"), rows);
    EXPECT_EQ(kernel.verdict, Verdict::inconclusive) << kernel.because;
    EXPECT_EQ(kernel.measured, "1.33; 0.667 by step/graph (32x8)");
    EXPECT_NE(kernel.because.find("in 1 of 1 pairs the other clock says the other side"), std::string::npos)
        << kernel.because;
    EXPECT_EQ(step.verdict, Verdict::inconclusive) << "nor the other way round";
    EXPECT_EQ(step.measured, "0.67; 1.33 by kernel/hot (32x8)");
}

TEST(OtherClock, WhatItConfirmsOrLeavesOpenStays) {
    for (const Both& shared : {Both{20, 20}, Both{20, 15}}) {
        const Decision d = decide(claim_by("kernel"), rows_of(shared, {15, 15}));
        EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
        EXPECT_EQ(d.measured, "1.33");
    }
}

TEST(OtherClock, IsThatOfTheSameWorkAndFit) {
    json rows = rows_of({20, 10}, {15, 15});
    ASSERT_NE(by_other_clock(rows[0], rows), nullptr);
    EXPECT_EQ(by_other_clock(rows[0], rows)->name, rows[1]["name"].get<std::string>());
    EXPECT_EQ(by_other_clock(rows[1], rows)->name, rows[0]["name"].get<std::string>());
    for (const auto& [key, other] : {std::pair{"tile", "32x4"}, {"launch", "stream"}, {"nx", "9"}}) {
        json changed = rows;
        changed[1]["parameters"][key] = other;
        EXPECT_EQ(by_other_clock(changed[0], changed), nullptr) << key;
        EXPECT_EQ(decide(claim_by("kernel"), changed).verdict, Verdict::reproduced) << key;
    }
    rows[1]["disturbed"] = {{"by", {"another"}}, {"allowed", false}};
    EXPECT_EQ(by_other_clock(rows[0], rows), nullptr);
    EXPECT_EQ(decide(claim_by("kernel"), rows).verdict, Verdict::reproduced);
}

TEST(OtherClock, MakesATieOfTheBest) {
    const json claim{{"kind", "optimum"},
                     {"optimum",
                      {{"select", {{"quantity", "time"}, {"clock", "kernel"}}},
                       {"among", {{{"variant", {"shared", "plain"}}}}},
                       {"by", {"variant"}},
                       {"expect", {{"variant", "plain"}}}}},
                     {"tolerance", 0.02}};
    EXPECT_EQ(decide(claim, rows_of({20, 20}, {15, 15})).verdict, Verdict::reproduced);
    for (const auto& [shared, plain] :
         {std::pair{Both{20, 10}, Both{15, 15}}, {Both{10, 20}, Both{15, 15}}}) {
        const Decision d = decide(claim, rows_of(shared, plain));
        EXPECT_EQ(d.verdict, Verdict::inconclusive) << d.because;
        EXPECT_NE(d.because.find("shared"), std::string::npos) << d.because;
    }
}

TEST(HotAsMeasuredBefore, IsSaidOfHotRowsOfOlderSets) {
    const json rows = rows_of({20, 20}, {15, 15});
    const auto says = [&](const std::string& clock, bool refilled) {
        return decide(claim_by(clock), rows, {.hot_refilled = refilled})
                   .because.find("hot as measured before") != std::string::npos;
    };
    EXPECT_TRUE(says("kernel", false));
    EXPECT_FALSE(says("kernel", true));
    EXPECT_FALSE(says("step", false)) << "it rests on no hot row";
    json published = rows;
    for (json& row : published)
        row["samples"] = json::array(), row.erase("process_samples");
    EXPECT_EQ(decide(claim_by("kernel"), published, {.hot_refilled = false}).because,
              "the interval lies above 1.02")
        << "a published number had no such protocol";
    EXPECT_FALSE(conditions_of(json::object()).hot_refilled);
    EXPECT_TRUE(conditions_of({{"hot_refilled", true}}).hot_refilled);
}

}  // namespace
}  // namespace gridmark::harness
