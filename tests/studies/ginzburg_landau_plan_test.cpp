// What ginzburg_landau's rows say of themselves.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <set>

#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests::ginzburg_landau_study {
namespace {

using harness::Point;
using harness::Preset;
using harness::Series;

std::vector<Point> points(Preset preset = Preset::full, int threads = 16) {
    std::vector<Point> result;
    for (const auto& group : planned(harness::experiments().at("ginzburg_landau"), preset, threads).groups)
        result.insert(result.end(), group.points.begin(), group.points.end());
    return result;
}

bool is_published(const Point& point) {
    const json p = json_of(point.parameters);
    return (p["n"] == 16384 || p["n"] == 32768) && p.value("block", 128) == 128;
}

TEST(GinzburgLandauPlan, DeclaresLeastTrafficAnd128OperationsAPair) {
    for (const Point& point : points()) {
        SCOPED_TRACE(point.name);
        const json p = json_of(point.parameters);
        const int n = p["n"];
        const double state_twice = 4.0 * n * (p["precision"] == "float" ? 4 : 8);
        const std::map<std::string, int> steps{{"gpu_registers", 4}, {"gpu_persistent", 300}};
        const auto many = steps.find(point.variant);
        EXPECT_EQ(point.steps, many == steps.end() ? 1 : many->second);
        EXPECT_EQ(point.bytes, state_twice / point.steps);
        EXPECT_EQ(point.stepwise_bytes, point.steps > 1 ? state_twice : 0);
        EXPECT_EQ(point.flops, 128.0 * n);
        const std::map<std::string, double> states{
            {"gpu_overlap8", 1}, {"cpu_overlap", 1}, {"gpu_registers", 1}, {"gpu_persistent", 3.5}};
        const auto found = states.find(point.variant);
        EXPECT_EQ(point.working_set, state_twice * (found == states.end() ? 2 : found->second));
        EXPECT_EQ(point.launches, point.variant == "gpu_relaunch" ? 4 : 1);
    }
}

TEST(GinzburgLandauPlan, NamesItsParameters) {
    for (const Point& point : points()) {
        const json p = json_of(point.parameters);
        std::string name = fmt::format("ginzburg_landau/{}/{}/{}/", point.variant, p["n"].get<int>(),
                                       p["precision"].get<std::string>());
        if (point.steps > 1) {
            name += fmt::format("steps_{}", point.steps);
        } else if (p.contains("block")) {
            name += fmt::format("block_{}", p["block"].get<int>());
        } else {
            const std::map<int, std::string> teams{{1, "one"}, {4, "four"}, {16, "all"}};
            EXPECT_EQ(p["team"], teams.at(p["threads"]));
            name += p["team"].get<std::string>() + (p["threads"] == 1 ? "_thread" : "_threads");
        }
        EXPECT_EQ(point.name, name);
    }
}

// Both readings of the slides' dimension have the same rows.
TEST(GinzburgLandauPlan, ReportsBothPublishedSizesEqually) {
    for (const Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        std::map<int, std::set<std::string>> rows;
        const auto plan = planned(harness::experiments().at("ginzburg_landau"), preset);
        for (const json row : rows_of("ginzburg_landau", plan)) {
            const json& p = row["parameters"];
            if (p.value("block", 128) != 128 || row["unit"] != "us") continue;
            auto name = row["name"].get<std::string>();
            for (const int n : {16384, 32768})
                if (const auto at = name.find(fmt::format("/{}/", n)); at != std::string::npos)
                    rows[n].insert(name.replace(at, 7, "/n/"));
        }
        EXPECT_EQ(rows[16384], rows[32768]);
        EXPECT_GT(rows[16384].size(), 20U);
    }
}

// 30000 steps are one sample of the step clock.
TEST(GinzburgLandauPlan, TimesTheWholeRunOfTheSlides) {
    for (const Preset preset : {Preset::paper, Preset::full})
        for (const Point& point : points(preset)) {
            const bool timed_whole = !point.parameters.contains("threads") && is_published(point);
            EXPECT_EQ(point.iterations * point.steps, timed_whole ? 30000 : 0) << point.name;
            EXPECT_EQ(point.iterations % 2, 0) << "a graph must end in the buffer that it began with";
        }
    for (const Point& point : points(Preset::quick))
        EXPECT_EQ(point.iterations, 0) << point.name;
}

TEST(GinzburgLandauPlan, SweepsSizesAndBlocks) {
    std::map<std::string, std::set<int>> sizes, blocks;
    for (const Point& point : points()) {
        const json p = json_of(point.parameters);
        sizes[point.variant].insert(p["n"].get<int>());
        if (p.contains("block") && p["n"] == 16384) blocks[point.variant].insert(p["block"].get<int>());
    }
    ASSERT_EQ(sizes.size(), 7U);
    for (const auto& [variant, found] : sizes) {
        EXPECT_EQ(*found.begin(), 1 << 10) << variant;
        if (variant == "gpu_persistent") {
            EXPECT_EQ(*found.rbegin(), 1 << 16) << "what fits on the chip";
            EXPECT_EQ(found.size(), 5U);
            continue;
        }
        EXPECT_TRUE(found.contains(1 << 22)) << variant;
        EXPECT_GE(found.size(), 9U) << variant;
    }
    for (const auto& [variant, found] : blocks)
        EXPECT_EQ(found, (std::set<int>{32, 64, 96, 128, 192, 256, 512, 1024})) << variant;
}

// The four threads of the slides' CPU stand beside all, where there are more.
TEST(GinzburgLandauPlan, FollowsTheMachinesThreads) {
    for (const int all : {1, 4, 5, 48}) {
        std::set<int> threads;
        for (const Point& point : points(Preset::full, all))
            if (point.parameters.contains("threads"))
                threads.insert(json_of(point.parameters)["threads"].get<int>());
        std::set<int> expected{1, all};
        if (all > 4) expected.insert(4);
        EXPECT_EQ(threads, expected);
    }
}

TEST(GinzburgLandauPlan, PreparesWorkThatVerifies) {
    int verified = 0;
    for (const Point& point : points(Preset::quick, 2)) {
        if (json_of(point.parameters)["n"] > 4096) continue;
        SCOPED_TRACE(point.name);
        const auto v = point.prepare()->verify();
        EXPECT_TRUE(v.passed()) << v.error << " > " << v.tolerance;
        EXPECT_GT(v.tolerance, 0);
        // Hundreds of steps let the equation itself make something of rounding.
        const double many = point.steps > 100 ? 100 : 1;
        EXPECT_LT(v.tolerance, many * (json_of(point.parameters)["precision"] == "float" ? 1e-4 : 1e-12));
        EXPECT_EQ(v.steps % 2, 1) << "an even number would end in the buffer that holds the start";
        ++verified;
    }
    EXPECT_EQ(verified, 2 * 2 * 7);
}

TEST(GinzburgLandauPlan, CountsArithmeticOverBlocks) {
    std::set<std::pair<int, int>> counted;
    for (const auto& point : planned(harness::experiments().at("ginzburg_landau"), Preset::paper).profiled) {
        const int n = json_of(point.parameters)["n"], block = json_of(point.parameters)["block"];
        counted.insert({n, block});
        EXPECT_EQ(point.solve,
                  (std::vector<std::string>{"ginzburg_landau", "--variant", "gpu_overlap8", "--set",
                                            fmt::format("n={}", n), fmt::format("block={}", block),
                                            "steps=12", "precision=double"}));
        for (const auto& metric : point.metrics) {
            EXPECT_NE(metric.counter.find("_op_d"), std::string::npos);
            EXPECT_DOUBLE_EQ(metric.scale * n, 1);
        }
        EXPECT_EQ(point.metrics.size(), 3U);
    }
    EXPECT_TRUE(counted.contains({1024, 1024}));
    EXPECT_TRUE(counted.contains({16384, 128}));
}

}  // namespace
}  // namespace gridmark::studies_tests::ginzburg_landau_study
