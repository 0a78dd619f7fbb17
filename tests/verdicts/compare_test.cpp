#include "harness/compare/compare.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::about;
using tests::timed_row;

/// Three launches of nine samples about `us`.
json time_of(double us, const json& changes = json::object()) {
    json row = timed_row("jacobi/a/kernel/hot", about(us), {{"process_samples", {9, 9, 9}}});
    row.update(changes);
    return row;
}

TEST(CompareRows, ResolvesADifferenceBeyondTwoPercent) {
    EXPECT_EQ(compare_rows(time_of(10), time_of(9)).verdict, "faster");
    const RowComparison slower = compare_rows(time_of(10), time_of(11));
    EXPECT_EQ(slower.verdict, "slower");
    EXPECT_TRUE(slower.reason.empty());
    EXPECT_DOUBLE_EQ(slower.ratio, 1.1);
    EXPECT_NEAR(slower.interval.low, 1.1, 0.01);
    EXPECT_NEAR(slower.interval.high, 1.1, 0.01);
}

TEST(CompareRows, ResolvesNothingInsideOfIt) {
    for (double us : {10.0, 10.1, 9.9, 10.195, 9.81}) {
        const RowComparison c = compare_rows(time_of(10), time_of(us));
        EXPECT_EQ(c.verdict, "no difference resolved") << us;
        EXPECT_TRUE(c.reason.empty()) << c.reason;
    }
    // 3 % beyond, but an interval that reaches inside.
    json wide = time_of(10.3);
    for (std::size_t k = 0; k < 27; ++k)
        wide["samples"][k] = k < 9 ? 10.1 : k < 18 ? 10.3 : 10.5;
    EXPECT_EQ(compare_rows(time_of(10), wide).verdict, "no difference resolved");
}

/// What `quick` gives: one launch.
json quick_time_of(double us, const json& changes = json::object()) {
    json row = time_of(us, {{"process_samples", {27}}, {"status", "estimate"}, {"reason", "preset quick"}});
    row.update(changes);
    return row;
}

TEST(CompareRows, IsRoughWithoutThreeLaunchesOnBothSides) {
    const auto two = [](double us) { return time_of(us, {{"process_samples", {13, 14}}}); };
    const json few = timed_row("jacobi/a/kernel/hot", {9.9, 10, 10.1}, {{"status", "estimate"}});
    for (const auto& [base, fresh] : {std::pair{time_of(10), two(5)},
                                      {two(5), time_of(10)},
                                      {two(10), two(5)},
                                      {time_of(10), quick_time_of(10.6)},
                                      {quick_time_of(10.6), quick_time_of(10)},
                                      {few, quick_time_of(11)}}) {
        const RowComparison c = compare_rows(base, fresh);
        EXPECT_EQ(c.verdict, "rough difference") << base << fresh;
        EXPECT_EQ(c.reason, "fewer than three processes");
        EXPECT_TRUE(c.rough());
        EXPECT_FALSE(c.resolved() || c.comparable());
    }
}

TEST(CompareRows, IsRoughBeyondFivePercentAlone) {
    json wide = quick_time_of(10.8);
    for (std::size_t k = 0; k < 27; ++k)
        wide["samples"][k] = k < 13 ? 9.5 : 10.8;
    for (const json& fresh : {quick_time_of(10.4), quick_time_of(9.6), wide}) {
        const RowComparison c = compare_rows(quick_time_of(10), fresh);
        EXPECT_EQ(c.verdict, "no difference resolved") << c.ratio;
        EXPECT_EQ(c.reason, "fewer than three processes");
        EXPECT_TRUE(c.roughly_comparable());
    }
    // What no clock of a GPU tells: a CPU's time, and what is counted once in every preset.
    EXPECT_EQ(
        compare_rows(quick_time_of(10, {{"clock", "wall"}}), quick_time_of(20, {{"clock", "wall"}})).verdict,
        "not comparable");
    const json counted{{"clock", nullptr}, {"quantity", "instructions"}};
    EXPECT_EQ(compare_rows(quick_time_of(10, counted), quick_time_of(20, counted)).verdict,
              "no difference resolved");
}

