// What pyramid's rows say of themselves.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "experiments/pyramid/computed.hpp"
#include "experiments/pyramid/sweep.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/pyramid/medium.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests::pyramid_study {
namespace {

using harness::Plan;
using harness::Point;
using harness::Preset;
using harness::Series;

Plan plan_of(Preset preset = Preset::full) {
    return planned(harness::experiments().at("pyramid"), preset);
}

bool is_box(const Point& point) {
    return point.parameters.contains("nx");
}

std::vector<Point> all_points(Preset preset = Preset::full) {
    std::vector<Point> result;
    for (const auto& group : plan_of(preset).groups)
        result.insert(result.end(), group.points.begin(), group.points.end());
    return result;
}

/// Those of rods.
std::vector<Point> points(Preset preset = Preset::full) {
    auto result = all_points(preset);
    std::erase_if(result, is_box);
    return result;
}

bool is_streamed(const Point& point) {
    return point.parameters.contains("height");
}

double word(const Point& point) {
    return json_of(point.parameters)["precision"] == "float" ? 4 : 8;
}

TEST(PyramidPlan, DeclaresWhatAStepReadsWritesAndComputes) {
    for (const Point& point : points()) {
        SCOPED_TRACE(point.name);
        const double n = json_of(point.parameters)["n"];
        if (json_of(point.parameters).contains("medium")) {  // and three diagonals, or their factors
            EXPECT_EQ(point.bytes, 5 * n * word(point));
            EXPECT_EQ(point.working_set, point.bytes);
            EXPECT_EQ(point.flops, 5 * n);
            continue;
        }
        if (json_of(point.parameters).value("part", "") == "transfers") {
            EXPECT_EQ(point.bytes, point.transfers.uploaded + point.transfers.downloaded);
            EXPECT_EQ(point.flops, 0);
        } else {
            const bool eight = point.variant == "gpu_marching_8" &&
                               (!is_streamed(point) || json_of(point.parameters)["height"] >= 8);
            EXPECT_EQ(point.bytes, 2 * n * word(point) / (eight ? 8 : 1));
            EXPECT_EQ(point.stepwise_bytes, eight ? 2 * n * word(point) : 0);
            EXPECT_EQ(point.steps, eight && !is_streamed(point) ? 8 : 1);
            EXPECT_EQ(point.flops, 5 * n);
        }
        if (!is_streamed(point)) {
            EXPECT_EQ(point.working_set, 2 * n * word(point));
            EXPECT_EQ(point.transfers.uploaded + point.transfers.downloaded, 0);
        }
    }
}

// Every sweep reads and writes each value; a pass of a box sends and fetches each once.
TEST(PyramidPlan, DeclaresWhatABoxsStepDoes) {
    int boxes = 0, streamed = 0;
    for (const Point& point : all_points()) {
        if (!is_box(point)) continue;
        SCOPED_TRACE(point.name);
        const json p = json_of(point.parameters);
        const double values = p["nx"].get<double>() * p["ny"].get<double>() * p["nz"].get<double>();
        EXPECT_EQ(point.bytes, 3 * 2 * values * word(point));
        EXPECT_EQ(point.flops, 3 * 7 * values);
        ++boxes;
        if (!is_streamed(point)) continue;
        EXPECT_EQ(point.transfers.uploaded, values * word(point) / p["height"].get<double>());
        EXPECT_EQ(point.transfers.downloaded, point.transfers.uploaded);
        ++streamed;
    }
    EXPECT_GE(boxes - streamed, 2 * 4);
    EXPECT_GE(streamed, 2 * 2 * 3) << "a high pass leaves too many layers behind for a small budget";
}

// A pass sends every value up and its padding down too, once for all its steps.
TEST(PyramidPlan, DeclaresWhatAPassMoves) {
    for (const Point& point : points()) {
        if (!is_streamed(point)) continue;
        SCOPED_TRACE(point.name);
        const json p = json_of(point.parameters);
        const double n = p["n"], height = p["height"], padding = p["padding"], pieces = p["pieces"];
        EXPECT_EQ(point.iterations, height) << "a sample is one pass";
        if (p.value("part", "") == "kernels") {
            EXPECT_EQ(point.transfers.uploaded + point.transfers.downloaded, 0);
            continue;
        }
        EXPECT_DOUBLE_EQ(point.transfers.uploaded, n * word(point) / height);
        // Each seam's padding goes both ways, but for what the rod's end clips.
        const double most = (n + 2 * padding * (pieces - 1)) * word(point) / height;
        EXPECT_LE(point.transfers.downloaded, most);
        EXPECT_GE(point.transfers.downloaded, most - padding * word(point) / height);
    }
}

TEST(PyramidPlan, PadsAsItsRuleSays) {
    std::set<std::string> rules;
    for (const Point& point : points()) {
        if (!is_streamed(point)) continue;
        const json p = json_of(point.parameters);
        const double tolerance = p["precision"] == "float" ? 1e-6 : 1e-12;
        const auto expected = p["padding_rule"] == "least"
                                  ? pyramid::minimal_padding(p["s"], p["height"], tolerance)
                                  : pyramid::paper_padding(p["s"], p["height"], tolerance);
        EXPECT_EQ(p["padding"], expected) << point.name;
        rules.insert(p["padding_rule"].get<std::string>());
    }
    EXPECT_EQ(rules, (std::set<std::string>{"least", "paper"}));
}

// Every power of two up to 256, for each s and precision; for s = 1 in float two budgets of either length.
TEST(PyramidPlan, SweepsHeightsBudgetsAndS) {
    std::map<std::tuple<double, double, std::string>, std::set<int>> heights;
    std::map<std::pair<double, std::string>, std::set<double>> budgets;
    for (const Point& point : points()) {
        const json p = json_of(point.parameters);
        if (point.variant != "gpu_local_inverse" || !is_streamed(point)) continue;
        budgets[{p["s"], p["precision"]}].insert(p["budget_mib"].get<double>());
        if (p["n"] == 1 << 28)
            heights[{p["budget_mib"], p["s"], p["precision"]}].insert(p["height"].get<int>());
    }
    EXPECT_EQ(budgets.size(), 3U * 2U);
    EXPECT_EQ((budgets[{1, "float"}]), (std::set<double>{8, 64, 512}));
    EXPECT_EQ(heights.size(), 2U + 2U + 1U);
    for (const auto& [key, found] : heights)
        EXPECT_EQ(found, (std::set<int>{1, 2, 4, 8, 16, 32, 64, 128, 256}));
}

TEST(PyramidPlan, TakesTheUsersBudget) {
    const auto& experiment = harness::experiments().at("pyramid");
    static const auto device = launch::host_device();
    const Plan plan = harness::planned_here(
        experiment, {Preset::quick, 4, 1, device.get(), "", plenty, plenty, {}, std::size_t{24} << 20});
    int streamed = 0;
    for (const auto& group : plan.groups)
        for (const Point& point : group.points)
            if (is_streamed(point)) {
                EXPECT_EQ(json_of(point.parameters)["budget_mib"], 24.0) << point.name;
                ++streamed;
            }
    EXPECT_GT(streamed, 20);
}

// A budget that holds not even the padding of one height leaves that height out, and a row says so.
TEST(PyramidPlan, SaysWhichBudgetHoldsNoPiece) {
    const auto& experiment = harness::experiments().at("pyramid");
    static const auto device = launch::host_device();
    const Plan plan = harness::planned_here(
        experiment, {Preset::full, 4, 1, device.get(), "", plenty, plenty, {}, std::size_t{64} << 10});
    int skipped = 0, planned = 0;
    for (const auto& group : plan.groups)
        for (const Point& point : group.points)
            if (is_streamed(point)) {
                ++planned;
                if (point.unavailable.empty()) continue;
                ++skipped;
                EXPECT_NE(point.unavailable.find(is_box(point) ? "hold no slab" : "hold no piece"),
                          std::string::npos)
                    << point.unavailable;
            }
    EXPECT_GT(skipped, 0);
    EXPECT_LT(skipped, planned);
}

TEST(PyramidPlan, PreparesWorkThatVerifies) {
    int verified = 0, media = 0;
    for (const Point& point : points(Preset::quick)) {
        if (json_of(point.parameters)["n"] > 1 << 20 || is_streamed(point)) continue;
        if (!point.unavailable.empty()) continue;       // LAPACK
        if (point.variant == "gpu_cusparse") continue;  // not on the host
        SCOPED_TRACE(point.name);
        const auto v = point.prepare()->verify();
        EXPECT_TRUE(v.passed()) << v.error << " > " << v.tolerance;
        EXPECT_GT(v.steps, point.steps) << "several steps per launch, and single ones";
        EXPECT_GT(v.tolerance, 0);
        const bool is_medium = json_of(point.parameters).contains("medium");
        EXPECT_LT(v.tolerance,
                  (json_of(point.parameters)["precision"] == "float" ? 1e-5 : 1e-13) * (is_medium ? 100 : 1));
        EXPECT_TRUE(v.can_fail());
        (is_medium ? media : verified) += 1;
    }
    const int lapack = pyramid::lapack_unavailable_reason().empty() ? 1 : 0;
    EXPECT_EQ(verified, 2 * (4 + 2 + lapack));
    EXPECT_EQ(media, 2 * (1 + 1 + lapack));
}

// The device's seams, the rod's ends and its middle are looked at where a whole rod would take too long.
TEST(PyramidPlan, VerifiesLongRodsInWindows) {
    for (const Point& point : points(Preset::quick)) {
        const json p = json_of(point.parameters);
        if (point.variant != "cpu_pyramid" || p["height"] != 16) continue;
        const auto work = point.prepare();
        const auto v = work->verify();
        EXPECT_TRUE(v.passed()) << v.error << " > " << v.tolerance;
        EXPECT_EQ(v.steps, 16);
        EXPECT_NE(v.against.find("12 windows"), std::string::npos) << v.against;
        work->iterate(32);
    }
}

TEST(PyramidPlan, SplitsAPassIntoItsParts) {
    std::map<std::string, int> parts;
    for (const Point& point : points(Preset::quick))
        if (point.variant == "gpu_local_inverse" && is_streamed(point))
            ++parts[json_of(point.parameters).value("part", "whole")];
    EXPECT_EQ(parts["whole"], 2 * 4);
    EXPECT_EQ(parts["transfers"], 2 * 4);
    EXPECT_EQ(parts["kernels"], 2 * 4);
}

double value_of(const Plan& plan, const std::string& name) {
    for (const auto& row : plan.computed)
        if (row.name == name) return row.value();
    ADD_FAILURE() << name << " is not planned";
    return 0;
}

TEST(PyramidPlan, ComputesErrorsThatFollowTheTheory) {
    const Plan plan = plan_of(Preset::quick);
    const auto error = [&](int h, int p, const std::string& variant = "cpu_pyramid") {
        return value_of(plan, fmt::format("pyramid/{}/error/s_1/h_{}/p_{}", variant, h, p));
    };
    for (const std::string variant : {"cpu_pyramid", pyramid::paper_version})
        EXPECT_NEAR(error(1, 8, variant) / error(1, 16, variant), 2207, 10);  // lambda^-8
    for (const int h : {1, 8, 64})
        for (const int p : {4, 12, 24}) {
            EXPECT_LE(error(h, p), pyramid::padding_error(1, h, static_cast<std::size_t>(p)) + 1e-14);
            EXPECT_GE(error(h, p), 0.1 * pyramid::padding_error(1, h, static_cast<std::size_t>(p)));
        }
}

harness::Plan plan_with(std::size_t gpu_memory, std::size_t host_memory) {
    static const auto device = launch::host_device();
    return harness::planned_here(
        harness::experiments().at("pyramid"),
        {harness::Preset::full, 4, 1, device.get(), "", gpu_memory, host_memory, {}});
}

TEST(PyramidPlan, SamplesEveryPassAFewTimes) {
    for (const auto& group : plan_with(plenty, plenty).groups)
        for (const auto& point : group.points) {
            const json p = json_of(point.parameters);
            if (!p.contains("height")) continue;
            EXPECT_EQ(point.samples, 3) << point.name;
            EXPECT_LE(point.working_set, 2 * p["budget_mib"].get<double>() * 0x1p20) << point.name;
            EXPECT_GT(point.working_set, 0);
        }
}

// Each height of the paper's way has its counts. On the smallest device they are made here, on the host, and
// are those that the timed rows declare.
TEST(PyramidPlan, CountsWhatASweepMovesAndSolves) {
    const auto plan = plan_with(plenty, plenty);
    std::map<std::string, std::size_t> rows;
    for (const auto& row : plan.computed) {
        ++rows[row.quantity];
        if (row.parameters.contains("counted")) {
            EXPECT_TRUE(row.on_gpu) << row.name;
            EXPECT_GT(row.memory.host, 0) << row.name;
        }
    }
    EXPECT_EQ(rows["moved_a_pass"], rows["solved"]);
    EXPECT_EQ(rows["moved"], rows["solved"] + 7) << "the copy engines' records besides, up to height 64";
    EXPECT_EQ(rows["host_layers"], 2U);
    int counted = 0;
    for (const auto& group : plan.groups)
        for (const auto& point : group.points) {
            const json p = json_of(point.parameters);
            if (point.variant != pyramid::paper_version || p["n"] != 1 << 17 || p["height"] > 8) continue;
            const double n = p["n"], height = p["height"];
            EXPECT_DOUBLE_EQ(value_of(plan, point.name + "/moved"),
                             (point.transfers.uploaded + point.transfers.downloaded) / n);
            EXPECT_DOUBLE_EQ(value_of(plan, point.name + "/moved_a_pass"),
                             (point.transfers.uploaded + point.transfers.downloaded) * height / n);
            EXPECT_DOUBLE_EQ(value_of(plan, point.name + "/solved"),
                             point.transfers.downloaded * height / 4 / n);
            ++counted;
        }
    EXPECT_EQ(counted, 2);
}

// Errors of passes add. Held to a total over 1024 steps, height 1 would need half as much padding again,
// which is nothing beside a piece: the paper's comparison hardly depends on it.
TEST(PyramidPlan, HardlyDependsOnTheTotalTolerance) {
    EXPECT_EQ(pyramid::minimal_padding(10, 1, 1e-6), 44U);
    EXPECT_EQ(pyramid::minimal_padding(10, 1, 1e-6 / 1024), 66U);
    for (const auto& sweep :
         pyramid::sweeps_of(planned(harness::experiments().at("pyramid"), Preset::full))) {
        if (sweep.variant != pyramid::paper_version) continue;
        const auto pieces = sweep.pieces(1);
        const auto padding = pyramid::minimal_padding(sweep.s, 1, sweep.tolerance() / 1024);
        const double more = 2.0 * static_cast<double>(padding - pieces.padding);
        EXPECT_LT(more / static_cast<double>(pieces.length), 0.006) << sweep.name();
    }
}

TEST(PyramidPlan, ComputesPaddingsByBothRules) {
    const auto plan = plan_with(plenty, plenty);
    for (const double tolerance : {1e-6, 1e-12}) {
        const auto name = fmt::format("pyramid/cpu_pyramid/padding/s_10/{:g}/h_64/", tolerance);
        EXPECT_EQ(value_of(plan, name + "least"), pyramid::minimal_padding(10, 64, tolerance));
        EXPECT_EQ(value_of(plan, name + "paper"), pyramid::paper_padding(10, 64, tolerance));
    }
    // On the host executor the GPU's driver keeps every tolerance that its claim asks for.
    for (const char* variant : {"cpu_pyramid", pyramid::paper_version})
        for (const char* s : {"0.1", "1", "10"})
            for (const int height : {1, 16, 256})
                for (const double tolerance : {1e-6, 1e-12}) {
                    const auto name = fmt::format("pyramid/{}/tolerance/s_{}/h_{}/{:g}/found", variant, s,
                                                  height, tolerance);
                    const double found = value_of(plan, name);
                    EXPECT_LE(found, tolerance) << name;
                    EXPECT_GE(found, 1e-2 * tolerance) << name << ": as much padding as is needed, no more";
                }
}

TEST(PyramidPlan, TimelinesAreOfOnePass) {
    for (const auto& timeline : plan_with(plenty, plenty).timelines) {
        EXPECT_EQ(json_of(timeline.parameters)["height"], timeline.iterations) << timeline.name;
        EXPECT_EQ(timeline.unavailable, "");
    }
    for (const auto& timeline : plan_with(1 << 20, plenty).timelines)
        EXPECT_NE(timeline.unavailable, "") << timeline.name;
}

TEST(PyramidPlan, NeedsHostMemory) {
    for (const auto& group : plan_with(plenty, 3 << 20).groups)
        for (const auto& point : group.points)
            if (is_box(point) || json_of(point.parameters)["n"].get<double>() >= 1 << 20) {
                EXPECT_NE(point.unavailable, "") << point.name;
            }
}

TEST(PyramidPlan, SplitsOursAlone) {
    for (const auto& group : plan_with(plenty, plenty).groups)
        for (const auto& point : group.points)
            if (point.parameters.contains("part")) {
                EXPECT_TRUE(point.variant == "gpu_local_inverse" || point.variant == "gpu_marching_8");
                EXPECT_EQ(json_of(point.parameters)["s"], 1.0);
            }
}

TEST(PyramidPlan, TellsItsCostsApart) {
    const auto plan = plan_with(plenty, plenty);
    std::map<std::string, double> found;
    for (const auto& row : plan.derived)
        if (row.name.find("67108864/float/s_1/64_MiB/least_padding/tau_") != std::string::npos)
            found[row.quantity] = row.value({400, 200, 100, 50, 25, 12.5, 6.25, 3.125, 1.5625, 16896});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found["tau_reduction"], 0) << "times that fall like 1 / h are all transfers";
    EXPECT_GT(found["tau_transfer"], 0);
}

}  // namespace
}  // namespace gridmark::studies_tests::pyramid_study
