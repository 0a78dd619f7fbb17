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

TEST(SlowMachine, IsNamedByTheRowThatTellsMostWhereverItStands) {
    const std::vector<double> well{1, 1, 1};
    for (const auto& [ill, name] :
         {std::pair{std::vector<double>{1.05, 1.2, 1.1}, "b"}, {{1.2, 1.1, 1.05}, "a"}}) {
        const auto found = slow_among(machines_with({well, well, well, ill}, {1, 1, 1, 1}));
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].row, name);
    }
    // Of one row the others scatter so much that its 1.5 tells nothing, be it the first or the last.
    for (const auto& [rows, name] :
         {std::pair{std::vector<std::vector<double>>{{0.7, 1, 1}, {1, 1, 1}, {1.4, 1, 1}, {1.5, 1.05, 1.06}},
                    "c"},
          {{{1, 1, 0.7}, {1, 1, 1}, {1, 1, 1.4}, {1.05, 1.06, 1.5}}, "b"}}) {
        const auto found = slow_among(machines_with(rows, {1, 1, 1, 1}));
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(found[0].slower, 2U);
        EXPECT_EQ(found[0].row, name);
        EXPECT_NEAR(found[0].row_ratio, 1.06, 1e-9);
    }
}

// The wall time of two processes on a node without a GPU tells nothing; nor has it a margin.
TEST(SlowMachine, WithoutAGpuIsToldByThreeProcesses) {
    const auto found = [](const json& processes) {
        std::vector<ResultSet> sets;
        for (std::size_t k = 0; k < 6; ++k) {
            json rows = json::array();
            for (const char* name : {"a", "b", "c"}) {
                rows.push_back(bound_row(name, k == 2 ? 150 : 100, "cpu_triad_one_thread", 0.8, "wall"));
                rows.back()["process_samples"] = processes;
            }
            sets.push_back(set_in("m" + std::to_string(k), rows,
                                  {{"gpu", nullptr},
                                   {"build", {{"commit", "x"}}},
                                   {"scheduler", {{"node", "n" + std::to_string(k)}}}}));
        }
        return slow_among(sets).size();
    };
    EXPECT_EQ(found({9, 9, 9}), 1U);
    EXPECT_EQ(found({13, 14}), 0U);
}

// So far apart that their quotient is no number: whoever measured that, no other row is to be lost by it.
TEST(StandingOfAMachine, LeavesOutARatioThatIsNoNumber) {
    const std::vector<double> well{1, 1, 1, 1e-200}, ill{1.2, 1.2, 1.2, 1e200};
    const auto sets = machines_with({well, well, well, ill}, {1, 1, 1, 1});
    const auto found = slow_among(sets);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].slower, 3U);
    EXPECT_EQ(found[0].bound, 4U);
    EXPECT_NEAR(found[0].row_ratio, 1.2, 1e-9);
    EXPECT_NEAR(ranking(addresses_of(sets)).at(0).ratio, 1.2, 1e-9);
}

TEST(StandingOfAMachine, IsNoneWithoutRowsEnoughAndWithoutACeiling) {
    std::vector<ResultSet> sets;
    for (const double us : {100, 100, 100, 120}) {
        json rows = json::array();
        for (const char* name : {"a", "b"})
            rows.push_back(bound_row(name, us, "gpu_copy_bandwidth"));
        sets.push_back(set_in("m" + std::to_string(sets.size()), rows));
    }
    EXPECT_TRUE(ranking(addresses_of(sets)).empty()) << "two rows tell nothing";
    for (ResultSet& set : sets)
        set.files.at("jacobi").rows.push_back(bound_row("c", 100, "gpu_copy_bandwidth"));
    EXPECT_EQ(ranking(addresses_of(sets)).size(), 4U);
}

TEST(SlowMachine, IsNotToldByRowsThatThreeMachinesHave) {
    const std::vector<double> well{1, 1, 1}, ill{1.2, 1.2, 1.2};
    EXPECT_TRUE(slow_among(machines_with({well, well, ill, {}}, {1, 1, 1, 1})).empty());
    EXPECT_EQ(slow_among(machines_with({well, well, ill, well}, {1, 1, 1, 1})).size(), 1U);
}

// In the set of a slow machine a row may be far from its ceiling; where it is so in half of the sets, the
// ceiling is not what bounds it. Four sets tell enough, and five of nodes that are told apart by their CPU.
TEST(SlowMachine, CountsRowsThatAreBoundInMostSets) {
    const auto found = [](std::size_t bound, std::size_t machines, bool by_cpu = false) {
        std::vector<ResultSet> sets;
        for (std::size_t k = 0; k < machines; ++k) {
            json rows = json::array(), context = json::object();
            for (const char* name : {"a", "b", "c"})
                rows.push_back(bound_row(name, k + 1 == machines ? 150 : 100,
                                         by_cpu ? "cpu_triad_one_thread" : "gpu_copy_bandwidth",
                                         k < bound ? 0.8 : 0.3, by_cpu ? "wall" : "kernel"));
            if (by_cpu)
                context = {{"gpu", nullptr},
                           {"build", {{"commit", "x"}}},
                           {"scheduler", {{"node", "n" + std::to_string(k)}}}};
            sets.push_back(set_in("m" + std::to_string(k), rows, context));
        }
        return slow_among(sets).size();
    };
    EXPECT_EQ(found(5, 8), 1U);
    EXPECT_EQ(found(4, 8), 0U) << "half of them";
    EXPECT_EQ(found(4, 7), 1U);
    EXPECT_EQ(found(3, 5), 0U) << "too few";
    EXPECT_EQ(found(5, 7, true), 1U);
    EXPECT_EQ(found(4, 7, true), 0U) << "too few";
}

TEST(StandingOfAMachine, OfAStragglerComesFirstHoweverFarOthersScatter) {
    const double rows[] = {1.3, 0.8, 1, 1.2, 0.9, 1.15}, links[] = {1, 1, 1, 1, 1, 1.05};
    std::vector<ResultSet> sets;
    for (std::size_t k = 0; k < 6; ++k) {
        json made = json::array();
        for (const char* name : {"a", "b", "c"})
            made.push_back(bound_row(name, 100 * rows[k], "gpu_copy_bandwidth"));
        sets.push_back(
            set_in("m" + std::to_string(k), made,
                   {{"ceilings", json::array({ceiling("link_up_pinned", 50 / links[k], "GB/s")})}}));
    }
    const auto order = ranking(addresses_of(sets));
    ASSERT_EQ(order.size(), 6U);
    EXPECT_EQ(order[0].set, 5U);
    EXPECT_TRUE(order[0].slow);
    EXPECT_EQ(order[0].resource, "link_up_pinned") << "and not that at which it is slower, as others are";
    EXPECT_NEAR(order[0].ratio, 1.05, 1e-9);
    EXPECT_EQ(order[1].set, 0U);
    EXPECT_FALSE(order[1].slow);
}

}  // namespace
}  // namespace gridmark::harness
