// What binds a row, what a cause explains, and a study's answer in words.

#include "harness/compare/causes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/compare/document.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

json with_ceilings(const std::vector<json>& ceilings) {
    return {{"ceilings", ceilings}};
}

Row row_bound_by(double limit_share, const json& binding = nullptr) {
    json row = bound_row("x", 100, "gpu_l2_bandwidth", limit_share);
    if (!binding.is_null()) row["binding"] = binding;
    return row.get<Row>();
}

TEST(BoundOfARow, IsTheCeilingOfHalfOfItsTime) {
    EXPECT_EQ(bound_of(row_bound_by(0.5))->ceiling, "gpu_l2_bandwidth");
    EXPECT_EQ(bound_of(row_bound_by(0.5))->share, 0.5);
    EXPECT_FALSE(bound_of(row_bound_by(0.499)));
    EXPECT_FALSE(bound_of(bound_row("x", 100).get<Row>()));
    json failed = tests::row_without_time("x", "failed", "wrong");
    failed["limit"] = {{"ceiling", "gpu_launch"}, {"value", 1}, {"unit", "us"}, {"share", 0.9}};
    EXPECT_FALSE(bound_of(failed.get<Row>()));
}

TEST(BoundOfARow, IsByTheModelWhereItSaysWhatBinds) {
    const auto binding = [](double term) {
        return json{{"ceiling", "gpu_launch"}, {"term", term}, {"time", 200}, {"unit", "us"}};
    };
    EXPECT_EQ(bound_of(row_bound_by(0.9, binding(60)))->ceiling, "gpu_launch");
    EXPECT_DOUBLE_EQ(bound_of(row_bound_by(0.9, binding(60)))->share, 0.6) << "of what was measured";
    EXPECT_FALSE(bound_of(row_bound_by(0.9, binding(40)))) << "whatever the limit says";
}

TEST(WhatACeilingExplains, LiesBetweenItsShareAndTheWhole) {
    const auto explained = [](double moved, double share, double low, double high) {
        return explains(moved, share, {std::sqrt(low * high), {low, high}});
    };
    // Of 40 % more the 40 % of a row are 16 %: 1.16 to 1.4, and 2 % about that.
    EXPECT_TRUE(explained(1.4, 0.4, 1.0, 1.14)) << "its interval reaches into the range";
    EXPECT_FALSE(explained(1.4, 0.4, 1.0, 1.13));
    EXPECT_TRUE(explained(1.4, 1, 1.42, 1.5)) << "2 % beyond the whole of it";
    EXPECT_FALSE(explained(1.4, 1, 1.43, 1.5));
    EXPECT_TRUE(explained(1.4, 2.5, 1.38, 1.5)) << "no share is more than all";
    EXPECT_FALSE(explained(1.4, 2.5, 1.3, 1.36)) << "nor less";
    EXPECT_FALSE(explained(1.4, 2.5, 1.6, 1.7)) << "no share is more than all";
    EXPECT_TRUE(explained(0.6, 0.5, 0.75, 0.9));
    EXPECT_FALSE(explained(0.6, 0.5, 0.83, 0.9));
    EXPECT_FALSE(explained(1.01, 1, 0.98, 0.995)) << "near, and the other way";
}

/// Rows that a bandwidth bounds, by how many times as long each takes, and the causes found.
std::vector<Cause> causes_of(const std::vector<double>& factors, const json& before, const json& after,
                             const json& changes = json::object()) {
    json base = json::array(), fresh = json::array();
    for (std::size_t k = 0; k < factors.size(); ++k)
        for (json* side : {&base, &fresh}) {
            side->push_back(bound_row("r" + std::to_string(k), side == &base ? 100 : 100 * factors[k],
                                      "gpu_copy_bandwidth"));
            side->back().update(changes);
        }
    const ResultFile old_file = tests::document(base).get<ResultFile>(),
                     new_file = tests::document(fresh).get<ResultFile>();
    return find_causes("e", common_rows({}, old_file, new_file), with_ceilings(before), with_ceilings(after));
}

TEST(CauseByACeiling, IsTheOneThatMovedMostAsItsRowsDid) {
    const auto both = [](double copy, double triad) {
        return json{ceiling("gpu_copy_bandwidth", copy, "GB/s"),
                    ceiling("gpu_triad_bandwidth", triad, "GB/s")};
    };
    // The rows take 1.1 times as long: the copy's 1.3 is farther from that than the triad's 1.12.
    const auto found = causes_of({1.12, 1.1, 1.1}, both(1300, 1120), both(1000, 1000));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].ceiling, "gpu_triad_bandwidth");
    EXPECT_EQ(found[0].base, 1120);
    EXPECT_EQ(found[0].fresh, 1000);
    EXPECT_EQ(found[0].unit, "GB/s");
    EXPECT_DOUBLE_EQ(found[0].ratio, 1.12) << "a lower rate takes longer";
    EXPECT_NEAR(found[0].median, 1.1, 1e-9) << "of the rows' ratios, and not their mean";
    const json told = json_of(found[0]);
    EXPECT_EQ(told["base"], 1120);
    EXPECT_EQ(told["new"], 1000);
    EXPECT_DOUBLE_EQ(told["ratio"].get<double>(), 1.12);
}

