// Which versions race, by which cost, and which ratios a table holds.

#include <gtest/gtest.h>

#include "harness/compare/fastest.hpp"
#include "harness/compare/table_ratios.hpp"
#include "harness/results/ratio.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// A time of three processes; of a grid of n by n, with so many operations.
json racing(const std::string& variant, int n, double us, double flops,
            const json& changes = json::object()) {
    json row = tests::timed_row(variant + "/" + std::to_string(n), tests::about(us),
                                {{"variant", variant},
                                 {"parameters", {{"nx", n}, {"ny", n}}},
                                 {"process_samples", {9, 9, 9}},
                                 {"flops", flops}});
    row.update(changes);
    return row;
}

ResultFile racers(const std::vector<json>& rows) {
    return tests::document(json(rows)).get<ResultFile>();
}

const json by_size{
    {"hardware", {{"title", "the largest"}, {"select", {{"nx", 64}, {"ny", 64}}}, {"rows", {"variant"}}}}};

TEST(RaceOfVersions, IsOrderedByTheBestRowOfEach) {
    const json slow = racing("a", 64, 9, 1), better = racing("a", 64, 5, 1, {{"name", "a/64/other"}}),
               best = racing("b", 64, 4, 1), worst = racing("c", 64, 7, 1);
    for (const auto& rows :
         std::vector<std::vector<json>>{{slow, better, best, worst}, {worst, best, better, slow}}) {
        const ResultFile file = racers(rows);
        const auto race = race_of(by_size, {&file.rows});
        ASSERT_TRUE(race);
        std::vector<double> order;
        for (const Row& row : race->fastest())
            order.push_back(*row.median);
        EXPECT_EQ(order, (std::vector<double>{4, 5, 7}));
    }
}

TEST(RaceOfVersions, HasNoTimeOfNothingOrLess) {
    const auto fastest = [](const json& row) {
        return fastest_of("e", by_size, racers({row, racing("b", 64, 4, 1)}))["new"]["variant"]
            .get<std::string>();
    };
    EXPECT_EQ(fastest(racing("a", 64, 3, 1)), "a");
    for (const double none : {0.0, -1.0})
        EXPECT_EQ(fastest(racing("a", 64, 3, 1, {{"median", none}})), "b") << none;
}

TEST(RaceOfVersions, AtTheLargestSizeNamesAllOfItsNumbers) {
    const json found = fastest_of("e", by_size, racers({racing("a", 8, 1, 10), racing("a", 16, 2, 20)}));
    EXPECT_EQ(found["problem"], "nx=16 ny=16");
    EXPECT_EQ(found["headline"], false);
    EXPECT_EQ(found["new"]["value"], 2);
}

TEST(RaceOfVersions, ByOperationNeedsTheirNumberAndDividesByIt) {
    const json none = json::object();
    // 4 us of 100 operations are less an operation than 1 us of 10.
    const ResultFile base = racers({racing("a", 8, 1, 10), racing("a", 16, 4, 100), racing("b", 8, 1, 0)}),
                     fresh =
                         racers({racing("a", 8, 1, 10), racing("a", 16, 6, 100), racing("b", 8, 0.001, 0)});
    const json found = fastest_of_two("e", none, base, fresh, {});
    EXPECT_EQ(found["base"]["value"], 4) << "as measured";
    EXPECT_EQ(found["new"]["value"], 6);
    EXPECT_NEAR(found["ratio"].get<double>(), 1.5, 1e-9);
    // Problems that differ in size: 2 us of 10 operations, and 1 us of 100.
    const ResultFile small = racers({racing("a", 8, 2, 10, {{"name", "x"}})}),
                     large = racers({racing("a", 16, 1, 100, {{"name", "x"}})});
    EXPECT_NEAR(fastest_of_two("e", none, small, large, {})["ratio"].get<double>(), 0.05, 1e-9);
    EXPECT_EQ(fastest_of_two("e", none, small, large, {})["verdict"], "faster");
}

TEST(RaceOfVersions, IsNoneWhereNoRowSaysItsOperations) {
    const json none = json::object();
    EXPECT_TRUE(fastest_of("e", none, racers({racing("a", 8, 1, 0)})).is_null());
    EXPECT_FALSE(fastest_of("e", by_size, racers({racing("a", 64, 1, 0)})).is_null())
        << "of one size by time";
}

TEST(RaceOfVersions, NamesTheBestOfWhatOneSideAloneHasIfItBeatsTheRest) {
    const auto alone = [](double us, double other) {
        const ResultFile base = racers(
                             {racing("a", 64, 5, 1), racing("b", 64, us, 1), racing("c", 64, other, 1)}),
                         fresh = racers({racing("a", 64, 5, 1)});
        const json found = fastest_of_two("e", by_size, base, fresh, {})["alone"]["base"];
        return found.is_null() ? "none" : found["variant"].get<std::string>();
    };
    EXPECT_EQ(alone(3, 4), "b");
    EXPECT_EQ(alone(4, 3), "c");
    EXPECT_EQ(alone(6, 7), "none");
    EXPECT_EQ(alone(5, 5), "none") << "as fast is not faster";
}

// --- ratios of a table

const json two_columns{
    {"select", json::object()},
    {"rows", {"tile"}},
    {"columns",
     {{{"id", "a"}, {"select", {{"variant", "a"}}}}, {{"id", "b"}, {"select", {{"variant", "b"}}}}}},
    {"ratio", {{"numerator", "a"}, {"denominator", "b"}}}};

TEST(RatiosOfATable, AreThoseOfRowsOfOneRunWithTheirIntervals) {
    // Processes that drift alike: of one run their ratio is narrow, of two it would be wide.
    const auto drifting = [](const char* variant, double us) {
        return tests::time_of(
            variant, "8", us,
            {{"samples", {us, 1.5 * us, 2 * us}}, {"process_samples", {1, 1, 1}}, {"median", 1.5 * us}});
    };
    const json rows{drifting("a", 20), drifting("b", 10)};
    const json found = table_ratios(two_columns, rows);
    ASSERT_EQ(found.size(), 1U);
    const Ratio expected = row_ratio(rows[0], rows[1], Runs::same);
    EXPECT_EQ(found[0]["key"], (json{{"tile", "8"}}));
    EXPECT_EQ(found[0]["ratio"], expected.value);
    EXPECT_EQ(found[0]["interval"], (json{expected.interval.low, expected.interval.high}));
    EXPECT_LT(expected.interval.high, 2.1);
}

TEST(RatiosOfATable, AreNoneOfWhatDoesNotCountOrHasNoRatio) {
    const json good = tests::time_of("b", "8", 10);
    const auto count = [&](const json& row) { return table_ratios(two_columns, json{row, good}).size(); };
    EXPECT_EQ(count(tests::time_of("a", "8", 10)), 1U);
    EXPECT_EQ(count(tests::time_of("a", "8", 10, {{"disturbed", {{"by", {"x"}}, {"allowed", false}}}})), 0U);
    EXPECT_EQ(count(tests::time_of("a", "8", 10, {{"disturbed", {{"by", {"x"}}, {"allowed", true}}}})), 1U);
    EXPECT_EQ(count(tests::time_of("a", "8", 10,
                                   {{"samples", {-1, 0, 1}}, {"process_samples", {3}}, {"median", 0}})),
              0U);
    EXPECT_EQ(count(tests::time_of("a", "16", 10)), 0U);
    EXPECT_EQ(count(tests::skipped("a", "8")), 0U);
    EXPECT_TRUE(table_ratios(two_columns, {}).empty());
}

}  // namespace
}  // namespace gridmark::harness
