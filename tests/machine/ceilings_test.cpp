#include "harness/ceilings/ceilings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <stdexcept>

#include "harness/ceilings/measure.hpp"
#include "harness/os/limits.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

const std::map<std::string, std::string> expected_units{{"cpu_triad_one_thread", "GB/s"},
                                                        {"cpu_triad_all_threads", "GB/s"},
                                                        {"cpu_fma_peak_float_one_thread", "GFLOP/s"},
                                                        {"cpu_fma_peak_double_one_thread", "GFLOP/s"},
                                                        {"cpu_fma_peak_float_all_threads", "GFLOP/s"},
                                                        {"cpu_fma_peak_double_all_threads", "GFLOP/s"},
                                                        {"gpu_copy_bandwidth", "GB/s"},
                                                        {"gpu_triad_bandwidth", "GB/s"},
                                                        {"gpu_l2_bandwidth", "GB/s"},
                                                        {"gpu_fma_peak_float", "GFLOP/s"},
                                                        {"gpu_fma_peak_double", "GFLOP/s"},
                                                        {"gpu_launch", "us"},
                                                        {"gpu_graph_node", "us"},
                                                        {"gpu_grid_sync", "us"},
                                                        {"link_up_pinned", "GB/s"},
                                                        {"link_down_pinned", "GB/s"},
                                                        {"link_both_pinned", "GB/s"},
                                                        {"link_up_pageable", "GB/s"},
                                                        {"link_copy_start", "us"},
                                                        {"link_down_pageable", "GB/s"},
                                                        {"gpu_l2_bandwidth_eighth", "GB/s"},
                                                        {"gpu_l2_bandwidth_whole", "GB/s"},
                                                        {"gpu_l1_latency", "ns"},
                                                        {"gpu_shared_latency", "ns"},
                                                        {"gpu_constant_latency", "ns"},
                                                        {"gpu_tiles_bandwidth", "GB/s"},
                                                        {"gpu_l2_latency", "ns"},
                                                        {"gpu_memory_latency", "ns"},
                                                        {"link_latency", "ns"},
                                                        {"gpu_fma_latency_float", "ns"},
                                                        {"gpu_fma_latency_double", "ns"},
                                                        {"gpu_division_latency", "ns"},
                                                        {"gpu_warp_issue", "ns"},
                                                        {"gpu_code_fetch", "ns"},
                                                        {"gpu_shuffle_latency", "ns"},
                                                        {"gpu_block_barrier_32", "ns"},
                                                        {"gpu_block_barrier_128", "ns"},
                                                        {"gpu_block_barrier_256", "ns"},
                                                        {"gpu_block_barrier_512", "ns"},
                                                        {"gpu_block_barrier_1024", "ns"},
                                                        {"gpu_message_latency", "ns"},
                                                        {"gpu_l1_bandwidth", "GB/s"},
                                                        {"gpu_shared_bandwidth", "GB/s"},
                                                        {"gpu_issue_arithmetic", "Ginstructions/s"},
                                                        {"gpu_issue_logic", "Ginstructions/s"},
                                                        {"gpu_issue_mixed", "Ginstructions/s"},
                                                        {"gpu_block_start", "ns"},
                                                        {"gpu_empty_kernel", "us"},
                                                        {"cpu_l1_latency", "ns"},
                                                        {"cpu_l2_latency", "ns"},
                                                        {"cpu_l3_latency", "ns"},
                                                        {"cpu_memory_latency", "ns"},
                                                        {"cpu_l1_bandwidth_one_thread", "GB/s"},
                                                        {"cpu_l2_bandwidth_one_thread", "GB/s"},
                                                        {"cpu_l3_bandwidth_one_thread", "GB/s"},
                                                        {"cpu_l1_bandwidth_all_threads", "GB/s"},
                                                        {"cpu_l2_bandwidth_all_threads", "GB/s"},
                                                        {"cpu_l3_bandwidth_all_threads", "GB/s"},
                                                        {"cpu_barrier_all_threads", "us"}};

/// Of the CPU's throughput and barriers it is said how many threads did it: "1 thread", "2 threads".
void expect_threads(const Ceiling& ceiling, int all) {
    if (!ceiling.value || !ceiling.name.starts_with("cpu") || ceiling.name.ends_with("latency")) return;
    // Where all together are slower than one, the value is that one's and the words are theirs.
    const int threads = ceiling.name.ends_with("_one_thread") ? 1 : all;
    const std::regex words(" " + std::to_string(threads) + " thread" + (threads == 1 ? "" : "s") + "[,;]");
    EXPECT_TRUE(std::regex_search(ceiling.how, words)) << ceiling.name << ": " << ceiling.how;
}

void expect_complete(const std::vector<Ceiling>& ceilings, int threads) {
    std::map<std::string, std::string> units;
    for (const Ceiling& ceiling : ceilings) {
        EXPECT_TRUE(units.emplace(ceiling.name, ceiling.unit).second) << ceiling.name << " twice";
        EXPECT_EQ(ceiling.value.has_value(), ceiling.reason.empty()) << ceiling.name;
        if (ceiling.value) {
            EXPECT_GT(*ceiling.value, 0) << ceiling.name;
        }
        EXPECT_FALSE(ceiling.how.empty()) << ceiling.name;
        expect_threads(ceiling, threads);
    }
    EXPECT_EQ(units, expected_units);
}

TEST(Ceilings, HoldEveryNameOnceWithValueOrReason) {
    std::unique_ptr<launch::Device> gpu;
    if (!launch::gpu_unavailable_reason()) gpu = launch::gpu_device();
    const CeilingOptions options{.threads = 2, .gpu = gpu.get(), .budget_seconds = 0.1, .quick = true};
    expect_complete(measure_ceilings(options), start_threads(2).threads);
}

