#include <gtest/gtest.h>

#include <cmath>

#include "harness/compare/causes.hpp"
#include "harness/compare/compare.hpp"
#include "harness/compare/machines.hpp"
#include "harness/compare/margins.hpp"
#include "harness/usage_error.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

using tests::about;
using tests::timed_row;

// --- causes

TEST(Explains, FromTheCeilingsShareToTheWholeRow) {
    const auto near = [](double ratio) { return Ratio{ratio, {ratio - 0.001, ratio + 0.001}}; };
    // A ceiling of 10 % more time, which is half of the row: 1.05 to 1.10, and 2 % about that.
    for (const double inside : {1.03, 1.05, 1.10, 1.12})
        EXPECT_TRUE(explains(1.1, 0.5, near(inside))) << inside;
    for (const double outside : {1.02, 1.13, 0.95})
        EXPECT_FALSE(explains(1.1, 0.5, near(outside))) << outside;
    EXPECT_TRUE(explains(0.9, 0.5, near(0.93)));
    EXPECT_FALSE(explains(0.9, 0.5, near(0.85)));
    EXPECT_FALSE(explains(0.9, 0.5, near(1.001))) << "it went the other way";
}

/// Copy bandwidth and rows that it bounds, each by its own factor.
std::vector<Cause> causes(double bandwidth, const std::vector<double>& factors) {
    json before = json::array(), after = json::array();
    for (std::size_t k = 0; k < factors.size(); ++k) {
        before.push_back(
            bound_row("jacobi/v/" + std::to_string(k) + "/kernel/hot", 100, "gpu_triad_bandwidth"));
        after.push_back(bound_row("jacobi/v/" + std::to_string(k) + "/kernel/hot", 100 * factors[k],
                                  "gpu_triad_bandwidth"));
    }
    const auto context = [](double value) {
        return json{{"ceilings", json::array({ceiling("gpu_copy_bandwidth", value, "GB/s")})}};
    };
    const json d =
        compare_sets(set_in("a", before, context(4000)), set_in("b", after, context(4000 / bandwidth)));
    std::vector<Cause> found;
    for (const json& c : d["causes"]) {
        found.push_back({c["experiment"], c["resource"], c["ceiling"], c["how"]});
        found.back().ratio = c["ratio"];
        found.back().bound = c["bound"];
        found.back().rows = c["rows"];
    }
    return found;
}

TEST(Causes, ACeilingThatMovedAsMuchAsItsRowsIsNamed) {
    const auto found = causes(1.05, {1.05, 1.05, 1.04, 1.0});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].resource, "GPU memory");
    EXPECT_EQ(found[0].ceiling, "gpu_copy_bandwidth");  // the sibling of the one that bounds the rows
    EXPECT_EQ(found[0].how, "ceiling");
    EXPECT_NEAR(found[0].ratio, 1.05, 1e-12);
    EXPECT_EQ(found[0].bound, 4U);
    EXPECT_EQ(found[0].rows, (std::vector<std::string>{"jacobi/v/0/kernel/hot", "jacobi/v/1/kernel/hot",
                                                       "jacobi/v/2/kernel/hot"}));
}

TEST(Causes, RowsThatMoveAloneAreTheKernels) {
    EXPECT_TRUE(causes(1.0, {1.05, 1.05, 1.05}).empty()) << "the ceiling stayed";
    EXPECT_TRUE(causes(1.05, {1.05, 1.0, 1.0}).empty()) << "most rows that it bounds did not feel it";
    EXPECT_TRUE(causes(1.05, {1.3, 1.3, 1.3}).empty()) << "the rows moved much more";
    EXPECT_TRUE(causes(0.95, {1.05, 1.05, 1.05}).empty()) << "the other way";
}

std::vector<std::string> launches(double step, double graph, double launch) {
    const auto rows = [](double stream, double other) {
        return json{bound_row("jacobi/v/step/stream", stream, nullptr, 0, "step"),
                    bound_row("jacobi/v/step/graph", other, nullptr, 0, "step")};
    };
    const auto context = [](double us) {
        return json{{"ceilings", json::array({ceiling("gpu_launch", us, "us")})}};
    };
    const json d = compare_sets(set_in("a", rows(4, 2), context(3)),
                                set_in("b", rows(4 * step, 2 * graph), context(3 * launch)));
    std::vector<std::string> found;
    for (const json& c : d["causes"])
        if (c["how"] == "launches") found.insert(found.end(), c["rows"].begin(), c["rows"].end());
    return found;
}

TEST(Causes, OnlyStepsByPlainLaunchesChanged) {
    EXPECT_EQ(launches(1.25, 1, 1.1), std::vector<std::string>{"jacobi/v/step/stream"});
    EXPECT_EQ(launches(1.25, 1, 0.99), std::vector<std::string>{"jacobi/v/step/stream"});
    EXPECT_TRUE(launches(1.25, 1.25, 1.1).empty()) << "the kernel became slower, too";
    EXPECT_TRUE(launches(1.05, 1, 0.8).empty()) << "launching by itself became much faster";
    EXPECT_TRUE(launches(1, 1, 1.2).empty());
}

