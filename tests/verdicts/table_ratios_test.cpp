#include "harness/compare/table_ratios.hpp"

#include <gtest/gtest.h>

#include <map>

#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::skipped;
using tests::time_of;

const json columns = json::array({{{"id", "all"}, {"select", json::object()}},
                                  {{"id", "a"}, {"select", {{"variant", "a"}}}},
                                  {{"id", "b"}, {"select", {{"variant", "b"}}}}});

json table(const json& keys, const json& ratio) {
    return {{"select", {{"nx", 512}}}, {"rows", keys}, {"columns", columns}, {"ratio", ratio}};
}

TEST(TableRatios, AreOfTwoColumnsInALine) {
    const json spec = table({"tile"}, {{"numerator", "b"}, {"denominator", "a"}});
    const json rows{time_of("a", "8", 10), time_of("b", "8", 20), time_of("a", "16", 10),
                    time_of("b", "16", 5)};
    std::map<std::string, double> found;
    for (const json& line : table_ratios(spec, rows))
        found[line["key"]["tile"]] = line["ratio"];
    ASSERT_EQ(found.size(), 2U);
    EXPECT_NEAR(found["8"], 2, 0.01);
    EXPECT_NEAR(found["16"], 0.5, 0.01);
}

TEST(TableRatios, HoldAllAgainstOne) {
    const json spec =
        table({"tile", "variant"}, {{"numerator", "all"}, {"against", {{"variant", {"a", "base"}}}}});
    const json rows{time_of("a", "8", 10),    time_of("b", "8", 20),  time_of("c", "8", 40),
                    time_of("base", "16", 5), time_of("b", "16", 20), skipped("c", "16")};
    std::map<std::string, double> found;
    for (const json& line : table_ratios(spec, rows))
        found[line["key"]["variant"].get<std::string>() + line["key"]["tile"].get<std::string>()] =
            line["ratio"];
    // Neither of what they are held against, nor of what has no number.
    ASSERT_EQ(found.size(), 3U);
    EXPECT_NEAR(found["b8"], 2, 0.01);
    EXPECT_NEAR(found["c8"], 4, 0.01);
    EXPECT_NEAR(found["b16"], 4, 0.01);
}

TEST(TableRatios, AreNoneWithoutWhatTheyAreHeldAgainst) {
    const json spec = table({"tile", "variant"}, {{"numerator", "all"}, {"against", {{"variant", "a"}}}});
    EXPECT_TRUE(
        table_ratios(spec, json{time_of("b", "8", 20), skipped("a", "8"), time_of("a", "16", 1)}).empty());
}

}  // namespace
}  // namespace gridmark::harness
