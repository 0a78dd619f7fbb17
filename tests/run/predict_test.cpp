#include "harness/model/predict.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/forecast/forecast.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using launch::Demand;

/// Ten multiprocessors and round numbers.
MachineLimits round_machine() {
    MachineLimits limits;
    limits.name = "round";
    limits.multiprocessors = 10;
    limits.l2_bytes = 50e6;
    limits.shared_bytes = 100e3;
    limits.cpu_l1_bytes = 32e3;
    limits.cpu_l2_bytes = 1e6;
    limits.cpu_l3_bytes = 30e6;
    limits.ceilings = {{"gpu_copy_bandwidth", 1000},
                       {"gpu_l2_bandwidth", 4000},
                       {"gpu_l1_bandwidth", 10000},
                       {"gpu_shared_bandwidth", 20000},
                       {"gpu_issue_arithmetic", 1000},
                       {"gpu_fma_peak_float", 50000},
                       {"gpu_fma_peak_double", 25000},
                       {"gpu_block_start", 1},
                       {"gpu_l2_latency", 200},
                       {"gpu_memory_latency", 500},
                       {"gpu_l1_latency", 20},
                       {"gpu_shared_latency", 15},
                       {"gpu_fma_latency_float", 2},
                       {"gpu_fma_latency_double", 4},
                       {"gpu_division_latency", 50},
                       {"gpu_shuffle_latency", 12},
                       {"gpu_warp_issue", 0.1},
                       {"gpu_code_fetch", 50},
                       {"gpu_block_barrier_32", 10},
                       {"gpu_block_barrier_128", 11},
                       {"gpu_block_barrier_256", 13},
                       {"gpu_block_barrier_512", 20},
                       {"gpu_block_barrier_1024", 40},
                       {"gpu_message_latency", 700},
                       {"gpu_grid_sync", 2},
                       {"gpu_empty_kernel", 1},
                       {"gpu_launch", 4},
                       {"gpu_graph_node", 0.5},
                       {"link_up_pinned", 50},
                       {"link_down_pinned", 40},
                       {"link_both_pinned", 80},
                       {"cpu_fma_peak_float_one_thread", 100},
                       {"cpu_fma_peak_float_all_threads", 800},
                       {"cpu_triad_one_thread", 10},
                       {"cpu_triad_all_threads", 40},
                       {"cpu_l1_bandwidth_one_thread", 200},
                       {"cpu_l2_bandwidth_one_thread", 100},
                       {"cpu_l3_bandwidth_one_thread", 25},
                       {"cpu_l1_bandwidth_all_threads", 1600},
                       {"cpu_l2_bandwidth_all_threads", 800},
                       {"cpu_l3_bandwidth_all_threads", 100},
                       {"cpu_barrier_all_threads", 3}};
    return limits;
}

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
                        .l2_bytes = count * 40e6,
                        .instructions = count * 5e6,
                        .loads_ahead = ahead,
                        .chain = {.loads = 10}}});
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
            {{.blocks = 10, .block_threads = 256, .instructions = 5e6, .chain = {.arithmetic = operations}}});
    };
    expect_time(computing(2000), by_kernel, 5 + 10 * start + last + 1, "gpu_issue_arithmetic");
    expect_time(computing(4000), by_kernel, 8 + 10 * start + last + 1, "gpu_fma_latency_float", true);
}