// The fastest version may run on a GPU there and on the CPU here.
TEST(CompareRows, NeverComparesAWallTimeOfEitherSide) {
    EXPECT_EQ(compare_rows(time_of(10, {{"clock", "wall"}}), time_of(5)).verdict, "not comparable");
    EXPECT_EQ(compare_rows(time_of(10), time_of(5, {{"clock", "wall"}})).verdict, "not comparable");
}

// One launch of the new set as fast as the base: its median widens the interval.
TEST(CompareRows, BelievesNoLaunchMoreThanAnother) {
    json moving = time_of(10);
    for (std::size_t k = 9; k < 27; ++k)
        moving["samples"][k] = 11;
    EXPECT_EQ(compare_rows(time_of(10), moving).verdict, "no difference resolved");
}

/// A row of three launches of nine samples each, which rise by `step` from one to the next.
json drifting(double factor, double step) {
    json row = time_of(10, {{"group", "group/kernel"}});
    for (std::size_t k = 0; k < 27; ++k)
        row["samples"][k] = factor * (10 + step * static_cast<double>(k % 9));
    return row;
}

// The k-th samples of two runs do not belong together, even where both runs gave their pairs the same name:
// what drifts the other way compares as what drifts alike.
TEST(CompareRows, NeverPairsSamplesOfDifferentRuns) {
    for (const double factor : {1.0, 0.95}) {
        json falling = drifting(factor, 0.25);
        std::reverse(falling["samples"].begin(), falling["samples"].end());
        const RowComparison alike = compare_rows(drifting(1, 0.25), drifting(factor, 0.25)),
                            other = compare_rows(drifting(1, 0.25), falling);
        EXPECT_EQ(alike.verdict, factor == 1 ? "no difference resolved" : "faster");
        EXPECT_EQ(other.verdict, alike.verdict);
        EXPECT_EQ(other.interval, alike.interval);
    }
}

TEST(CompareRows, SeesNoDifferenceThatOneLaunchLacks) {
    json one_alike = drifting(0.95, 0.25);
    for (std::size_t k = 0; k < 9; ++k)
        one_alike["samples"][k] = 10 + 0.25 * static_cast<double>(k);
    EXPECT_EQ(compare_rows(drifting(1, 0.25), one_alike).verdict, "no difference resolved");
}

TEST(CompareRows, NeverComparesWallTimesOfDifferentRuns) {
    const RowComparison c = compare_rows(time_of(10, {{"clock", "wall"}}), time_of(5, {{"clock", "wall"}}));
    EXPECT_EQ(c.verdict, "not comparable");
    EXPECT_NE(c.reason.find("wall"), std::string::npos);
    EXPECT_EQ(compare_rows(time_of(10, {{"clock", "step"}}), time_of(5, {{"clock", "step"}})).verdict,
              "faster");
}

TEST(CompareRows, NeverComparesPublishedNumbers) {
    const json published = tests::published_row("jacobi/a/kernel/hot", 41);
    for (const auto& [base, fresh] : {std::pair{published, time_of(5)}, {time_of(5), published}}) {
        const RowComparison c = compare_rows(base, fresh);
        EXPECT_EQ(c.verdict, "not comparable");
        EXPECT_NE(c.reason.find("published"), std::string::npos);
    }
    EXPECT_DOUBLE_EQ(compare_rows(published, time_of(5)).ratio, 5.0 / 41) << "the ratio is context";
}

// A derived value has no interval of its own: how far two may differ by chance is not known.
TEST(CompareRows, NeverComparesDerivedValues) {
    const auto derived = [](double value) {
        return tests::published_row("e/fit", value, {{"quantity", "slope"}, {"clock", nullptr}});
    };
    const RowComparison c = compare_rows(derived(10), derived(5));
    EXPECT_EQ(c.verdict, "not comparable");
    EXPECT_NE(c.reason.find("derived"), std::string::npos);
    EXPECT_DOUBLE_EQ(c.ratio, 0.5);
}

TEST(CompareRows, NeverComparesDifferentUnits) {
    const RowComparison c = compare_rows(time_of(10), time_of(5, {{"unit", "ms"}}));
    EXPECT_EQ(c.verdict, "not comparable");
    EXPECT_EQ(c.reason, "different units");
}

