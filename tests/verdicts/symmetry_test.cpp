// Two sets compared both ways: ratios are inverse, faster is slower, and no count is lost.

#include <gtest/gtest.h>

#include <map>

#include "harness/compare/compare.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

using tests::timed_row;

const std::map<std::string, std::string> opposite{{"faster", "slower"},
                                                  {"slower", "faster"},
                                                  {"lower", "higher"},
                                                  {"higher", "lower"},
                                                  {"only in base", "only in new"},
                                                  {"only in new", "only in base"}};

std::string turned_round(const std::string& verdict) {
    const auto found = opposite.find(verdict);
    return found == opposite.end() ? verdict : found->second;
}

/// Times of so many processes of three samples each, skewed, give or take `scatter` from process to process.
json time_by(std::size_t processes, double us, double scatter, const json& changes = json::object()) {
    std::vector<double> samples;
    for (std::size_t k = 0; k < processes; ++k)
        for (const double factor : {1.0, 1.0, 1.3})
            samples.push_back(us * factor * (1 + scatter * (static_cast<double>(k % 3) - 1)));
    json row = timed_row("x", samples, {{"process_samples", std::vector<std::size_t>(processes, 3)}});
    row.update(changes);
    return row;
}

TEST(ComparedTheOtherWayRound, IsInverseAndOpposite) {
    std::map<std::string, int> seen;
    for (const json& changes : {json::object(), json{{"clock", "step"}}, json{{"clock", "wall"}},
                                json{{"quantity", "hit_rate"}, {"unit", "%"}}})
        for (const std::size_t processes : {1, 3})
            for (const std::size_t others : {1, 3})
                for (const double scatter : {0.0, 0.02})
                    for (const std::optional<double> margin : {std::optional<double>(), {1.1}})
                        for (double us = 7; us < 14; us *= 1.04) {
                            const json base = time_by(processes, 10, scatter, changes),
                                       fresh = time_by(others, us, 0.001, changes);
                            const RowComparison one = compare_rows(base, fresh, margin),
                                                two = compare_rows(fresh, base, margin);
                            ++seen[one.verdict];
                            ASSERT_EQ(two.verdict, turned_round(one.verdict)) << us;
                            ASSERT_EQ(two.reason, one.reason);
                            ASSERT_DOUBLE_EQ(two.ratio, 1 / one.ratio);
                            ASSERT_NEAR(two.interval.low, 1 / one.interval.high, 1e-12);
                            ASSERT_NEAR(two.interval.high, 1 / one.interval.low, 1e-12);
                        }
    for (const char* verdict : {"faster", "slower", "lower", "higher", "rough difference",
                                "no difference resolved", "not comparable"})
        EXPECT_GT(seen[verdict], 0) << verdict << " was never reached";
}

// From faster by way of nothing to slower, each once.
TEST(ComparedOnTheWay, GoesFromFasterToSlowerAndNeverBack) {
    const auto way = [](std::size_t processes, std::optional<double> margin, const json& changes) {
        std::vector<std::string> found;
        for (double us = 7; us < 14; us *= 1.002) {
            const auto verdict =
                compare_rows(time_by(3, 10, 0.005, changes), time_by(processes, us, 0.005, changes), margin)
                    .verdict;
            if (found.empty() || found.back() != verdict) found.push_back(verdict);
        }
        return found;
    };
    using Way = std::vector<std::string>;
    const Way full{"faster", "no difference resolved", "slower"};
    EXPECT_EQ(way(3, std::nullopt, json::object()), full);
    EXPECT_EQ(way(3, 1.2, {{"clock", "wall"}}), full);
    EXPECT_EQ(way(1, std::nullopt, json::object()),
              (Way{"rough difference", "no difference resolved", "rough difference"}));
    EXPECT_EQ(way(3, std::nullopt, {{"quantity", "hit_rate"}}),
              (Way{"lower", "no difference resolved", "higher"}));
}

/// A still time: its interval is its ratio.
json still(double us, const json& changes = json::object()) {
    return time_by(3, us, 0, changes);
}

