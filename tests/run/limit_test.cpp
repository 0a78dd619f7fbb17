#include "harness/run/limit.hpp"

#include <gtest/gtest.h>

#include "tests/run/round_machine.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

json ceiling(const std::string& name, const json& value, const std::string& unit) {
    return {{"name", name},
            {"value", value},
            {"unit", unit},
            {"reason", value.is_null() ? json("no GPU") : json()},
            {"how", "so"}};
}

const json ceilings{ceiling("gpu_fma_peak_float", 60000, "GFLOP/s"),
                    ceiling("gpu_fma_peak_double", 30000, "GFLOP/s"),
                    ceiling("gpu_copy_bandwidth", 4000, "GB/s"),
                    ceiling("gpu_l2_bandwidth", 10000, "GB/s"),
                    ceiling("gpu_launch", 4, "us"),
                    ceiling("gpu_graph_node", 1.5, "us"),
                    ceiling("link_up_pinned", 50, "GB/s"),
                    ceiling("link_down_pinned", 40, "GB/s"),
                    ceiling("link_both_pinned", 80, "GB/s"),
                    ceiling("cpu_fma_peak_float_one_thread", 100, "GFLOP/s"),
                    ceiling("cpu_fma_peak_float_all_threads", 1000, "GFLOP/s"),
                    ceiling("cpu_fma_peak_double_one_thread", 50, "GFLOP/s"),
                    ceiling("cpu_triad_one_thread", 10, "GB/s"),
                    ceiling("cpu_triad_all_threads", 80, "GB/s")};

/// A GPU with an L2 of 50 MB beside a CPU whose caches hold 32 MB.
MachineLimits machine_with(const json& measured) {
    MachineLimits limits = limits_of({{"ceilings", measured}});
    limits.multiprocessors = 10;
    limits.l2_bytes = 50'000'000;
    limits.cpu_l3_bytes = 32'000'000;
    return limits;
}
constexpr double l2 = 50'000'000;

/// bytes and flops for one iteration; the working set is what the bytes touch.
Point point_of(double bytes, double flops, const Parameters& parameters = {{"precision", "float"}}) {
    return {{.name = "a", .variant = "v", .parameters = parameters}, bytes, flops, bytes};
}

const Series hot{Series::Clock::kernel}, cold{Series::Clock::kernel, Series::Launch::none, true},
    stream{Series::Clock::step, Series::Launch::stream}, graph{Series::Clock::step, Series::Launch::graph},
    wall{Series::Clock::wall};

void expect_limit(const Point& point, const Series& series, const std::string& name, double microseconds) {
    const auto limit = limit_of(point, series, machine_with(ceilings));
    ASSERT_TRUE(limit);
    EXPECT_EQ(limit->ceiling, name);
    EXPECT_NEAR(limit->value, microseconds, 1e-9 * microseconds);
    EXPECT_EQ(limit->unit, "us");
}

TEST(Limit, OfAKernelIsWhatCrossesTheL2AndWhatItCannotKeep) {
    expect_limit(point_of(40e6, 1e6), hot, "gpu_l2_bandwidth", 4);  // 40 MB at 10 TB/s
    expect_limit(point_of(l2, 1e6), hot, "gpu_l2_bandwidth", 5);    // it just fits
    expect_limit(point_of(400e6, 1e6), hot, "gpu_copy_bandwidth",
                 87.5);                                             // an eighth stays; the rest at 4 TB/s
    expect_limit(point_of(60e6, 1e6), hot, "gpu_l2_bandwidth", 6);  // a sixth of it crosses the memory
}

// A flushed L2 keeps nothing that is read, but it may keep what is written.
TEST(Limit, OfAColdKernelIsWhatItReads) {
    expect_limit(point_of(40e6, 1e6), cold, "gpu_copy_bandwidth", 5);      // half at 4 TB/s
    expect_limit(point_of(400e6, 1e6), cold, "gpu_copy_bandwidth", 87.5);  // all but 50 MB
    Point four = point_of(100e6, 1e6);
    four.steps = 4;  // 400 MB a launch, of which 50 may stay
    expect_limit(four, cold, "gpu_copy_bandwidth", 87.5 / 4);
}

TEST(Limit, OfMuchArithmeticIsThePeak) {
    expect_limit(point_of(40e6, 6e9), hot, "gpu_fma_peak_float", 100);
    expect_limit(point_of(40e6, 6e9, {{"precision", "double"}}), hot, "gpu_fma_peak_double", 200);
}