TEST(CompareRows, FindsNoRatioOfWhatMayBeZero) {
    const json below = timed_row("cost", {-3, -2, -1});
    const auto c = compare_rows(below, below);
    EXPECT_EQ(c.verdict, "not comparable");
    EXPECT_NE(c.reason.find("0 or below"), std::string::npos);
}

TEST(CompareRows, GivesTheReasonOfARowWithoutANumber) {
    const json failed = tests::row_without_time("jacobi/a/kernel/hot", "failed", "wrong answer");
    for (const auto& [base, fresh] : {std::pair{failed, time_of(5)}, {time_of(5), failed}}) {
        const RowComparison c = compare_rows(base, fresh);
        EXPECT_EQ(c.verdict, "not comparable");
        EXPECT_EQ(c.reason, "failed: wrong answer");
    }
}

TEST(CompareRows, ComparesNoDisturbedRowUnlessItIsAllowed) {
    for (const bool allowed : {false, true}) {
        json marked = time_of(5);
        marked["disturbed"] = {{"by", {"another process"}}, {"allowed", allowed}};
        for (const auto& [base, fresh] : {std::pair{marked, time_of(5)}, {time_of(5), marked}}) {
            const RowComparison c = compare_rows(base, fresh);
            EXPECT_EQ(c.verdict, allowed ? "no difference resolved" : "not comparable");
            if (!allowed) EXPECT_EQ(c.reason, "disturbed: another process");
        }
    }
}

TEST(CompareRows, CallsARateHigherOrLower) {
    const json rate{{"quantity", "l1_hit_rate"}, {"unit", "%"}};
    EXPECT_EQ(compare_rows(time_of(70, rate), time_of(80, rate)).verdict, "higher");
    EXPECT_EQ(compare_rows(time_of(70, rate), time_of(60, rate)).verdict, "lower");
}

ResultSet set_of(const json& rows, const std::string& machine, const json& context = json::object()) {
    json d = tests::document(rows);
    d["context"]["machine"] = machine;
    d["context"].update(context);
    return {"results/" + machine, machine, d["context"]["complete"].get<bool>(), {{"jacobi", d}}};
}

json named(const std::string& name, double us) {
    return time_of(us, {{"name", name}});
}

const json* row_called(const json& comparison, const std::string& name) {
    for (const json& row : comparison["rows"])
        if (row["name"] == name) return &row;
    return nullptr;
}

TEST(CompareSets, SetsRowsSideBySide) {
    const json c = compare_sets(set_of({named("same", 10), named("fast", 10), named("gone", 7)}, "old"),
                                set_of({named("same", 10), named("fast", 5), named("fresh", 8)}, "new"));
    ASSERT_EQ(c["rows"].size(), 4U);
    EXPECT_EQ(c["base"]["machine"], "old");
    EXPECT_EQ(c["new"]["machine"], "new");
    EXPECT_EQ(c["new"]["directory"], "results/new");

    const json& fast = *row_called(c, "fast");
    EXPECT_EQ(fast["verdict"], "faster");
    EXPECT_EQ(fast["base"], 10.0);
    EXPECT_EQ(fast["new"], 5.0);
    EXPECT_EQ(fast["ratio"], 0.5);
    EXPECT_NEAR(fast["interval"][0].get<double>(), 0.5, 0.01);
    EXPECT_EQ(fast["clock"], "kernel");
    EXPECT_EQ(fast["variant"], "gpu_shared");
    EXPECT_TRUE(fast["reason"].is_null());

    const json &gone = *row_called(c, "gone"), &fresh = *row_called(c, "fresh");
    EXPECT_EQ(gone["verdict"], "only in base");
    EXPECT_EQ(gone["base"], 7.0);
    EXPECT_TRUE(gone["new"].is_null());
    EXPECT_EQ(fresh["verdict"], "only in new");
    EXPECT_TRUE(fresh["base"].is_null());
    EXPECT_EQ(fresh["new"], 8.0);
    EXPECT_TRUE(fresh["ratio"].is_null());

    EXPECT_EQ(c["summary"]["faster"], 1);
    EXPECT_EQ(c["summary"]["no difference resolved"], 1);
    EXPECT_EQ(c["summary"]["only in base"], 1);
    EXPECT_EQ(c["summary"]["only in new"], 1);
    EXPECT_EQ(c["summary"]["slower"], 0);
    EXPECT_EQ(c["summary"]["not comparable"], 0);
}