TEST(Answer, CountsTimesAndTheirExtremes) {
    const json before{bound_row("a", 10), bound_row("b", 10), bound_row("c", 10), bound_row("d", 10)};
    const json after{bound_row("a", 9), bound_row("b", 10), bound_row("c", 12), bound_row("d", 10.4)};
    const json same{{"build", {{"commit", "x"}}}};
    const json d = compare_sets(set_in("a", before, same), set_in("b", after, same))["studies"][0];
    EXPECT_EQ(d["word"], "both faster and slower");
    EXPECT_EQ(d["same_program"], true);
    EXPECT_EQ(d["times"]["comparable"], 4);
    EXPECT_EQ(d["times"]["faster"], 1);
    EXPECT_EQ(d["times"]["slower"], 2);
    EXPECT_NEAR(d["times"]["median"].get<double>(), 1.02, 1e-9);  // between 1.00 and 1.04
    EXPECT_EQ(d["times"]["fastest"]["name"], "a");
    EXPECT_NEAR(d["times"]["slowest"]["ratio"].get<double>(), 1.2, 1e-9);
    const json none = compare_sets(set_in("a", before), set_in("b", before))["studies"][0];
    EXPECT_EQ(none["word"], "no difference resolved");
    EXPECT_EQ(none["same_program"], false) << "no commit is known";
}

TEST(Answer, IsRoughWhereThereIsOneProcess) {
    const auto quick = [](const char* name, double us) {
        json row = bound_row(name, us);
        row["process_samples"] = {27};
        return row;
    };
    const json before{quick("a", 10), quick("b", 10), quick("c", 10)};
    const json d =
        compare_sets(set_in("a", before), set_in("b", {quick("a", 11), quick("b", 10), quick("c", 10.3)}));
    const json& study = d["studies"][0];
    EXPECT_EQ(study["word"], "roughly slower");
    EXPECT_EQ(study["times"]["comparable"], 0);
    EXPECT_EQ(study["times"]["slower"], 0) << "a rough difference is none that is resolved";
    EXPECT_EQ(study["rough"]["comparable"], 3);
    EXPECT_EQ(study["rough"]["slower"], 1);
    EXPECT_EQ(study["rough"]["faster"], 0);
    EXPECT_NEAR(study["rough"]["median"].get<double>(), 1.03, 1e-9);
    EXPECT_EQ(d["summary"]["rough difference"], 1);
    EXPECT_EQ(compare_sets(set_in("a", before), set_in("b", before))["studies"][0]["word"],
              "no rough difference");
}

// --- what disturbed a run

TEST(Disturbances, AreSlowClocksAndStolenTime) {
    const json calm{
        {"gpu", {{"clocks", {{"sm_max_mhz", 2000}}}, {"pci", {{"link_width", 16}, {"max_link_width", 16}}}}},
        {"clocks", {{"after", {{"limited_by", json::array()}, {"sm_mhz", 1950}}}, {"cpu_stolen", 0.02}}}};
    const auto told = [&](const json& change, std::vector<std::string> (*of)(const json&) = disturbances) {
        json context = calm;
        context.merge_patch(change);
        return of(context);
    };
    EXPECT_TRUE(disturbances(json::object()).empty());
    EXPECT_TRUE(disturbances({{"clocks", {{"after", nullptr}, {"cpu_stolen", nullptr}}}}).empty());
    EXPECT_TRUE(told(json::object()).empty());
    EXPECT_EQ(told({{"clocks", {{"after", {{"limited_by", {"hardware slowdown"}}}}}}}).size(), 1U);
    EXPECT_EQ(told({{"clocks", {{"cpu_stolen", 0.3}}}}),
              std::vector<std::string>{"the host gave 30 % of the CPU time to others"});
    const json shared{{"company", {{"gpu", {"another process is on the GPU"}}, {"unseen", "others"}}}};
    EXPECT_EQ(told(shared).size(), 1U);
    const json eight{{"gpu", {{"pci", {{"link_width", 8}}}}}};
    EXPECT_TRUE(told(eight).empty()) << "a fact of the machine";
    const std::size_t other = told(json::object(), facts).size();
    EXPECT_EQ(told(eight, facts).size(), other + 1);
    EXPECT_EQ(told(shared, facts).size(), other + 1) << "what could not be seen";
    EXPECT_EQ(told({{"gpu", {{"mig_mode", true}}}}, facts).size(), other + 1) << "the clocks are the card's";
    EXPECT_EQ(
        told({{"gpu", {{"pci", {{"link_width", 8}}}, {"link", {{"name", "NVLink-C2C"}}}}}}, facts).size(),
        other)
        << "data do not go by PCIe there";
}

// --- the margin of wall times

ResultSet wall_run(int number, double us, const char* commit = "x", const char* cpu = "Some CPU") {
    return set_in("run" + std::to_string(number), json::array({bound_row("w", us, nullptr, 0, "wall")}),
                  {{"build", {{"commit", commit}}}, {"cpu", {{"model", cpu}}}});
}

