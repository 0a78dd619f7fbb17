#include "harness/compare/machines.hpp"

#include <gtest/gtest.h>

#include "harness/usage_error.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

/// Machines with a copy bandwidth and four rows that it bounds, all slower by the factor given for each.
std::vector<Straggler> slow(const std::vector<double>& ceilings, const std::vector<double>& rows) {
    std::vector<ResultSet> sets;
    for (std::size_t k = 0; k < ceilings.size(); ++k) {
        json made = json::array();
        for (const char* name : {"a", "b", "c", "d"})
            made.push_back(bound_row(name, 100 * rows[k], "gpu_triad_bandwidth"));
        sets.push_back(
            set_in("m" + std::to_string(k), made,
                   {{"ceilings", json::array({ceiling("gpu_copy_bandwidth", 4000 / ceilings[k], "GB/s")})}}));
    }
    std::vector<const ResultSet*> given;
    for (const ResultSet& set : sets)
        given.push_back(&set);
    return stragglers(given);
}

TEST(Straggler, IsFoundByItsRowsAndCeiling) {
    const auto found = slow({1, 1.005, 1.05, 0.995}, {1.003, 1, 1.06, 1});
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].set, 2U);
    EXPECT_EQ(found[0].resource, "GPU memory");
    EXPECT_EQ(found[0].machines, 4U);
    EXPECT_EQ(found[0].bound, 4U);
    EXPECT_EQ(found[0].slower, 4U);
    EXPECT_EQ(found[0].ceiling, "gpu_copy_bandwidth");
    EXPECT_NEAR(found[0].ceiling_ratio, 1.05, 1e-9);
    EXPECT_NEAR(found[0].row_ratio, 1.06, 1e-9);
}

TEST(Straggler, IsNoneAmongHealthyOnesOrTooFew) {
    EXPECT_TRUE(slow({1, 1.01, 0.995, 1.005}, {1.003, 1, 1.01, 1}).empty());
    EXPECT_TRUE(slow({1, 1, 1.05}, {1, 1, 1.05}).empty()) << "three do not tell which is slow";
    EXPECT_TRUE(slow({1, 1.05, 1.04, 0.96}, {1, 1.05, 1.04, 0.96}).empty()) << "all of them scatter";
    EXPECT_TRUE(slow({1, 1, 1, 0.9}, {1, 1, 1, 0.9}).empty()) << "a faster one is not sick";
    EXPECT_TRUE(slow({1, 1, 1, 1.05}, {1, 1, 1, 1}).empty()) << "no row feels it";
}

/// Nodes without a GPU, each with its triad's bandwidth and a wall time, of processes whose medians scatter
/// as `rows` say.
std::vector<ResultSet> cpu_nodes(const std::vector<double>& triads, const std::vector<double>& rows = {},
                                 bool of_a_cluster = true) {
    std::vector<ResultSet> sets;
    for (std::size_t k = 0; k < triads.size(); ++k) {
        json changes = {{"gpu", nullptr},
                        {"cpu", {{"model", "Some CPU"}}},
                        {"build", {{"commit", "x"}}},
                        {"ceilings", json::array({ceiling("cpu_triad_one_thread", 10 / triads[k], "GB/s"),
                                                  ceiling("gpu_copy_bandwidth", 4000 / triads[k], "GB/s")})}};
        if (of_a_cluster) changes["scheduler"] = {{"name", "slurm"}, {"node", "n" + std::to_string(k)}};
        json made = json::array();
        if (!rows.empty())
            for (const char* name : {"a", "b", "c"})
                made.push_back(bound_row(name, 100 * rows[k], "cpu_triad_one_thread", 0.8 / rows[k], "wall"));
        sets.push_back(set_in("m" + std::to_string(k), made, changes));
    }
    return sets;
}

std::vector<const ResultSet*> pointers(const std::vector<ResultSet>& sets) {
    std::vector<const ResultSet*> given;
    for (const ResultSet& set : sets)
        given.push_back(&set);
    return given;
}

TEST(Straggler, AmongNodesWithoutAGpuIsFoundByItsCpu) {
    // The margin of five others that differ by 3 % is 1.03 squared.
    const auto found = [](const std::vector<ResultSet>& sets) { return stragglers(pointers(sets)); };
    const auto slow = found(cpu_nodes({1, 1.03, 1.07, 1, 1.01, 1.02}));
    EXPECT_TRUE(slow.empty()) << "it is within the margin";
    const auto sick = found(cpu_nodes({1, 1.03, 1.09, 1, 1.01, 1.02}));
    ASSERT_EQ(sick.size(), 1U);
    EXPECT_EQ(sick[0].set, 2U);
    EXPECT_EQ(sick[0].ceiling, "cpu_triad_one_thread");
    EXPECT_TRUE(found(cpu_nodes({1, 1, 1.5, 1, 1})).empty()) << "four others have no margin";
    EXPECT_TRUE(found(cpu_nodes({1, 1, 1.5, 1, 1, 1}, {}, false)).empty()) << "may be one machine, six times";
    auto programs = cpu_nodes({1, 1, 1.5, 1, 1, 1});
    programs[0].files.at("jacobi").context["build"]["commit"] = "y";
    EXPECT_TRUE(found(programs).empty()) << "another program";
}

TEST(Straggler, IsFoundByRowsThatAreFarFromTheirCeilingThereAlone) {
    // Its ceiling was measured before it became slow: its rows reach 16 % of it, those of the others 80 %.
    const auto sets = cpu_nodes({1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 5});
    const auto found = stragglers(pointers(sets));
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].set, 5U);
    EXPECT_EQ(found[0].bound, 3U);
    EXPECT_FALSE(found[0].ceiling);
    EXPECT_NEAR(found[0].row_ratio, 5, 0.01);
}

TEST(Ranking, PutsStragglersFirstAndThenTheSlowest) {
    std::vector<ResultSet> sets;
    const auto add = [&](double memory, double link) {
        sets.push_back(set_in("m" + std::to_string(sets.size()), json::array(),
                              {{"ceilings", json::array({ceiling("gpu_copy_bandwidth", 4000 / memory, "GB/s"),
                                                         ceiling("link_up_pinned", 50 / link, "GB/s")})}}));
    };
    for (const auto& [memory, link] :
         {std::pair{1.0, 1.0}, {1.001, 1.2}, {0.999, 1.0}, {1.1, 1.0}, {1.0, 1.01}})
        add(memory, link);
    const auto order = ranking(pointers(sets));
    std::vector<std::size_t> places;
    for (const Standing& one : order)
        places.push_back(one.set);
    EXPECT_EQ(places, (std::vector<std::size_t>{1, 3, 4, 0, 2}));
    EXPECT_EQ(order[0].resource, "link_up_pinned");
    EXPECT_EQ(order[1].by, "gpu_copy_bandwidth");
    EXPECT_NEAR(order[1].ratio, 1.1, 1e-3);
    EXPECT_TRUE(order[1].slow);
    EXPECT_FALSE(order[2].slow);
    EXPECT_EQ(order[0].machines, 5U);
    EXPECT_EQ(rank_machines(sets)["ranking"].size(), 5U);
    sets.resize(3);
    EXPECT_THROW(rank_machines(sets), UsageError);
}

}  // namespace
}  // namespace gridmark::harness
