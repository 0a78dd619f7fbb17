// What heat's rows say of themselves.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <set>

#include "kernels/isa.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests::heat_study {
namespace {

using harness::Point;
using harness::Preset;
using harness::Series;

std::vector<Point> points(int threads = 16) {
    std::vector<Point> result;
    for (const auto& group : planned(harness::experiments().at("heat"), Preset::full, threads).groups)
        result.insert(result.end(), group.points.begin(), group.points.end());
    return result;
}

TEST(HeatPlan, DeclaresLeastTrafficAnd29OperationsAPoint) {
    for (const Point& point : points()) {
        SCOPED_TRACE(point.name);
        const json p = json_of(point.parameters);
        const double n = p["nx"].get<double>() * p["ny"].get<double>() * p["nz"].get<double>();
        const double once = n * (p["precision"] == "float" ? 12 : 24);
        const int wavefront = p["precision"] == "float" ? 3 : 2;
        const std::map<std::string, int> several{
            {"gpu_blocked_2", 2}, {"gpu_blocked_3", 3}, {"cpu_wavefront", wavefront}};
        const int steps = several.contains(point.variant) ? several.at(point.variant) : 1;
        EXPECT_EQ(point.steps, steps);
        EXPECT_EQ(point.bytes, once / steps);
        EXPECT_EQ(point.stepwise_bytes, steps > 1 ? once : 0);
        EXPECT_EQ(point.flops, n * 29);
        EXPECT_EQ(point.working_set, once);
    }
}

// A row's name and its parameters say the same.
TEST(HeatPlan, NamesItsParameters) {
    for (const Point& point : points()) {
        const json p = json_of(point.parameters);
        std::string name =
            fmt::format("heat/{}/{}x{}x{}/{}", point.variant, p["nx"].get<int>(), p["ny"].get<int>(),
                        p["nz"].get<int>(), p["precision"].get<std::string>());
        if (p.contains("beta")) {
            name += "/" + p["beta"].get<std::string>();
        } else {
            const int threads = p["threads"];
            EXPECT_EQ(p["team"], threads == 1 ? "one" : threads == 16 ? "all" : "some");
            name += threads == 1    ? "/one_thread"
                    : threads == 16 ? "/all_threads"
                                    : fmt::format("/{}_threads", threads);
        }
        EXPECT_EQ(point.name, name);
    }
}

// The thesis's sizes and threads, and one size beyond every cache.
TEST(HeatPlan, CoversTheFiguresOfTheThesis) {
    std::set<int> threads, cpu_sizes, gpu_sizes;
    for (const Point& point : points()) {
        const json p = json_of(point.parameters);
        if (p["precision"] != "float") continue;
        if (p.contains("threads") && p["nx"] == 256) threads.insert(p["threads"].get<int>());
        (p.contains("threads") ? cpu_sizes : gpu_sizes).insert(p["nx"].get<int>());
    }
    EXPECT_EQ(threads, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 16}));
    EXPECT_EQ(cpu_sizes, (std::set<int>{32, 64, 128, 256, 512}));
    EXPECT_EQ(gpu_sizes, (std::set<int>{32, 64, 128, 256, 512}));
}

TEST(HeatPlan, HasAsManyThreadsAsTheMachine) {
    for (const int all : {1, 2, 6, 48}) {
        std::set<int> threads;
        for (const Point& point : points(all))
            if (point.parameters.contains("threads"))
                threads.insert(json_of(point.parameters)["threads"].get<int>());
        EXPECT_EQ(*threads.rbegin(), all);
        EXPECT_EQ(*threads.begin(), 1);
    }
}

// One prepared point of each small kind: it runs what its name says, and the answer is right.
TEST(HeatPlan, PreparesWorkThatVerifies) {
    int verified = 0;
    for (const Point& point : points(2)) {
        if (json_of(point.parameters)["nx"] != 32 || !point.unavailable.empty()) continue;
        SCOPED_TRACE(point.name);
        const auto work = point.prepare();
        const auto v = work->verify();
        EXPECT_TRUE(v.passed()) << v.error << " > " << v.tolerance;
        EXPECT_GT(v.tolerance, 0);
        // In double only fused multiply-adds round otherwise than the reference: a version that runs under
        // another's name would show. g++ fuses from -O2 on, which the sanitizer's build and a debug build
        // lack; clang was seen not to.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
        constexpr bool fuses = true;
#else
        constexpr bool fuses = false;
#endif
        const bool marches = point.variant == "cpu_march" || point.variant == "cpu_wavefront";
        const bool fused = fuses && (point.variant == "cpu_avx2" || point.variant == "cpu_avx512" ||
                                     (marches && has_isa(Isa::avx2)));
        if (json_of(point.parameters)["precision"] == "double") {
            EXPECT_EQ(v.error > 0, fused) << v.error;
        }
        EXPECT_GT(v.steps, point.steps) << "steps at once, and single ones";
        EXPECT_EQ(v.steps % 2, 1) << "an even number would end in the buffer that holds the start";
        ++verified;
    }
    EXPECT_GE(verified, 2 * 5 * 2 + 6 + 3);
}

TEST(HeatPlan, ProfilesEveryKernelAsPublished) {
    const std::map<std::string, std::string> counters{
        {"dram_bytes", "dram__bytes.sum"},
        {"dram_bandwidth", "dram__bytes.sum.per_second"},
        {"dram_share", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"additions", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"},
        {"multiplications", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"},
        {"fused_multiply_adds", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"}};
    const auto plan = planned(harness::experiments().at("heat"), Preset::paper);
    std::set<std::string> variants;
    for (const auto& point : plan.profiled) {
        variants.insert(point.variant);
        EXPECT_EQ(point.name, "heat/" + point.variant + "/256x256x256/float/texture");
        EXPECT_EQ(point.solve,
                  (std::vector<std::string>{"heat", "--variant", point.variant, "--set", "steps=12"}));
        std::map<std::string, std::string> asked;
        for (const auto& metric : point.metrics)
            asked[metric.quantity] = metric.counter;
        EXPECT_EQ(asked, counters);
    }
    EXPECT_EQ(variants.size(), 6U);
}

}  // namespace
}  // namespace gridmark::studies_tests::heat_study