TEST(CauseByACeiling, MayHaveMadeRowsFaster) {
    const json slow{ceiling("gpu_copy_bandwidth", 1000, "GB/s")},
        fast{ceiling("gpu_copy_bandwidth", 1100, "GB/s")};
    const auto found = causes_of({0.91, 0.91}, json::array({slow[0]}), json::array({fast[0]}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].ratio, 1 / 1.1, 1e-12);
    EXPECT_EQ(found[0].rows.size(), 2U);
}

TEST(CauseByACeiling, MovedByMoreThanTwoPercentInOneUnit) {
    const auto at = [](double value, const char* unit = "GB/s") {
        return json::array({ceiling("gpu_copy_bandwidth", value, unit)});
    };
    EXPECT_TRUE(causes_of({1.03, 1.03}, at(1019), at(1000)).empty());
    EXPECT_EQ(causes_of({1.03, 1.03}, at(1021), at(1000)).size(), 1U);
    EXPECT_TRUE(causes_of({1.03, 1.03}, at(1021), at(1000, "TB/s")).empty());
    EXPECT_TRUE(causes_of({1.03, 1.03}, at(1021), at(0)).empty()) << "a rate of nothing is none";
    EXPECT_TRUE(causes_of({1.05, 1.05}, at(1050), at(1000), {{"quantity", "rate"}}).empty())
        << "it makes no rate slower";
}

TEST(CauseByACeiling, CountsTheComparableRowsThatChanged) {
    const auto at = [](double value) { return json::array({ceiling("gpu_copy_bandwidth", value, "GB/s")}); };
    // One row of two has not changed beyond the resolution, though the ceiling might explain it.
    const auto half = causes_of({1.05, 1.0199}, at(1050), at(1000));
    ASSERT_EQ(half.size(), 1U);
    EXPECT_EQ(half[0].bound, 2U);
    EXPECT_EQ(half[0].rows, std::vector<std::string>{"r0"});
    EXPECT_TRUE(causes_of({1.05, 1.0, 1.0}, at(1050), at(1000)).empty()) << "a third";
    EXPECT_TRUE(causes_of({1.05, 1.05}, at(1050), at(1000), {{"process_samples", {27}}}).empty())
        << "one process resolves nothing";
}

TEST(CauseByACeiling, DoesNotCountARowThatCouldNotHaveChanged) {
    const auto file = [](double us) {
        json rows{bound_row("a", us, "gpu_copy_bandwidth"), bound_row("b", us, "gpu_copy_bandwidth"),
                  bound_row("c", us, "gpu_copy_bandwidth")};
        rows[2]["process_samples"] = {27};
        return tests::document(rows).get<ResultFile>();
    };
    const auto at = [](double value) {
        return with_ceilings({ceiling("gpu_copy_bandwidth", value, "GB/s")});
    };
    const ResultFile base = file(100), fresh = file(105);
    const auto found = find_causes("e", common_rows({}, base, fresh), at(1050), at(1000));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].bound, 2U);
}

TEST(CauseByLaunches, NeedsACeilingThatDidNotGoFarTheOtherWay) {
    const auto found = [](double row, double launch) {
        const auto file = [](double stream) {
            return tests::document({bound_row("v/step/stream", stream, nullptr, 0, "step"),
                                    bound_row("v/step/graph", 2, nullptr, 0, "step")})
                .get<ResultFile>();
        };
        const ResultFile base = file(4), fresh = file(4 * row);
        const auto context = [](double us) { return with_ceilings({ceiling("gpu_launch", us, "us")}); };
        return find_causes("e", common_rows({}, base, fresh), context(3), context(3 * launch)).size();
    };
    EXPECT_EQ(found(1.21, 1.2), 1U);
    EXPECT_EQ(found(1.21, 1 / 1.09), 1U) << "by less than half as much the other way";
    EXPECT_EQ(found(1.21, 1 / 1.11), 0U);
    EXPECT_EQ(found(1 / 1.21, 1.09), 1U);
    EXPECT_EQ(found(1 / 1.21, 1.11), 0U);
}

TEST(CauseByLaunches, TellsNoCeilingWhereNoneIsKnown) {
    Cause cause{"e", "kernel launches", "", "launches"};
    cause.base = 3;
    const json told = json_of(cause);
    for (const char* key : {"ceiling", "base", "new", "unit", "ratio"})
        EXPECT_TRUE(told[key].is_null()) << key;
}