TEST(Model, KeepsAWarpAtItsArithmeticAsLongAsAPipeDoes) {
    // It issues for 5 us, and in double its pipe takes 8; then the multiprocessor's queue, empty here.
    const auto one_warp =
        asking({{.blocks = 10, .flops = 50e6, .loads_ahead = true, .chain = {.loads = 5, .issued = 50e3}}},
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
    expect_time(asking({{.blocks = 640, .block_threads = 32, .code_bytes = 8192, .chain = {.shared = 1}}}),
                by_kernel, 2 * 0.015 + (64 * 0.05 - 0.015) + 320 * start + last + 1, "gpu_code_fetch", true);
}

TEST(Model, SumsKernelsAndSharesAStepOfSeveral) {
    Point four = asking({{.l2_bytes = 40e6, .times = 3}, {.blocks = 100, .instructions = 30e6}});
    expect_time(four, by_kernel, 30 + 30 + 4 * 1, "gpu_issue_arithmetic");
    four.steps = 4;
    expect_time(four, by_kernel, 16, "gpu_issue_arithmetic");
}

TEST(Model, OfAStepHoldsItsLaunchesAndItsLink) {
    const Point small = asking({{.l2_bytes = 4e6}});  // a microsecond
    expect_time(small, by_graph, 1.5, "gpu_l2_bandwidth");
    expect_time(small, by_stream, 4, "gpu_launch");
    Point moving = small;
    moving.uploaded = 1e6;
    expect_time(moving, by_graph, 20, "link_up_pinned");
    moving.downloaded = 1.2e6;
    expect_time(moving, by_graph, 30, "link_down_pinned");
    moving.uploaded = 1.4e6;
    expect_time(moving, by_graph, 32.5, "link_both_pinned");
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
        predict(asking({{.blocks = 100, .l2_bytes = 40e6, .instructions = 1e9, .chain = {.loads = 2}}}),
                by_kernel, old);
    ASSERT_TRUE(prediction);
    EXPECT_EQ(prediction->binding().ceiling, "gpu_l2_bandwidth");
    EXPECT_EQ(prediction->missing, (std::vector<std::string>{"gpu_issue_arithmetic", "gpu_l2_latency"}));
    old.multiprocessors = 0;
    EXPECT_FALSE(predict(asking({{.l2_bytes = 40e6}}), by_kernel, old));
    EXPECT_FALSE(predict(asking({{}}), {Series::Clock::step, Series::Launch::own}, round_machine()));
}

// An inverted ratio, a level left out or bytes halved would give other numbers.
TEST(ModelError, IsTheGreaterOverTheLesser) {
    std::vector<PredictedRow> rows;
    for (const double predicted : {5.0, 8.0, 10.0, 11.0, 12.5, 20.0, 9.0, 10.0, 10.0, 10.0})
        rows.push_back({"a", "r", "v", "kernel", {predicted, {{"gpu_launch", predicted}}, {}}, 10.0});
    const auto errors = errors_of(rows);
    ASSERT_EQ(errors.size(), 2U);  // of the study and of all
    for (const ModelError& error : errors) {
        EXPECT_EQ(error.rows, 10U);
        EXPECT_EQ(error.within_fifth, 7U);
        EXPECT_NEAR(error.median, (1.1 + 10 / 9.0) / 2, 1e-12);
        EXPECT_NEAR(error.ninth, 2, 1e-12);
        EXPECT_LT(error.low, 1);
        EXPECT_GT(error.high, 1);
    }
    std::vector<PredictedRow> elsewhere{{"a", "r", "v", "kernel", {100, {}, {}}}};
    set_intervals(elsewhere, errors);
    ASSERT_TRUE(elsewhere[0].interval);
    EXPECT_NEAR(elsewhere[0].interval->low, 100 * errors[1].low, 1e-9);
}

TEST(ModelError, PutsTheIntervalWhereTheMeasuredTimesLie) {
    std::vector<PredictedRow> rows(9, {"a", "r", "v", "kernel", {10, {{"gpu_launch", 10}}, {}}, 20.0});
    EXPECT_EQ(rows[0].ratio(), 0.5) << "predicted / measured";
    const auto errors = errors_of(rows);
    std::vector<PredictedRow> elsewhere{{"a", "r", "v", "kernel", {100, {}, {}}}};
    set_intervals(elsewhere, errors);
    EXPECT_DOUBLE_EQ(elsewhere[0].interval->low, 200) << "all took twice as long as predicted";
    EXPECT_DOUBLE_EQ(elsewhere[0].interval->high, 200);
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

nlohmann::json sheet() {
    return {{"machine", "twice"},
            {"kind", "gpu"},
            {"gpu", {{"multiprocessors", 20}, {"clock_mhz", 500}}},
            {"ceilings",
             {{{"name", "gpu_memory_peak"}, {"value", 2000}, {"unit", "GB/s"}, {"source", "sheet"}},
              {{"name", "gpu_l2_latency"}, {"value", 333}, {"unit", "ns"}, {"source", "paper"}}}}};
}

nlohmann::json reference_sheet() {
    return {{"machine", "round"},
            {"kind", "gpu"},
            {"gpu", {{"multiprocessors", 10}, {"clock_mhz", 1000}}},
            {"ceilings",
             {{{"name", "gpu_memory_peak"}, {"value", 1250}, {"unit", "GB/s"}, {"source", "sheet"}}}}};
}

TEST(DataSheet, TakesTheReferencesSharesClocksAndLaunches) {
    const SheetLimits made = limits_of_sheet(sheet(), round_machine(), reference_sheet());
    const auto is = [&](const char* name, double value) {
        ASSERT_TRUE(made.limits.ceiling(name)) << name;
        EXPECT_NEAR(*made.limits.ceiling(name), value, 1e-9) << name;
    };
    is("gpu_copy_bandwidth", 2000 * 1000 / 1250.0);  // the same share of the peak
    is("gpu_l2_latency", 333);                       // as it says
    is("gpu_l1_latency", 40);                        // as many clocks
    is("gpu_l1_bandwidth", 10000);                   // twice the multiprocessors at half the clock
    is("gpu_launch", 4);
    const auto assumed = [&](const std::string& name) {
        return std::ranges::any_of(made.assumed,
                                   [&](const std::string& line) { return line.starts_with(name + ":"); });
    };
    EXPECT_TRUE(assumed("gpu_l1_latency"));
    EXPECT_TRUE(assumed("gpu_launch"));
    EXPECT_FALSE(assumed("gpu_copy_bandwidth"));
    EXPECT_FALSE(assumed("gpu_l2_latency"));
}

TEST(DataSheet, EveryDeliveredOneIsSound) {
    EXPECT_GE(delivered_sheets().size(), 15U);
    for (const auto& [id, one] : delivered_sheets().items())
        EXPECT_NO_THROW(check_sheet(one, id)) << id;
}

void expect_refused(const nlohmann::json& one, const std::string& why) {
    try {
        check_sheet(one, "file");
        FAIL() << why;
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
}

TEST(DataSheet, RefusesNonsense) {
    auto fast = sheet();
    fast["ceilings"].push_back(
        {{"name", "gpu_l1_bandwidth"}, {"value", 1500}, {"unit", "GB/s"}, {"source", "x"}});
    expect_refused(fast, "gpu_l1_bandwidth 1500 is less than gpu_memory_peak 2000");
    auto negative = sheet();
    negative["ceilings"][0]["value"] = -1;
    expect_refused(negative, "gpu_memory_peak: value must be a number above 0");
    auto unknown = sheet();
    unknown["ceilings"][0]["name"] = "warp_drive";
    expect_refused(unknown, "warp_drive is no ceiling of a sheet");
    auto no_source = sheet();
    no_source["ceilings"][0].erase("source");
    expect_refused(no_source, "gpu_memory_peak needs its source");
    auto no_clock = sheet();
    no_clock["gpu"].erase("clock_mhz");
    expect_refused(no_clock, "clock_mhz must be a number above 0");
    expect_refused(nlohmann::json::array(), "must be an object");
    EXPECT_THROW(read_sheet("no-such-sheet"), UsageError);
}

// A GPU that came after the program is of a family that it knows, or has no number.
TEST(Capacity, IsThatOfTheFamily) {
    const auto threads = [](const char* capability) {
        MachineLimits limits;
        limits.threads = 0;
        set_capacity(limits, capability);
        return limits.threads;
    };
    EXPECT_EQ(threads("9.0"), 2048);
    EXPECT_EQ(threads("8.6"), 1536);
    EXPECT_EQ(threads("8.7"), 1536);
    EXPECT_EQ(threads("10.3"), 2048);
    EXPECT_EQ(threads("12.1"), 1536);
    EXPECT_EQ(threads("13.0"), 0);
    EXPECT_EQ(threads("6.0"), 0);
    EXPECT_EQ(threads(""), 0);
}

}  // namespace
}  // namespace gridmark::harness
