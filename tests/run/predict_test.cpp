#include "harness/model/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/forecast/forecast.hpp"
#include "tests/run/round_machine.hpp"

namespace gridmark::harness {
namespace {

using launch::Demand;

const Series by_kernel{Series::Clock::kernel},
    by_cold_kernel{Series::Clock::kernel, Series::Launch::none, true},
    by_stream{Series::Clock::step, Series::Launch::stream},
    by_graph{Series::Clock::step, Series::Launch::graph}, on_wall{Series::Clock::wall};

/// A point in the L2 whose kernels ask for these.
Point asking(std::vector<Demand> demands, const std::string& precision = "float") {
    Point point{{.name = "a", .variant = "v", .parameters = {{"precision", precision}}}};
    point.working_set = 1e6;
    point.demands = [demands](const launch::Chip&) { return demands; };
    return point;
}

void expect_time(const Point& point, const Series& series, double microseconds, const std::string& binds,
                 bool is_chain = false) {
    const auto prediction = predict(point, series, round_machine());
    ASSERT_TRUE(prediction);
    EXPECT_NEAR(prediction->time, microseconds, 1e-9 * microseconds) << binds;
    EXPECT_EQ(prediction->binding().ceiling, binds);
    EXPECT_EQ(prediction->binding().is_chain, is_chain) << binds;
}

TEST(Model, TakesTheLargestOfWhatAKernelMovesIssuesAndComputes) {
    expect_time(asking({{.l2_bytes = 40e6}}), by_kernel, 10 + 1, "gpu_l2_bandwidth");
    expect_time(asking({{.blocks = 100, .l1_bytes = 40e6}}), by_kernel, 4 + 1, "gpu_l1_bandwidth");
    expect_time(asking({{.blocks = 100, .instructions = 40e6}}), by_kernel, 40 + 1, "gpu_issue_arithmetic");
    expect_time(asking({{.blocks = 100, .flops = 500e6}}), by_kernel, 10 + 1, "gpu_fma_peak_float");
    expect_time(asking({{.blocks = 100, .flops = 500e6}}, "double"), by_kernel, 20 + 1,
                "gpu_fma_peak_double");
    expect_time(asking({{.blocks = 5000}}), by_kernel, 5 + 1, "gpu_block_start");
    expect_time(asking({{.blocks = 100, .instructions = 30e6, .flops = 500e6}}), by_kernel, 30 + 1,
                "gpu_issue_arithmetic");
}

TEST(Model, CountsMemoryOnlyWhereTheL2DoesNotHoldTheData) {
    Point large = asking({{.l2_bytes = 1e6}});
    large.bytes = 100e6;
    large.working_set = 100e6;
    expect_time(large, by_kernel, 100 + 0.25 + 1, "gpu_copy_bandwidth");
    large.demands = [](const launch::Chip&) { return std::vector<Demand>{{.memory_bytes = 200e6}}; };
    expect_time(large, by_kernel, 200 + 1, "gpu_copy_bandwidth");
}

TEST(Model, QueuesForTheL2AndForTheMemoryInTurn) {
    Point large = asking({{.blocks = 10, .l2_bytes = 100e6}});
    large.bytes = large.working_set = 100e6;
    expect_time(large, by_kernel, 25 + 100 + 1, "gpu_copy_bandwidth");
    // Two blocks of half the work on each multiprocessor. Alone, one has a fifth of its time in the L2 and
    // the rest in the memory; so many the other finds there: 12.5 * 1.2 + 50 * 1.8.
    large.demands = [](const launch::Chip&) {
        return std::vector<Demand>{{.blocks = 20, .l2_bytes = 100e6}};
    };
    expect_time(large, by_kernel, 15 + 90 + 1, "gpu_copy_bandwidth");
}

TEST(Model, WritesBackWhatTheFlushLeftInTheL2) {
    // The code comes from the memory too. Of 100 MB the first 50 take the place of what the flush wrote.
    const double code = 0.5;
    Point small = asking({{}});
    small.bytes = 20e6;
    expect_time(small, by_cold_kernel, 20 + 20 + code + 1, "gpu_copy_bandwidth");
    small.bytes = 100e6;
    expect_time(small, by_cold_kernel, 100 + 50 + code + 1, "gpu_copy_bandwidth");
}

constexpr double last = 0.2;    // until the last store has come to the L2
constexpr double start = 1e-3;  // a block's

TEST(Model, AddsUpTheChainOfDependentOperations) {
    const launch::Chain chain{.loads = 2,
                              .shared = 4,
                              .arithmetic = 10,
                              .logic = 5,
                              .divisions = 1,
                              .barriers = 2,
                              .shuffles = 3,
                              .messages = 1,
                              .grid_barriers = 1};
    // 400 + 60 + 20 + 10 + 50 + 26 + 36 + 700 + 2000 ns
    expect_time(asking({{.blocks = 10, .block_threads = 200, .chain = chain}}), by_kernel,
                3.302 + 10 * start + last + 1, "gpu_grid_sync", true);
    expect_time(asking({{.blocks = 10, .chain = {.loads = 2, .arithmetic = 300}}}, "double"), by_kernel,
                1.6 + 10 * start + last + 1, "gpu_fma_latency_double", true);
    Point far = asking({{.chain = {.loads = 8}}});
    far.working_set = 100e6;
    expect_time(far, by_kernel, 4 + start + last + 1, "gpu_memory_latency", true);
}

TEST(Model, LetsOthersUseWhatABlockLeavesIdle) {
    // Of a block 2 us of latency, 5 of its multiprocessor, then 10 of the L2.
    const auto blocks_on_each = [](double count, bool ahead) {
        return asking({{.blocks = 10 * count,
                        .block_threads = 256,
                        .loads_ahead = ahead,
                        .chain = {.loads = 10},
                        .l2_bytes = count * 40e6,
                        .instructions = count * 5e6}});
    };
    expect_time(blocks_on_each(1, false), by_kernel, 17 + 10 * start + last + 1, "gpu_l2_bandwidth");
    // Of two each finds the other at a place for as much of its round as it spends there.
    const double beside_another = 2 + 5 * (1 + 5.0 / 17) + 10 * (1 + 10.0 / 17);
    expect_time(blocks_on_each(2, false), by_kernel, beside_another + 20 * start + last + 1,
                "gpu_l2_bandwidth");
    // Warps of one block that load ahead come close to the longer of both.
    const auto ahead = predict(blocks_on_each(1, true), by_kernel, round_machine());
    EXPECT_GT(ahead->time, 10 + 1);
    EXPECT_LT(ahead->time, 12 + 1);
}

TEST(Model, CountsWhatABlockComputesOnce) {
    // Its warps issue for 5 us while others of them wait for what they compute, 4 us long or 8.
    const auto computing = [](double operations) {
        return asking(
            {{.blocks = 10, .block_threads = 256, .chain = {.arithmetic = operations}, .instructions = 5e6}});
    };
    expect_time(computing(2000), by_kernel, 5 + 10 * start + last + 1, "gpu_issue_arithmetic");
    expect_time(computing(4000), by_kernel, 8 + 10 * start + last + 1, "gpu_fma_latency_float", true);
}

TEST(Model, KeepsAWarpAtItsArithmeticAsLongAsAPipeDoes) {
    // It issues for 5 us, and in double its pipe takes 8; then the multiprocessor's queue, empty here.
    const auto one_warp =
        asking({{.blocks = 10, .loads_ahead = true, .chain = {.loads = 5, .issued = 50e3}, .flops = 50e6}},
               "double");
    expect_time(one_warp, by_kernel, 1 + 8 + 8 + 10 * start + last + 1, "gpu_fma_peak_double", true);
}

TEST(Model, RepeatsTheChainForEveryWaveOfBlocks) {
    // 2048 threads a multiprocessor hold 8 blocks of 256: 80 at once.
    expect_time(asking({{.blocks = 240, .block_threads = 256, .chain = {.loads = 10}}}), by_kernel,
                6 + 80 * start + last + 1, "gpu_l2_latency", true);
    expect_time(asking({{.blocks = 240, .block_threads = 256, .shared_bytes = 40e3, .chain = {.loads = 10}}}),
                by_kernel, 24 + 20 * start + last + 1, "gpu_l2_latency", true);  // shared memory holds 2
    const auto told = predict(asking({{.blocks = 240, .block_threads = 256, .chain = {.loads = 10}}}),
                              by_kernel, round_machine(), 4);
    EXPECT_NEAR(told.value().time, 12 + 40 * start + last + 1, 1e-9);
    // One block more than three waves takes a fourth.
    expect_time(asking({{.blocks = 241, .block_threads = 256, .chain = {.loads = 10}}}), by_kernel,
                8 + 80 * start + last + 1, "gpu_l2_latency", true);
    expect_time(asking({{.blocks = 20, .block_threads = 256, .chain = {.loads = 10}}}), by_kernel,
                2 + 20 * start + last + 1, "gpu_l2_latency", true);  // less than a wave is one
}

TEST(Model, WaitsForTheMultiprocessorWithTheMostBlocks) {
    // Eleven blocks of four warps on ten multiprocessors: one has two, and the others wait.
    expect_time(asking({{.blocks = 11, .block_threads = 128, .instructions = 11e6}}), by_kernel, 20 + 1,
                "gpu_issue_arithmetic");
    // A block of one warp leaves three of four schedulers without work.
    expect_time(asking({{.blocks = 10, .block_threads = 32, .instructions = 10e6}}), by_kernel, 40 + 1,
                "gpu_issue_arithmetic");
    // What a scheduler issues while others wait: 50000 instructions at 25 G/s, or by one warp at 0.1 ns each.
    expect_time(asking({{.blocks = 10, .block_threads = 512, .chain = {.issued = 50e3}}}), by_kernel,
                2 + 10 * start + last + 1, "gpu_issue_arithmetic", true);
    expect_time(asking({{.blocks = 10, .chain = {.issued = 50e3}}}), by_kernel, 5 + 10 * start + last + 1,
                "gpu_warp_issue", true);
    // Code comes once a launch, however many waves: 64 lines, but for what is computed meanwhile.
    expect_time(asking({{.blocks = 640, .block_threads = 32, .chain = {.shared = 1}, .code_bytes = 8192}}),
                by_kernel, 2 * 0.015 + (64 * 0.05 - 0.015) + 320 * start + last + 1, "gpu_code_fetch", true);
}

TEST(Model, SumsKernelsAndSharesAStepOfSeveral) {
    Point four = asking({{.times = 3, .l2_bytes = 40e6}, {.blocks = 100, .instructions = 30e6}});
    expect_time(four, by_kernel, 30 + 30 + 4 * 1, "gpu_issue_arithmetic");
    four.steps = 4;
    expect_time(four, by_kernel, 16, "gpu_issue_arithmetic");
}

TEST(Model, OfAStepHoldsItsLaunchesAndItsLink) {
    const Point small = asking({{.l2_bytes = 4e6}});  // a microsecond
    expect_time(small, by_graph, 1.5, "gpu_l2_bandwidth");
    expect_time(small, by_stream, 4, "gpu_launch");
    Point moving = small;
    moving.transfers.uploaded = 1e6;
    expect_time(moving, by_graph, 20, "link_up_pinned");
    moving.transfers.downloaded = 1.2e6;
    expect_time(moving, by_graph, 30, "link_down_pinned");
    moving.transfers.uploaded = 1.4e6;
    expect_time(moving, by_graph, 32.5, "link_both_pinned");
}

/// A microsecond of kernels by graph and half of one for the node, a megabyte up and 1.2 down.
Point streaming(Transfers::Order order) {
    Point point = asking({{.l2_bytes = 4e6}});
    point.transfers = {.uploaded = 1e6, .downloaded = 1.2e6, .order = order};
    return point;
}

TEST(Model, OfTransfersInTurnAddsThemToTheKernels) {
    Point point = streaming(Transfers::Order::in_turn);
    expect_time(point, by_graph, 1.5 + 20 + 30, "link_down_pinned");
    MachineLimits machine = round_machine();
    machine.ceilings.merge(std::map<std::string, double>{
        {"link_copy_start", 2}, {"link_up_pageable", 10}, {"link_down_pageable", 5}});
    const auto time = [&] { return predict(point, by_graph, machine)->time; };
    point.transfers.copies_up = 3;
    EXPECT_DOUBLE_EQ(time(), 1.5 + 26 + 30);
    point.transfers.copies_down = 1;
    EXPECT_DOUBLE_EQ(time(), 1.5 + 26 + 32);
    point.transfers.pageable = true;
    EXPECT_DOUBLE_EQ(time(), 1.5 + 106 + 242);
    machine.ceilings.erase("link_down_pageable");
    EXPECT_EQ(predict(point, by_graph, machine)->missing, std::vector<std::string>{"link_down_pageable"});
    EXPECT_DOUBLE_EQ(predict(point, by_kernel, machine)->time, 2) << "a kernel transfers nothing";
}

// Longer kernels hide half of the link's time, and the ends of a pass stand alone.
TEST(Model, OfADrainedPassAddsItsEnds) {
    Point point = streaming(Transfers::Order::drained);
    point.transfers.pieces = 10;
    expect_time(point, by_graph, 30 + 5, "link_down_pinned");
    point.demands = [](const launch::Chip&) { return std::vector<Demand>{{.l2_bytes = 400e6}}; };
    expect_time(point, by_graph, 100.5 + 30 / 2.0 + 5, "gpu_l2_bandwidth");
    point.transfers.pieces = 1;
    expect_time(point, by_graph, 100.5 + 20 + 30, "gpu_l2_bandwidth");
    point.transfers.buffers = 51e6;  // do not fit the L2
    point.demands = [](const launch::Chip&) { return std::vector<Demand>{{.memory_bytes = 100e6}}; };
    expect_time(point, by_graph, 100.5 + 20 + 30, "gpu_copy_bandwidth");
}

TEST(Model, AddsWhatTheHostDoesItself) {
    Point point = streaming(Transfers::Order::overlapped);
    point.transfers.waits = 2;
    expect_time(point, by_graph, 30 + 8, "link_down_pinned");
    point.transfers.host_bytes = 1e6;
    expect_time(point, by_graph, 30 + 8 + 100, "cpu_triad_one_thread");
    point.transfers.by_all_threads = true;
    expect_time(point, by_graph, 30 + 8 + 25, "link_down_pinned");
}

// Where a CPU stands in a device's place, a thread copies: a megabyte is read and written.
TEST(Model, OfCopiesWithoutALinkIsAThreads) {
    Point point{{.name = "a", .parameters = {{"precision", "float"}, {"threads", 8}}}};
    point.transfers = {.uploaded = 1e6, .order = Transfers::Order::in_turn};
    point.working_set = 100e6;
    point.demands = [](const launch::Chip&) {
        return std::vector<Demand>{{.memory_bytes = 2e6, .times = 2}};
    };
    expect_time(point, on_wall, 100 + 200, "cpu_triad_one_thread");
    point.transfers.exchange = {.bytes = 1e6, .messages = 3};
    MachineLimits machine = round_machine();
    machine.ceilings.merge(std::map<std::string, double>{{"rank_latency", 7}, {"rank_bandwidth", 1}});
    EXPECT_DOUBLE_EQ(predict(point, on_wall, machine)->time, 300 + 3 * 7 + 1000 + 400);
}

TEST(Model, OfACpuTakesTheCacheThatHoldsAThreadsPart) {
    const auto on_cpu = [](double bytes, int threads) {
        Point point{{.name = "a", .parameters = {{"precision", "float"}, {"threads", threads}}}};
        point.bytes = point.working_set = bytes;
        return point;
    };
    expect_time(on_cpu(20e3, 1), on_wall, 0.1, "cpu_l1_bandwidth_one_thread");
    expect_time(on_cpu(500e3, 1), on_wall, 5, "cpu_l2_bandwidth_one_thread");
    expect_time(on_cpu(20e6, 1), on_wall, 800, "cpu_l3_bandwidth_one_thread");
    expect_time(on_cpu(100e6, 1), on_wall, 10000, "cpu_triad_one_thread");
    expect_time(on_cpu(1.6e6, 8), on_wall, 3, "cpu_barrier_all_threads");
    expect_time(on_cpu(100e6, 8), on_wall, 2500, "cpu_triad_all_threads");
}

TEST(Model, NamesTheCeilingsThatItLacks) {
    MachineLimits old = round_machine();
    old.ceilings.erase("gpu_l2_latency");
    old.ceilings.erase("gpu_issue_arithmetic");
    const auto prediction =
        predict(asking({{.blocks = 100, .chain = {.loads = 2}, .l2_bytes = 40e6, .instructions = 1e9}}),
                by_kernel, old);
    ASSERT_TRUE(prediction);
    EXPECT_EQ(prediction->binding().ceiling, "gpu_l2_bandwidth");
    EXPECT_EQ(prediction->missing, (std::vector<std::string>{"gpu_issue_arithmetic", "gpu_l2_latency"}));
    old.multiprocessors = 0;
    EXPECT_FALSE(predict(asking({{.l2_bytes = 40e6}}), by_kernel, old));
    EXPECT_FALSE(predict(asking({{}}), {Series::Clock::step, Series::Launch::own}, round_machine()));
}

TEST(Flips, AreFoundOnTheNearerSide) {
    // A time that falls with the ceiling, beside one that does not: 4 at first, 1 at four times the ceiling.
    const auto by_rate = [](double factor) { return 1 / factor; };
    EXPECT_NEAR(turning_factor(4, by_rate).value(), 4, 0.2);
    EXPECT_NEAR(turning_factor(0.5, by_rate).value(), 0.5, 0.025);
    const auto by_latency = [](double factor) { return factor; };
    EXPECT_NEAR(turning_factor(4, by_latency).value(), 0.25, 0.0125);
    EXPECT_FALSE(turning_factor(4, [](double) { return 1.0; }));
    EXPECT_FALSE(turning_factor(4, [](double factor) { return std::max(1 / factor, 0.5); }));
    EXPECT_NEAR(turning_factor(1.2, [](double factor) { return std::max(1 / factor, 0.5); }).value(), 1.2,
                0.07);
}

}  // namespace
}  // namespace gridmark::harness