TEST(Ceilings, TheHostExecutorIsNoGpu) {
    const auto host = launch::host_device();
    const auto ceilings =
        measure_ceilings({.threads = 1, .gpu = host.get(), .budget_seconds = 0.1, .quick = true});
    expect_complete(ceilings, 1);
    for (const Ceiling& ceiling : ceilings) {
        if (!ceiling.name.starts_with("cpu")) {
            EXPECT_FALSE(ceiling.value) << ceiling.name;
            EXPECT_NE(ceiling.reason, "") << ceiling.name;
        }
    }
}

TEST(Ceilings, TakeTheFormOfTheSchema) {
    const nlohmann::json known = Ceiling{"a", 2.5, "GB/s", "", "so"};
    EXPECT_EQ(known,
              nlohmann::json(
                  {{"name", "a"}, {"value", 2.5}, {"unit", "GB/s"}, {"reason", nullptr}, {"how", "so"}}));
    const nlohmann::json missing = Ceiling{"b", std::nullopt, "us", "no GPU", "so"};
    EXPECT_TRUE(missing.at("value").is_null());
    EXPECT_EQ(missing.at("reason"), "no GPU");
}

TEST(Ceilings, OfTwoTimesTheBetterCounts) {
    std::vector<Ceiling> ceilings{
        {"x", 5, "GB/s", "", "first"}, {"y", 5, "GB/s", "", "first"}, {"z", {}, "GB/s", "no memory", "first"},
        {"u", 5, "GB/s", "", "first"}, {"v", 5, "us", "", "first"},   {"w", 5, "ns", "", "first"}};
    keep_better(ceilings, {{"x", 6, "GB/s", "", "again"},
                           {"y", 4, "GB/s", "", "again"},
                           {"z", 3, "GB/s", "", "again"},
                           {"u", {}, "GB/s", "no memory", "again"},
                           {"v", 6, "us", "", "again"},
                           {"w", 4, "ns", "", "again"}});
    const auto expect = [&](std::size_t i, double value, const char* how) {
        EXPECT_EQ(ceilings[i].value, value) << i;
        EXPECT_EQ(ceilings[i].how, how) << i;
        EXPECT_EQ(ceilings[i].reason, "") << i;
    };
    expect(0, 6, "again");
    expect(1, 5, "first");
    expect(2, 3, "again");
    expect(3, 5, "first");
    expect(4, 5, "first");
    expect(5, 4, "again");
}

TEST(Ceilings, AllThreadsAreNoSlowerThanOne) {
    std::vector<Ceiling> ceilings{
        {"x_one_thread", 5, "GB/s", "", "so"}, {"x_all_threads", 3, "GB/s", "", "so"},
        {"y_one_thread", 5, "GB/s", "", "so"}, {"y_all_threads", 9, "GB/s", "", "so"},
        {"z_one_thread", 5, "GB/s", "", "so"}, {"z_all_threads", {}, "GB/s", "no", "so"}};
    raise_to_one_thread(ceilings);
    EXPECT_EQ(ceilings[1].value, 5);
    EXPECT_NE(ceilings[1].how, "so");
    EXPECT_EQ(ceilings[3].value, 9);
    EXPECT_EQ(ceilings[3].how, "so");
    EXPECT_FALSE(ceilings[5].value);
}

TEST(Ceilings, OfAnL3ThatGivesNoMoreThanTheMemoryIsNone) {
    std::vector<Ceiling> ceilings{{"cpu_l3_bandwidth_one_thread", 13, "GB/s", "", "so"},
                                  {"cpu_l3_bandwidth_all_threads", 300, "GB/s", "", "so"},
                                  {"cpu_triad_one_thread", 16, "GB/s", "", "so"},
                                  {"cpu_triad_all_threads", 107, "GB/s", "", "so"},
                                  {"cpu_l2_bandwidth_one_thread", 9, "GB/s", "", "so"}};
    drop_shared_caches(ceilings);
    EXPECT_FALSE(ceilings[0].value);
    EXPECT_NE(ceilings[0].reason.find("came at 13 GB/s, the memory gave 16"), std::string::npos);
    EXPECT_EQ(ceilings[1].value, 300);
    EXPECT_EQ(ceilings[2].value, 16);
    EXPECT_EQ(ceilings[4].value, 9);
    ceilings[2].value.reset();
    ceilings[0].value = 13;
    drop_shared_caches(ceilings);
    EXPECT_EQ(ceilings[0].value, 13) << "nothing to hold it against";
}

TEST(Repetitions, TakeTheBestAfterOneThatDoesNotCount) {
    const double seconds[] = {0.1, 5, 3, 4, 6, 7};
    int calls = 0;
    const Best best =
        best_of({.fewest = 5, .most = 5, .budget_seconds = 0}, [&] { return seconds[calls++]; });
    EXPECT_EQ(best.seconds, 3);
    EXPECT_EQ(best.repetitions, 5);
}

TEST(Repetitions, GiveARateInBillionsASecond) {
    EXPECT_DOUBLE_EQ((Best{.seconds = 0.5, .repetitions = 1}.billions_a_second(2e9)), 4);
}

TEST(Repetitions, TakeNoTimeFromAClockThatWentBack) {
    const double seconds[] = {0.1, 5, -86400, 4, 6, 7};
    int calls = 0;
    EXPECT_THROW(best_of({.fewest = 5, .most = 5, .budget_seconds = 0}, [&] { return seconds[calls++]; }),
                 std::range_error);
}

TEST(Repetitions, NeverFewerThanTheFewest) {
    const Best best = best_of({.fewest = 7, .most = 50, .budget_seconds = -1}, [] { return 1.0; });
    EXPECT_EQ(best.repetitions, 7);
}

}  // namespace
}  // namespace gridmark::harness
