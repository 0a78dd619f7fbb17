// What maxwell's rows say of themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "harness/model/predict.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "kernels/maxwell/streamed.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests::maxwell_study {
namespace {

using harness::Point;
using harness::Preset;
using harness::Series;

std::vector<Point> points(Preset preset = Preset::full) {
    std::vector<Point> result;
    for (const auto& group : planned(harness::experiments().at("maxwell"), preset).groups)
        result.insert(result.end(), group.points.begin(), group.points.end());
    return result;
}

bool is_streamed(const Point& point) {
    return point.parameters.contains("slab_depth");
}

bool is_skewed(const Point& point) {
    return point.parameters.contains("steps_per_pass");
}

double word(const Point& point) {
    return json_of(point.parameters)["precision"] == "float" ? 4 : 8;
}

double number(const Point& point, const char* key) {
    return json_of(point.parameters)[key].get<double>();
}

double nodes(const Point& point) {
    return number(point, "nx") * number(point, "ny") * number(point, "nz");
}

TEST(MaxwellPlan, DeclaresWhatAStepMovesAndComputes) {
    for (const Point& point : points()) {
        SCOPED_TRACE(point.name);
        if (json_of(point.parameters).value("part", "") == "transfers") {
            EXPECT_EQ(point.bytes, point.transfers.uploaded + point.transfers.downloaded);
            EXPECT_EQ(point.flops, 0);
            continue;
        }
        const bool lookup = point.variant.ends_with("_lookup");
        const bool six = point.variant == "gpu_in_core" || point.variant == "gpu_in_core_concurrent" ||
                         point.variant == "gpu_in_core_host_faces" || point.variant == "cpu_plain" ||
                         point.variant == "gpu_streamed" || point.variant == "gpu_streamed_pageable";
        const bool indexed = point.variant.ends_with("_indexed");
        const bool whole = point.variant == "gpu_single_pass" || point.variant == "gpu_streamed_skewed";
        const double bytes = (six ? 33 : whole ? 21 : indexed ? 12 : lookup ? 30 : 27) * word(point);
        EXPECT_EQ(point.bytes, nodes(point) * (bytes + (indexed ? 1 : 0)));
        const bool aircraft = indexed || point.name.ends_with("/aircraft");
        EXPECT_EQ(json_of(point.parameters).value("case", "random"), aircraft ? "aircraft" : "random");
        EXPECT_EQ(point.flops, nodes(point) * (lookup ? 120 : 57));
        if (!is_streamed(point)) {
            const double words = whole ? 21 : indexed ? 12 : 15;
            EXPECT_EQ(point.working_set, nodes(point) * (words * word(point) + (indexed ? 1 : 0)));
        }
    }
}

// The paper's choices are tried at its size alone, in one group with the version that they are held against.
TEST(MaxwellPlan, TriesThePapersChoicesAtItsSize) {
    for (const Preset preset : {Preset::paper, Preset::full}) {
        std::set<std::string> tried;
        const harness::Plan plan = planned(harness::experiments().at("maxwell"), preset);
        for (const auto& group : plan.groups)
            for (const Point& point : group.points) {
                const bool is_choice =
                    point.variant == "gpu_in_core_lookup" || point.variant == "gpu_in_core_concurrent" ||
                    point.variant == "gpu_in_core_host_faces" || point.parameters.contains("row_alignment") ||
                    (point.variant == "gpu_single_pass" && point.parameters.contains("case"));
                if (!is_choice) continue;
                EXPECT_EQ(json_of(point.parameters)["nx"], 320);
                EXPECT_EQ(json_of(point.parameters)["precision"], "float");
                EXPECT_EQ(point.series.size(), 1U);
                EXPECT_GT(point.memory.gpu, group.points.front().memory.gpu) << "others fit without it";
                EXPECT_TRUE(tried.insert(point.name).second);
            }
        EXPECT_EQ(tried.size(), 5U);
        std::set<std::string> orders;
        for (const auto& row : plan.computed)
            if (row.quantity == "order") orders.insert(row.name);
        EXPECT_EQ(orders.size(), 4U);
    }
}

TEST(MaxwellPlan, StreamsThePapersSizeThroughHalfOfItsMemory) {
    for (const Preset preset : {Preset::paper, Preset::full}) {
        std::set<std::string> variants;
        for (const Point& point : points(preset)) {
            const json p = json_of(point.parameters);
            if (p["nx"] != 320 || !p.contains("chosen_by")) continue;
            variants.insert(point.variant);
            EXPECT_LT(p["slab_depth"].get<int>(), 320);
            EXPECT_LT(point.memory.gpu, 15.0 * 321 * 321 * 352 * 4);
            if (is_skewed(point)) continue;
            EXPECT_LE(point.memory.gpu, 0x1p30);
            EXPECT_GT(point.memory.gpu, 0.97 * 0x1p30) << "as deep as it can be";
        }
        EXPECT_TRUE(variants.contains("gpu_streamed_pageable"));
        EXPECT_TRUE(variants.contains("gpu_streamed"));
        EXPECT_TRUE(variants.contains("gpu_streamed_overlapped"));
        EXPECT_TRUE(variants.contains("gpu_streamed_skewed"));
    }
}

TEST(MaxwellPlan, HasABudgetOfTheUsersOwnAsOfDeviceMemory) {
    const harness::Experiment& study = harness::experiments().at("maxwell");
    harness::PlanContext context{Preset::quick, 4, 1, nullptr, "no GPU", plenty, plenty, {}};
    for (const harness::Variant& variant : study.variants) {
        if (!variant.uses.contains("streaming")) continue;
        context.device_memory = 0;
        const Point by_axis =
            harness::points_at(study, context, variant, {{"n", "100"}, {"budget_mib", "24"}}).front();
        const Point usual = harness::points_at(study, context, variant, {{"n", "100"}}).front();
        context.device_memory = std::size_t{24} << 20;
        const Point by_memory = harness::points_at(study, context, variant, {{"n", "100"}}).front();
        EXPECT_EQ(by_axis.name, by_memory.name);
        EXPECT_EQ(by_axis.parameters, by_memory.parameters);
        EXPECT_NE(by_axis.name, usual.name);
        EXPECT_LE(by_axis.memory.gpu, 24 * 0x1p20);
        EXPECT_TRUE(by_axis.unavailable.empty());
        const Point too_little =
            harness::points_at(study, context, variant, {{"n", "100"}, {"budget_mib", "0.01"}}).front();
        EXPECT_TRUE(too_little.unavailable.starts_with("budget_mib: ")) << too_little.unavailable;
    }
}

TEST(MaxwellPlan, StreamsTheBytesOfThePaperAndTheHalo) {
    std::set<int> layers;
    for (const Point& point : points()) {
        if (!is_streamed(point) || is_skewed(point)) continue;
        SCOPED_TRACE(point.name);
        const int n = json_of(point.parameters)["nx"], depth = json_of(point.parameters)["slab_depth"];
        if (n == 320 && !point.parameters.contains("chosen_by")) layers.insert(depth);
        EXPECT_EQ(point.iterations, 2);
        EXPECT_GE(point.samples, 3);
        if (json_of(point.parameters).value("part", "") == "kernels") {
            EXPECT_EQ(point.transfers.uploaded + point.transfers.downloaded, 0);
            continue;
        }
        // 21 arrays up and 6 down of rows padded to 128 bytes, and at most four planes of halo a slab.
        const double plane = (n + 1.0) * ((n + 32) / 32 * 32) * 4, slabs = (n + depth - 1) / depth;
        EXPECT_EQ(point.transfers.downloaded, 6 * n * plane);
        EXPECT_EQ(point.transfers.uploaded, (21 * n + 4 * slabs - 2) * plane);
    }
    EXPECT_EQ(layers, (std::set<int>{1, 4, 16, 64, 320}));
}

TEST(MaxwellPlan, APassSendsEachPlaneOnce) {
    std::set<int> sizes;
    for (const Point& point : points()) {
        if (!is_skewed(point)) continue;
        SCOPED_TRACE(point.name);
        const int n = json_of(point.parameters)["nx"], steps = json_of(point.parameters)["steps_per_pass"],
                  depth = json_of(point.parameters)["slab_depth"];
        sizes.insert(n);
        EXPECT_EQ(point.iterations, 2 * steps);
        EXPECT_EQ(steps % 2, 0) << "fields come back into the set that they were sent to";
        const double rows = (n + 1.0) * ((n + 32) / 32 * 32),
                     window = json_of(point.parameters)["device_mib"];
        const bool indexed = point.variant.ends_with("_indexed");
        EXPECT_GE(window * 0x1p20, (steps + depth + 1) * rows * (indexed ? 49 : 84));
        if (n == 768) {
            EXPECT_LE(window, 8 * 1024);
            EXPECT_GT((n + 1) * rows * (indexed ? 25 : 60), window * 0x1p20) << "the data are more than that";
        }
        const std::string part = json_of(point.parameters).value("part", "");
        if (part != "transfers") {
            EXPECT_GE(point.launches, n / depth);
        }
        if (part == "kernels") continue;
        EXPECT_DOUBLE_EQ(point.transfers.downloaded, (n + 1) * rows * 24 / steps);
        EXPECT_DOUBLE_EQ(point.transfers.uploaded, (n + 1) * rows * (indexed ? 25 : 60) / steps);
    }
    EXPECT_EQ(sizes, (std::set<int>{128, 320, 512, 768}));
}

// The paper prints ranges: a band is one of them, and a claim's other reading has the same.
TEST(MaxwellClaims, HaveTheRangesThatThePaperPrints) {
    const json study = harness::study_of(harness::experiments().at("maxwell"));
    std::map<std::string, json> claims;
    for (const json& claim : study["claims"])
        claims[claim["id"]] = claim;
    for (const auto& [id, low, high] :
         {std::tuple{"M1", 10.0, 15.0}, {"M2", 2.0, 3.0}, {"M3", 10.0 / 3, 7.5}}) {
        const json& claim = claims.at(id);
        const double value = claim["published"]["value"], tolerance = claim["tolerance"];
        EXPECT_NEAR(value * (1 - tolerance) / low, 1, 0.015) << id;
        EXPECT_NEAR(value * (1 + tolerance) / high, 1, 0.015) << id;
    }
    int readings = 0;
    for (const auto& [id, claim] : claims) {
        if (claim.value("reading", "") != "as published") continue;
        const json& twin = claims.at(id + "-best");
        EXPECT_EQ(twin["reading"], "best for best");
        EXPECT_TRUE(twin["pairs"]["best"].get<bool>());
        for (const char* key : {"quote", "place", "published", "tolerance", "kind"})
            EXPECT_EQ(claim[key], twin[key]) << id;
        EXPECT_NE(claim["statement"], twin["statement"]) << id;
        // The paper's own versions, one row on either side, and the paper's threads.
        EXPECT_FALSE(claim["pairs"].value("best", false)) << id;
        for (const char* side : {"numerator", "denominator"}) {
            const json& rows = claim["pairs"][side];
            EXPECT_TRUE(rows["variant"].is_string()) << id;
            if (rows["variant"] == "cpu_plain") {
                EXPECT_EQ(rows["threads"], 11) << id;
            }
        }
        ++readings;
    }
    EXPECT_EQ(readings, 7);
}

TEST(MaxwellPlan, PaperPresetFitsACardOf2010) {
    double largest = 0;
    for (const Point& point : points(Preset::paper))
        if (json_of(point.parameters)["precision"] == "float") largest = std::max(largest, nodes(point));
    EXPECT_EQ(largest, 320.0 * 320 * 320);
    const maxwell::Layout layout = maxwell::make_layout<float>(maxwell::uniform_grid(320, 320, 320));
    EXPECT_LT(15.0 * static_cast<double>(layout.size()) * 4, 2.6 * 0x1p30);
}

TEST(MaxwellPlan, TimesTheCpuWithOneElevenAndAllThreads) {
    std::set<int> threads;
    for (const Point& point : points())
        if (point.variant == "cpu_openmp" && json_of(point.parameters)["nx"] == 320) {
            const int count = json_of(point.parameters)["threads"];
            threads.insert(count);
            EXPECT_EQ(point.name.ends_with("11_threads"), count == 11) << point.name;
        }
    EXPECT_TRUE(threads.contains(1));
    EXPECT_TRUE(threads.contains(11));
    EXPECT_GE(threads.size(), 2U);
}

TEST(MaxwellPlan, LaunchesAreThoseOfAStep) {
    for (const Point& point : points(Preset::paper)) {
        if (point.variant == "gpu_in_core" || point.variant == "gpu_in_core_concurrent" ||
            point.variant == "gpu_in_core_lookup") {
            EXPECT_EQ(point.launches, 6 + 5) << point.name;
        }
        if (point.variant == "gpu_in_core_host_faces") {
            EXPECT_EQ(point.launches, 6 + 3) << point.name;
            EXPECT_EQ(point.transfers.downloaded, 12.0 * 320 * 320 * 4) << "two components on six faces";
        }
        if (point.variant == "gpu_in_core_fused") {
            EXPECT_EQ(point.launches, 2 + 5) << point.name;
        }
        if (point.variant.starts_with("gpu_single_pass")) {
            EXPECT_EQ(point.launches, 1) << point.name;
        }
    }
}

// Kernels, uploads and downloads take turns, or only the longest of them counts.
TEST(MaxwellPlan, ModelsStreamedStepsInTurnOrAtOnce) {
    harness::MachineLimits machine;
    machine.multiprocessors = 100;
    machine.ceilings = {{"link_up_pinned", 50},      {"link_down_pinned", 40},   {"link_both_pinned", 80},
                        {"link_up_pageable", 10},    {"link_down_pageable", 10}, {"gpu_copy_bandwidth", 1000},
                        {"gpu_fma_peak_float", 1e4}, {"link_copy_start", 0}};
    harness::MachineLimits slow_to_start = machine;
    slow_to_start.ceilings["link_copy_start"] = 1;
    std::map<std::string, int> judged;
    for (const Point& point : points(Preset::paper)) {
        if (!is_streamed(point) || json_of(point.parameters).contains("part")) continue;
        if (json_of(point.parameters)["precision"] != "float") continue;
        SCOPED_TRACE(point.name);
        const auto time_by = [&](const harness::MachineLimits& limits) {
            return predict(point, point.series.front(), limits)->time;
        };
        const auto& moved = point.transfers;
        const double up = moved.uploaded / 50e3, down = moved.downloaded / 40e3,
                     at_once = std::max({up, down, (moved.uploaded + moved.downloaded) / 80e3});
        const double time = time_by(machine);
        const bool is_one_slab = point.parameters.at("slab_depth") == point.parameters.at("nx");
        if (point.variant == "gpu_streamed_pageable") {
            EXPECT_GT(time, (moved.uploaded + moved.downloaded) / 10e3);
        } else if (point.variant == "gpu_streamed" || (!is_skewed(point) && is_one_slab)) {
            EXPECT_GT(time, up + down) << "and kernels besides";
            EXPECT_LT(time, 1.3 * (up + down));
            // A slab's two half steps take 27 copies: 12 + 9 up, 3 + 3 down.
            const double slabs = std::ceil(number(point, "nx") / number(point, "slab_depth"));
            EXPECT_NEAR(time_by(slow_to_start), time + 27 * slabs, 1e-6);
        } else if (!is_skewed(point)) {
            EXPECT_DOUBLE_EQ(time, at_once);
            const double slabs = std::ceil(number(point, "nx") / number(point, "slab_depth"));
            EXPECT_NEAR(time_by(slow_to_start), std::max(at_once, up + 21 * slabs), 1e-6);
        } else {
            EXPECT_GE(time, at_once);
        }
        ++judged[point.variant];
    }
    EXPECT_EQ(judged.size(), 5U) << "versions";
}

}  // namespace
}  // namespace gridmark::studies_tests::maxwell_study
