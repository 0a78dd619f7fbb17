// How a machine stands beside equal ones: by how many of its rows, by which ceiling, and in which order.

#include <gtest/gtest.h>

#include "harness/compare/machines.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

/// Machines with these rows, each bound by the memory on all of them, and these copy bandwidths.
std::vector<ResultSet> machines_with(const std::vector<std::vector<double>>& rows,
                                     const std::vector<double>& slowness,
                                     const json& changes = json::object(),
                                     const char* bound = "gpu_copy_bandwidth") {
    std::vector<ResultSet> sets;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        json made = json::array();
        for (std::size_t i = 0; i < rows[k].size(); ++i) {
            made.push_back(bound_row(std::string(1, static_cast<char>('a' + i)), 100 * rows[k][i], bound));
            made.back().update(changes);
        }
        sets.push_back(set_in("m" + std::to_string(k), made,
                              {{"ceilings", json::array({ceiling(bound, 4000 / slowness[k], "GB/s")})}}));
    }
    return sets;
}

std::vector<Straggler> slow_among(const std::vector<ResultSet>& sets) {
    return stragglers(addresses_of(sets));
}

TEST(SlowMachine, IsOneWhereHalfOfItsRowsTell) {
    const std::vector<double> well{1, 1, 1, 1};
    const auto found = slow_among(machines_with({well, well, well, {1, 1.05, 1.2, 1}}, {1, 1, 1, 1}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].slower, 2U);
    EXPECT_EQ(found[0].bound, 4U);
    EXPECT_EQ(found[0].row, "c") << "the one that tells most";
    EXPECT_NEAR(found[0].row_ratio, 1.2, 1e-9);
    EXPECT_FALSE(found[0].ceiling) << "it tells nothing";
    EXPECT_TRUE(slow_among(machines_with({well, well, well, {1, 1.05, 1, 1}}, {1, 1, 1, 1})).empty());
    EXPECT_TRUE(
        slow_among(machines_with({well, well, well, {1.019, 1.019, 1.019, 1}}, {1, 1, 1, 1})).empty());
}

TEST(SlowMachine, IsByItsCeilingAloneFromThreePercentOn) {
    const std::vector<double> two{1, 1}, three{1, 1, 1}, all{1.03, 1.03, 1.03};
    EXPECT_EQ(slow_among(machines_with({two, two, two, two}, {1, 1, 1, 1.031})).size(), 1U)
        << "two rows tell nothing";
    EXPECT_TRUE(slow_among(machines_with({two, two, two, two}, {1, 1, 1, 1.029})).empty());
    EXPECT_TRUE(slow_among(machines_with({three, three, three, three}, {1, 1, 1, 1.5})).empty())
        << "no row feels it";
    const auto found = slow_among(machines_with({three, three, three, all}, {1, 1, 1, 1.025}));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_NEAR(found[0].ceiling_ratio, 1.025, 1e-9) << "beside its rows from 2 % on";
}

TEST(SlowMachine, IsByFitTimesAndNoResourceOfTheHost) {
    const std::vector<double> well{1, 1, 1}, ill{1.2, 1.2, 1.2};
    const auto count = [&](const json& changes, const char* bound = "gpu_copy_bandwidth") {
        return slow_among(machines_with({well, well, well, ill}, {1, 1, 1, 1.2}, changes, bound)).size();
    };
    EXPECT_EQ(count(json::object()), 1U);
    for (const char* host : {"cpu_triad_one_thread", "link_up_pageable"})
        EXPECT_EQ(count(json::object(), host), 0U) << host;
    // Of what is no time, or was disturbed, the ceiling alone is left, and no row.
    for (const json& changes :
         {json{{"quantity", "rate"}}, json{{"disturbed", {{"by", {"x"}}, {"allowed", false}}}}})
        EXPECT_EQ(slow_among(machines_with({well, well, well, ill}, {1, 1, 1, 1.2}, changes)).at(0).bound,
                  0U);
}

TEST(StandingOfAMachine, IsTheMedianOfItsRowsAndStragglersComeFirst) {
    const std::vector<double> well{1, 1, 1};
    // The third has one row that is far off, which makes it no straggler; the fourth two by little.
    const auto order = ranking(
        addresses_of(machines_with({well, well, {1, 1.005, 2}, {1.03, 1.04, 1}, well}, {1, 1, 1, 1, 1})));
    ASSERT_EQ(order.size(), 5U);
    EXPECT_EQ(order[0].set, 3U);
    EXPECT_TRUE(order[0].slow);
    EXPECT_NEAR(order[0].ratio, 1.03, 1e-9);
    EXPECT_EQ(order[0].by, "b");
    EXPECT_EQ(order[0].machines, 5U);
    EXPECT_EQ(order[1].set, 2U);
    EXPECT_FALSE(order[1].slow);
    EXPECT_NEAR(order[1].ratio, 1.005, 1e-9) << "not by its worst";
    EXPECT_EQ(order[1].by, "c") << "though that tells most";
}

}  // namespace
}  // namespace gridmark::harness