TEST(ComparedByABound, ADifferenceBeginsBeyondIt) {
    const auto verdict = [](double us, const json& changes = json::object(),
                            std::optional<double> margin = {}) {
        return compare_rows(still(1000, changes), still(us, changes), margin).verdict;
    };
    EXPECT_EQ(verdict(1020), "no difference resolved") << "1.02 itself";
    EXPECT_EQ(verdict(1020.1), "slower");
    EXPECT_EQ(verdict(980.5), "no difference resolved") << "1 / 1.02 is 0.9804, not 0.98";
    EXPECT_EQ(verdict(980.3), "faster");
    const json wall{{"clock", "wall"}};
    EXPECT_EQ(verdict(1049, wall, 1.05), "no difference resolved");
    EXPECT_EQ(verdict(1051, wall, 1.05), "slower");
    EXPECT_EQ(verdict(953, wall, 1.05), "no difference resolved") << "1 / 1.05 is 0.952";
    EXPECT_EQ(verdict(952, wall, 1.05), "faster");
    EXPECT_EQ(verdict(1015, wall, 1.001), "no difference resolved")
        << "no margin is less than the resolution";
    EXPECT_EQ(verdict(1030, json::object(), 1.1), "slower") << "a margin is of wall times alone";
}

TEST(ComparedByABound, ARoughDifferenceIsBeyondFivePercentAndOnOneSideOfOne) {
    const auto rough = [](const std::vector<double>& samples) {
        const json base = timed_row("x", std::vector<double>(9, 1000), {{"process_samples", {3, 3, 3}}});
        return compare_rows(base, timed_row("x", samples)).rough();
    };
    for (const double us : {1049.0, 953.0})
        EXPECT_FALSE(rough({us, us, us})) << us << ", and 1 / 1.05 is 0.952";
    for (const double us : {1051.0, 952.0})
        EXPECT_TRUE(rough({us, us, us})) << us;
    EXPECT_TRUE(rough({1030, 1080, 1090}));
    EXPECT_TRUE(rough({910, 920, 970}));
    EXPECT_FALSE(rough({990, 1080, 1090})) << "its interval reaches to the other side";
    EXPECT_FALSE(rough({910, 920, 1010})) << "its interval reaches to the other side";
    EXPECT_FALSE(rough({1000, 1080, 1090})) << "its interval ends on 1";
}

TEST(ComparedByABound, ARoughDifferenceNeedsAGpusClockOnBothSides) {
    const auto rough = [](const char* base, const char* fresh) {
        const auto once = [](double us, const char* clock) { return time_by(1, us, 0, {{"clock", clock}}); };
        return compare_rows(once(10, base), once(20, fresh)).rough();
    };
    for (const char* one : {"kernel", "step"})
        for (const char* other : {"kernel", "step"})
            EXPECT_TRUE(rough(one, other)) << one << other;
    const json counted{{"clock", nullptr}};
    EXPECT_FALSE(compare_rows(time_by(1, 10, 0), time_by(1, 20, 0, counted)).rough());
    EXPECT_FALSE(compare_rows(time_by(1, 10, 0, counted), time_by(1, 20, 0)).rough());
}

// --- whole documents

json named_time(const std::string& name, double us, const json& changes = json::object()) {
    return time_by(3, us, 0.001, [&] {
        json all{{"name", name}};
        all.update(changes);
        return all;
    }());
}