// A row's cause, and how many rows have one.
TEST(CauseOfARow, StandsBesideItInTheDocument) {
    const auto set = [](const char* folder, double us, double rate) {
        return set_in(folder,
                      {bound_row("a", us, "gpu_copy_bandwidth"), bound_row("b", us, "gpu_copy_bandwidth"),
                       bound_row("c", 5)},
                      with_ceilings({ceiling("gpu_copy_bandwidth", rate, "GB/s")}));
    };
    const json document = compare_sets(set("old", 100, 1100), set("new", 110, 1000));
    const json cause{{"resource", "GPU memory"}, {"ceiling", "gpu_copy_bandwidth"}, {"how", "ceiling"}};
    EXPECT_EQ(document["rows"][0]["cause"], cause);
    EXPECT_EQ(document["rows"][1]["cause"], cause);
    EXPECT_TRUE(document["rows"][2]["cause"].is_null());
    EXPECT_EQ(document["studies"][0]["by_the_machine"], 2);
}

// --- answers

StudyAnswer answer_with(std::size_t times, std::size_t faster, std::size_t slower) {
    StudyAnswer found{"e"};
    found.times = times;
    found.faster = faster;
    found.slower = slower;
    return found;
}

TEST(AnswerInWords, IsByTimesThenRoughTimesThenValues) {
    EXPECT_EQ(answer_with(0, 0, 0).word(), "not comparable");
    EXPECT_EQ(answer_with(3, 0, 0).word(), "no difference resolved");
    EXPECT_EQ(answer_with(3, 1, 0).word(), "faster");
    EXPECT_EQ(answer_with(3, 0, 1).word(), "slower");
    EXPECT_EQ(answer_with(3, 1, 1).word(), "both faster and slower");
    StudyAnswer rough = answer_with(0, 0, 0);
    rough.values = 2;
    EXPECT_EQ(rough.word(), "no difference resolved");
    rough.rough.times = 4;
    EXPECT_EQ(rough.word(), "no rough difference");
    rough.rough.faster = 1;
    EXPECT_EQ(rough.word(), "roughly faster");
    rough.rough.slower = 1;
    EXPECT_EQ(rough.word(), "roughly both faster and slower");
    rough.times = 1;
    EXPECT_EQ(rough.word(), "no difference resolved");
}

/// A study's answer of rows that take these times on either side, in whatever changes.
json answered(const std::vector<std::pair<double, double>>& times, const json& changes = json::object(),
              const char* commit = "x", const char* other_commit = "x") {
    json before = json::array(), after = json::array();
    for (std::size_t k = 0; k < times.size(); ++k)
        for (const bool fresh : {false, true}) {
            json row = bound_row(std::to_string(k), fresh ? times[k].second : times[k].first);
            row.update(changes);
            (fresh ? after : before).push_back(row);
        }
    const auto built = [](const char* by) { return json{{"build", {{"commit", by}}}}; };
    return compare_sets(set_in("a", before, built(commit)),
                        set_in("b", after, built(other_commit)))["studies"][0];
}

TEST(AnswerOfAStudy, SaysWhetherOneProgramMeasuredBoth) {
    EXPECT_EQ(answered({{1, 1}})["same_program"], true);
    EXPECT_EQ(answered({{1, 1}}, json::object(), "x", "y")["same_program"], false);
}

TEST(AnswerOfAStudy, TellsRoughTimesApartFromOtherQuantities) {
    const json once{{"process_samples", {27}}};
    // 0.8, 1, 1.5 and 1.2: the median is 1.1, the mean 1.125.
    const json found = answered({{10, 8}, {10, 10}, {10, 15}, {10, 12}}, once);
    EXPECT_EQ(found["rough"]["comparable"], 4);
    EXPECT_EQ(found["rough"]["faster"], 1);
    EXPECT_EQ(found["rough"]["slower"], 2);
    EXPECT_NEAR(found["rough"]["median"].get<double>(), 1.1, 1e-9);
    EXPECT_EQ(answered({{10, 12}}, {{"process_samples", {27}}, {"quantity", "rate"}})["rough"]["comparable"],
              0);
    EXPECT_EQ(answered({{10, 12}}, {{"process_samples", {27}}, {"clock", nullptr}})["rough"]["comparable"],
              0);
}

TEST(AnswerOfAStudy, CountsFitWallTimesWithoutAMargin) {
    const auto walls = [](bool base_fit, bool fresh_fit, const std::vector<ResultSet>& more = {}) {
        const auto set = [](const std::string& folder, bool fit) {
            json row = bound_row("w", 10, nullptr, 0, "wall");
            if (!fit) row["disturbed"] = {{"by", {"x"}}, {"allowed", false}};
            return set_in(folder, {row, bound_row("k", 10)}, {{"build", {{"commit", "x"}}}});
        };
        std::vector<ResultSet> runs = more;
        for (std::size_t k = 0; k < more.size(); ++k)
            runs[k] = set("run " + std::to_string(k), true);
        return compare_sets(set("a", base_fit), set("b", fresh_fit),
                            runs)["studies"][0]["walls_without_margin"];
    };
    EXPECT_EQ(walls(true, true), 1);
    EXPECT_EQ(walls(false, true), 0);
    EXPECT_EQ(walls(true, false), 0);
    EXPECT_EQ(walls(true, true, std::vector<ResultSet>(3)), 0) << "five sets have a margin";
    EXPECT_EQ(walls(true, true, std::vector<ResultSet>(2)), 1);
}

}  // namespace
}  // namespace gridmark::harness