// Rows beat the time of a plain launch; none beats a node of a graph.
TEST(Limit, OfAStepIsNoLessThanItsNodesOfAGraph) {
    expect_limit(point_of(1e6, 1e6), graph, "gpu_graph_node", 1.5);
    expect_limit(point_of(40e6, 1e6), graph, "gpu_l2_bandwidth", 4);
    for (const Series& series : {stream, hot, Series{Series::Clock::step, Series::Launch::own}})
        expect_limit(point_of(1e6, 1e6), series, "gpu_l2_bandwidth", 0.1);
    Point four = point_of(1e6, 1e6);
    four.launches = 4;
    expect_limit(four, graph, "gpu_graph_node", 6);
    expect_limit(four, stream, "gpu_l2_bandwidth", 0.1);
}

/// A point that moves data over the link.
Point moving(double uploaded, double downloaded) {
    Point point = point_of(1e6, 1e6);
    point.transfers.uploaded = uploaded;
    point.transfers.downloaded = downloaded;
    return point;
}

TEST(Limit, OfAStepThatMovesDataIsTheLink) {
    expect_limit(moving(4e6, 0), stream, "link_up_pinned", 80);    // 4 MB at 50 GB/s
    expect_limit(moving(0, 4e6), graph, "link_down_pinned", 100);  // 4 MB at 40 GB/s
    expect_limit(moving(4e6, 3.6e6), stream, "link_both_pinned",
                 95);                                               // 7.6 MB at 80 GB/s: ways of 80 and 90 us
    expect_limit(moving(8e6, 1e6), stream, "link_up_pinned", 160);  // together 112.5 us
    expect_limit(moving(1e6, 8e6), stream, "link_down_pinned", 200);
}

TEST(Limit, OfAStepThatMovesLittleIsWhatItWas) {
    expect_limit(moving(1e3, 1e3), stream, "gpu_l2_bandwidth", 0.1);
    Point large = moving(1e3, 0);
    large.bytes = large.working_set = 400e6;
    expect_limit(large, stream, "gpu_copy_bandwidth", 87.5);
    expect_limit(moving(4e6, 4e6), hot, "gpu_l2_bandwidth", 0.1);  // a kernel moves nothing over the link
}

// A link that is slower both ways at once than one way alone bounds only what goes both ways.
TEST(Limit, OfOneWayIsNeverThatOfBoth) {
    const json slow{ceiling("link_both_pinned", 10, "GB/s"), ceiling("link_up_pinned", 50, "GB/s")};
    EXPECT_EQ(limit_of(moving(4e6, 0), stream, machine_with(slow)).value().ceiling, "link_up_pinned");
    EXPECT_EQ(limit_of(moving(4e6, 1), stream, machine_with(slow)).value().ceiling, "link_both_pinned");
}

TEST(Limit, OfSeveralStepsAtOnceSharesTheirNodeAndMayBeBelowThatOfAStepAtATime) {
    Point eight = point_of(50e6, 1e6);
    eight.steps = 8;
    eight.stepwise_bytes = 400e6;
    eight.working_set = 400e6;
    expect_limit(eight, hot, "gpu_copy_bandwidth", 87.5 / 8);
    const auto stepwise = stepwise_limit(eight, hot, machine_with(ceilings));
    ASSERT_TRUE(stepwise);
    EXPECT_EQ(stepwise->ceiling, "gpu_copy_bandwidth");
    EXPECT_EQ(stepwise->value, 87.5);
    eight.bytes = eight.stepwise_bytes = 1e3;
    expect_limit(eight, graph, "gpu_graph_node", 1.5 / 8);
    EXPECT_EQ(stepwise_limit(eight, graph, machine_with(ceilings)).value().value, 1.5);
    EXPECT_FALSE(stepwise_limit(point_of(1e6, 1e6), hot, machine_with(ceilings)));
}

TEST(Limit, OfTheCpuFollowsTheTeam) {
    const Parameters one{{"precision", "float"}, {"threads", 1}}, all{{"precision", "float"}, {"threads", 8}};
    expect_limit(point_of(320e6, 1e6, one), wall, "cpu_triad_one_thread",
                 28800);  // a tenth stays in the caches
    expect_limit(point_of(320e6, 1e6, all), wall, "cpu_triad_all_threads", 3600);
    expect_limit(point_of(1e6, 1e6, one), wall, "cpu_fma_peak_float_one_thread", 10);  // fits the cache
    expect_limit(point_of(1e6, 1e6, all), wall, "cpu_fma_peak_float_all_threads", 1);
    expect_limit(point_of(1e6, 1e6, {{"precision", "double"}, {"threads", 1}}), wall,
                 "cpu_fma_peak_double_one_thread", 20);
}