TEST(SetsComparedTheOtherWayRound, ExchangeEveryCountAndRatio) {
    const json rate{{"quantity", "rate"}, {"unit", "%"}, {"clock", nullptr}};
    const ResultSet base =
                        set_in("a", {named_time("1", 10), named_time("2", 10), named_time("3", 10),
                                     named_time("4", 10), named_time("5", 10, rate), named_time("gone", 3)}),
                    fresh = set_in("b", {named_time("1", 5), named_time("2", 8), named_time("3", 14),
                                         named_time("4", 10), named_time("5", 30, rate), named_time("new", 3),
                                         named_time("newer", 3)});
    const json one = compare_sets(base, fresh), two = compare_sets(fresh, base);
    EXPECT_EQ(one["base"], two["new"]);
    EXPECT_EQ(one["new"], two["base"]);
    for (const auto& [verdict, count] : one["summary"].items())
        EXPECT_EQ(two["summary"][turned_round(verdict)], count) << verdict;
    EXPECT_EQ(one["summary"]["faster"], 2);
    EXPECT_EQ(one["summary"]["higher"], 1);
    EXPECT_EQ(one["summary"]["only in new"], 2);
    const json &study = one["studies"][0], &back = two["studies"][0];
    EXPECT_EQ(study["times"]["faster"], back["times"]["slower"]);
    EXPECT_EQ(study["times"]["slower"], back["times"]["faster"]);
    EXPECT_EQ(study["times"]["comparable"], 4);
    EXPECT_EQ(back["times"]["comparable"], 4);
    EXPECT_EQ(study["values"], (json{{"comparable", 1}, {"differing", 1}}));
    EXPECT_EQ(back["values"], study["values"]);
    EXPECT_EQ(study["times"]["fastest"]["name"], "1");
    EXPECT_EQ(back["times"]["slowest"]["name"], "1");
    EXPECT_EQ(study["times"]["slowest"]["name"], "3");
    EXPECT_DOUBLE_EQ(study["times"]["fastest"]["ratio"].get<double>(), 0.5);
    // 0.5, 0.8, 1 and 1.4: the mean would be 0.925.
    EXPECT_NEAR(study["times"]["median"].get<double>(), 0.9, 1e-9);
    ASSERT_EQ(one["rows"].size(), two["rows"].size());
    std::map<std::string, json> turned;
    for (const json& row : two["rows"])
        turned[row["name"]] = row;
    for (const json& row : one["rows"]) {
        const json& other = turned.at(row["name"]);
        EXPECT_EQ(other["verdict"].get<std::string>(), turned_round(row["verdict"]));
        EXPECT_EQ(other["base"], row["new"]);
        EXPECT_EQ(other["new"], row["base"]);
        EXPECT_EQ(other["ratio"].is_null(), row["ratio"].is_null());
        if (!row["ratio"].is_null()) {
            EXPECT_NEAR(other["ratio"].get<double>() * row["ratio"].get<double>(), 1, 1e-12);
        }
    }
}

TEST(SetsComparedWithThemselves, DifferInNothing) {
    const ResultSet set = set_in("a", {named_time("1", 10), named_time("2", 3)});
    const json same = compare_sets(set, set);
    EXPECT_EQ(same["summary"]["no difference resolved"], 2);
    EXPECT_EQ(same["machine_differences"], json::array());
    EXPECT_EQ(same["studies"][0]["times"]["median"], 1);
    EXPECT_EQ(same["rows"][0]["ratio"], 1);
}

TEST(SetsCompared, HoldExperimentsOfOneSideAlone) {
    ResultSet base = set_in("a", json::array({named_time("1", 10)})), fresh = base;
    base.files["heat"] = tests::document(json::array({named_time("h", 1)}), "heat").get<ResultFile>();
    fresh.files["maxwell"] = tests::document(json::array({named_time("m", 1)}), "maxwell").get<ResultFile>();
    std::map<std::string, std::string> verdicts;
    const json document = compare_sets(base, fresh);
    for (const json& row : document["rows"])
        verdicts[row["name"]] = row["verdict"];
    EXPECT_EQ(verdicts, (std::map<std::string, std::string>{
                            {"1", "no difference resolved"}, {"h", "only in base"}, {"m", "only in new"}}));
}

TEST(SetsCompared, TellNoRatioWhereItWouldMeanNothing) {
    const auto row_of = [](const json& base, const json& fresh) {
        return compare_sets(set_in("a", json::array({base})), set_in("b", json::array({fresh})))["rows"][0];
    };
    const json time = named_time("x", 10), other_unit = named_time("x", 5, {{"unit", "ms"}}),
               printed = tests::published_row("x", 5);
    for (const json& row : {row_of(time, other_unit), row_of(other_unit, time)})
        EXPECT_TRUE(row["ratio"].is_null() && row["interval"].is_null()) << row;
    EXPECT_NEAR(row_of(time, printed)["ratio"].get<double>(), 0.5, 1e-3);
    EXPECT_NEAR(row_of(printed, time)["ratio"].get<double>(), 2, 1e-2);
    for (const json& row : {row_of(time, printed), row_of(printed, time), row_of(printed, printed)})
        EXPECT_TRUE(row["interval"].is_null()) << "a printed number has none: " << row;
}

}  // namespace
}  // namespace gridmark::harness