TEST(CompareSets, APublishedRatioStandsWithoutAnInterval) {
    const json c = compare_sets(set_of(json::array({tests::published_row("a", 40)}), "paper"),
                                set_of(json::array({named("a", 5)}), "new"));
    const json& row = *row_called(c, "a");
    EXPECT_EQ(row["verdict"], "not comparable");
    EXPECT_EQ(row["ratio"], 0.125);
    EXPECT_TRUE(row["interval"].is_null());
}

TEST(CompareSets, ARowWithoutANumberHasNoRatio) {
    const json c =
        compare_sets(set_of(json::array({tests::row_without_time("a", "skipped", "no GPU")}), "old"),
                     set_of(json::array({named("a", 5)}), "new"));
    const json& row = *row_called(c, "a");
    EXPECT_EQ(row["verdict"], "not comparable");
    EXPECT_EQ(row["reason"], "skipped: no GPU");
    EXPECT_TRUE(row["base"].is_null());
    EXPECT_EQ(row["new"], 5.0);
    EXPECT_TRUE(row["ratio"].is_null());
}

TEST(CompareSets, ListsWhatDiffersBetweenTheMachines) {
    const json c =
        compare_sets(set_of(json::array(), "old",
                            {{"gpu", {{"name", "A"}, {"clocks", {{"sm_mhz", 345}, {"sm_max_mhz", 1980}}}}},
                             {"software", {{"driver", "1"}}}}),
                     set_of(json::array(), "new",
                            {{"gpu", {{"name", "A"}, {"clocks", {{"sm_mhz", 1200}, {"sm_max_mhz", 1755}}}}},
                             {"complete", false}}));
    std::map<std::string, json> differences;
    for (const json& d : c["machine_differences"])
        differences[d["key"]] = {d["base"], d["new"]};
    EXPECT_EQ(differences, (std::map<std::string, json>{{"machine", {"old", "new"}},
                                                        {"complete", {true, false}},
                                                        {"gpu.clocks.sm_max_mhz", {1980, 1755}},
                                                        {"software.driver", {"1", nullptr}}}));
    EXPECT_EQ(c["new"]["complete"], false);
}

// The reference's experiments are from several cards and programs: each is set beside its own counterpart.
TEST(CompareSets, ListsWhatDiffersExperimentByExperiment) {
    const auto set = [](const std::map<std::string, std::string>& commits) {
        ResultSet result{"results/x", "x", true, {}};
        for (const auto& [id, commit] : commits) {
            json d = tests::document(json::array());
            d["context"]["build"] = {{"commit", commit}};
            result.files[id] = d.get<ResultFile>();
        }
        return result;
    };
    const auto told = [&](const std::map<std::string, std::string>& base,
                          const std::map<std::string, std::string>& fresh) {
        return compare_sets(set(base), set(fresh))["machine_differences"];
    };
    const auto difference = [](const char* base, const char* fresh, const json& experiments) {
        return json{{"key", "build.commit"}, {"base", base}, {"new", fresh}, {"experiments", experiments}};
    };
    EXPECT_EQ(told({{"heat", "a"}, {"jacobi", "b"}}, {{"heat", "a"}, {"jacobi", "b"}}), json::array());
    EXPECT_EQ(told({{"heat", "a"}, {"jacobi", "b"}, {"maxwell", "a"}, {"pyramid", "z"}},
                   {{"heat", "c"}, {"jacobi", "b"}, {"maxwell", "c"}}),
              json::array({difference("a", "c", {"heat", "maxwell"})}));
    EXPECT_EQ(told({{"heat", "a"}, {"jacobi", "b"}}, {{"heat", "c"}, {"jacobi", "c"}}),
              json::array({difference("a", "c", {"heat"}), difference("b", "c", {"jacobi"})}));
    EXPECT_EQ(told({{"heat", "a"}, {"jacobi", "a"}}, {{"heat", "c"}, {"jacobi", "c"}}),
              json::array({difference("a", "c", nullptr)}));
    EXPECT_EQ(told({{"heat", "a"}}, {{"jacobi", "c"}}), json::array({difference("a", "c", nullptr)}));
}

}  // namespace
}  // namespace gridmark::harness