TEST(Limit, IsNoneWithoutACeilingThatApplies) {
    EXPECT_FALSE(limit_of(point_of(1e6, 1e6), hot, machine_with(json::array())));
    const json unread{ceiling("gpu_fma_peak_float", nullptr, "GFLOP/s"),
                      ceiling("gpu_l2_bandwidth", nullptr, "GB/s")};
    EXPECT_FALSE(limit_of(point_of(1e6, 1e6), hot, machine_with(unread)));
    EXPECT_FALSE(limit_of(point_of(1e6, 1e6, {{"precision", "double"}, {"threads", 8}}), wall,
                          machine_with(ceilings)));
}

TEST(Limit, HoldsForAnyMixOfReadsAndWrites) {
    json all = ceilings;
    all.push_back(ceiling("gpu_triad_bandwidth", 5000, "GB/s"));
    all.push_back(ceiling("gpu_l2_bandwidth_whole", 20000, "GB/s"));
    const auto is = [&](const Point& point) {
        return limit_of(point, hot, machine_with(all)).value().ceiling;
    };
    EXPECT_EQ(is(point_of(400e6, 1e6)), "gpu_triad_bandwidth");
    EXPECT_EQ(is(point_of(40e6, 1e6)), "gpu_l2_bandwidth_whole");
    all.push_back(ceiling("gpu_tiles_bandwidth", 5500, "GB/s"));
    EXPECT_EQ(is(point_of(400e6, 1e6)), "gpu_tiles_bandwidth");
    for (json& one : all)
        if (one["name"] != "gpu_copy_bandwidth" && one["name"] != "gpu_l2_bandwidth") one["value"] = 3000;
    EXPECT_EQ(is(point_of(400e6, 1e6)), "gpu_copy_bandwidth");
    EXPECT_EQ(is(point_of(40e6, 1e6)), "gpu_l2_bandwidth");
}

/// A kernel that waits for a chain of loads.
Point chained() {
    Point point = point_of(1e6, 1e6);
    point.demands = [](const launch::Chip&) {
        return std::vector<launch::Demand>{{.blocks = 10, .chain = {.loads = 100}}};
    };
    return point;
}

// A chain of latencies is the model's, which a row may beat: it is no limit.
TEST(Limit, IsNoChainOfTheModel) {
    const Point point = chained();
    EXPECT_EQ(limit_of(point, hot, round_machine()).value().ceiling, "gpu_l2_bandwidth");
    const auto binding = binding_of(point, hot, round_machine());
    ASSERT_TRUE(binding);
    EXPECT_EQ(binding->ceiling, "gpu_l2_latency");
    EXPECT_GT(binding->term, 20) << "100 loads of 200 ns";
    EXPECT_GE(binding->time, binding->term);
}

TEST(Limit, OfAModelThatLacksACeilingNothingBinds) {
    MachineLimits machine = round_machine();
    EXPECT_TRUE(binding_of(chained(), hot, machine));
    machine.ceilings.erase("gpu_l2_latency");
    EXPECT_FALSE(binding_of(chained(), hot, machine));
    EXPECT_TRUE(limit_of(chained(), hot, machine));
}

// Whether a step is up to the host: all that the host does, added up.
TEST(HostTime, IsLaunchesLinkAndItsOwnWork) {
    const MachineLimits machine = machine_with(ceilings);
    Point point = point_of(1e6, 1e6);
    point.launches = 3;
    EXPECT_EQ(host_time(point, stream, machine), 12) << "4 us each";
    EXPECT_FALSE(host_time(point, graph, machine));
    EXPECT_FALSE(host_time(point, hot, machine));
    EXPECT_FALSE(host_time(point, wall, machine));
    point.steps = 2;
    EXPECT_EQ(host_time(point, stream, machine), 6) << "of a step";
    point.steps = 1;
    point.transfers = {.uploaded = 1e6, .downloaded = 1e6, .host_bytes = 1e5};
    EXPECT_EQ(host_time(point, stream, machine), 12 + 20 + 25 + 10) << "overlapped or not";
    EXPECT_EQ(host_time(point, graph, machine), 20 + 25 + 10);
    // What a solver declares of its kernels goes before a number of launches.
    point.transfers = {};
    point.demands = [](const launch::Chip&) {
        return std::vector<launch::Demand>{{.times = 20}, {.times = 1}};
    };
    EXPECT_EQ(host_time(point, stream, machine), 84);
}

}  // namespace
}  // namespace gridmark::harness