/// The verdict and the margin of one wall time against another, beside further runs of commit x.
std::pair<std::string, json> wall(const ResultSet& base, const ResultSet& fresh,
                                  const std::vector<ResultSet>& runs) {
    const json found = compare_sets(base, fresh, runs)["rows"][0];
    return {found["verdict"], found["margin"]};
}

TEST(WallTimes, AreComparedByTheMarginOfFiveRuns) {
    std::vector<ResultSet> runs;
    int number = 0;
    for (const double us : {10.0, 10.2, 10.1, 10.3, 10.4})
        runs.push_back(wall_run(++number, us));
    const ResultSet base = wall_run(8, 10, "y");
    const double margin = 1.04 * 1.04;  // 10.4 / 10.0, squared
    const auto [slower, told] = wall(base, wall_run(9, 11, "z"), runs);
    EXPECT_EQ(slower, "slower");
    EXPECT_NEAR(told.get<double>(), margin, 1e-9);
    EXPECT_EQ(wall(base, wall_run(9, 10.7, "z"), runs).first, "no difference resolved");
    EXPECT_EQ(wall(base, wall_run(9, 9, "z"), runs).first, "faster");
    runs.pop_back();
    const auto [four, none] = wall(base, wall_run(9, 20, "z"), runs);
    EXPECT_EQ(four, "not comparable");
    EXPECT_TRUE(none.is_null());
}

TEST(WallTimes, NeedRunsOfOneProgramOnOneKindOfMachine) {
    std::vector<ResultSet> mixed, others, twice;
    for (int k = 0; k < 5; ++k) {
        mixed.push_back(wall_run(k, 10, k == 0 ? "w" : "x"));
        others.push_back(wall_run(k, 10, "x", "Another CPU"));
        twice.push_back(wall_run(k / 2, 10));
    }
    const ResultSet base = wall_run(8, 10, "y"), fresh = wall_run(9, 20, "z");
    for (const auto& runs : {mixed, others, twice})
        EXPECT_EQ(wall(base, fresh, runs).first, "not comparable");
    EXPECT_EQ(compare_sets(base, fresh, twice)["wall_margin"], (json{{"sets", 3}, {"needed", 5}}));
    // The sets that are compared count with the others.
    mixed.erase(mixed.begin());
    EXPECT_EQ(wall(wall_run(8, 10), fresh, mixed).first, "slower");
}

// --- histories

TEST(History, FindsTheStepInTheOrderOfTime) {
    const auto day = [](const char* date, double us) {
        return set_in(date, json::array({bound_row("a", us)}), {{"date", date}});
    };
    // Given out of order; the second of the three equal days' sets follows as given.
    const json h = compare_history({day("2026-03-01", 12), day("2026-01-01", 10), day("2026-02-01", 10.1)});
    EXPECT_EQ(h["sets"][0]["directory"], "2026-01-01");
    ASSERT_EQ(h["rows"].size(), 1U);
    const json& a = h["rows"][0];
    EXPECT_EQ(a["values"], (json{10.0, 10.1, 12.0}));
    EXPECT_EQ(a["verdict"], "changed");
    ASSERT_EQ(a["steps"].size(), 1U);
    EXPECT_EQ(a["steps"][0]["to"], 2);
    EXPECT_EQ(a["steps"][0]["verdict"], "slower");
    EXPECT_EQ(a["newest"], "slower");
    EXPECT_NEAR(a["ratio"].get<double>(), 1.2, 1e-9);
    EXPECT_EQ(h["summary"]["changed"], 1);
}

TEST(History, FindsWhatCreeps) {
    std::vector<ResultSet> sets;
    for (const double us : {10.0, 10.15, 10.3, 10.45})
        sets.push_back(set_in(std::to_string(us), json::array({bound_row("a", us)})));
    const json rows = compare_history(sets)["rows"];
    ASSERT_EQ(rows[0]["steps"].size(), 1U);
    EXPECT_EQ(rows[0]["steps"][0]["from"], 0);
    EXPECT_EQ(rows[0]["steps"][0]["to"], 2);
}

TEST(History, StepsOverSetsThatLackTheRow) {
    const json skipped = tests::row_without_time("a", "skipped", "no GPU");
    const json h =
        compare_history({set_in("1", json::array({skipped})), set_in("2", json::array({bound_row("a", 10)})),
                         set_in("3", json::array()), set_in("4", {bound_row("a", 11), bound_row("b", 1)})});
    const json &a = h["rows"][0], &b = h["rows"][1];
    EXPECT_EQ(a["values"], (json{nullptr, 10.0, nullptr, 11.0}));
    ASSERT_EQ(a["steps"].size(), 1U);
    EXPECT_EQ(a["steps"][0]["from"], 1);
    EXPECT_EQ(a["steps"][0]["to"], 3);
    EXPECT_EQ(b["verdict"], "in one set only");
}

}  // namespace
}  // namespace gridmark::harness
