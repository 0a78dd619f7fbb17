// What maxwell's rows say of themselves.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

double nodes(const Point& point) {
    return json_of(point.parameters)["nx"].get<double>() * json_of(point.parameters)["ny"].get<double>() *
           json_of(point.parameters)["nz"].get<double>();
}

TEST(MaxwellPlan, DeclaresWhatAStepMovesAndComputes) {
    for (const Point& point : points()) {
        SCOPED_TRACE(point.name);
        if (json_of(point.parameters).value("part", "") == "transfers") {
            EXPECT_EQ(point.bytes, point.uploaded + point.downloaded);
            EXPECT_EQ(point.flops, 0);
            continue;
        }
        const bool six = point.variant == "gpu_in_core" || point.variant == "gpu_streamed";
        const bool indexed = point.variant.ends_with("_indexed");
        const bool whole = point.variant == "gpu_single_pass" || point.variant == "gpu_streamed_skewed";
        const double bytes = (six ? 33 : whole ? 21 : indexed ? 12 : 27) * word(point);
        EXPECT_EQ(point.bytes, nodes(point) * (bytes + (indexed ? 1 : 0)));
        EXPECT_EQ(json_of(point.parameters).value("case", "random"), indexed ? "aircraft" : "random");
        EXPECT_EQ(point.flops, nodes(point) * 57);
        if (!is_streamed(point)) {
            const double words = whole ? 21 : indexed ? 12 : 15;
            EXPECT_EQ(point.working_set, nodes(point) * (words * word(point) + (indexed ? 1 : 0)));
        }
    }
}

TEST(MaxwellPlan, StreamsTheBytesOfThePaperAndTheHalo) {
    std::set<int> layers;
    for (const Point& point : points()) {
        if (!is_streamed(point) || is_skewed(point)) continue;
        SCOPED_TRACE(point.name);
        const int n = json_of(point.parameters)["nx"], depth = json_of(point.parameters)["slab_depth"];
        if (n == 320) layers.insert(depth);
        EXPECT_EQ(point.iterations, 2);
        EXPECT_GE(point.samples, 3);
        if (json_of(point.parameters).value("part", "") == "kernels") {
            EXPECT_EQ(point.uploaded + point.downloaded, 0);
            continue;
        }
        // 21 arrays up and 6 down of rows padded to 128 bytes, and at most four planes of halo a slab.
        const double plane = (n + 1.0) * ((n + 32) / 32 * 32) * 4, slabs = (n + depth - 1) / depth;
        EXPECT_EQ(point.downloaded, 6 * n * plane);
        EXPECT_EQ(point.uploaded, (21 * n + 4 * slabs - 2) * plane);
    }
    EXPECT_EQ(layers, (std::set<int>{1, 2, 4, 16, 64, 320}));
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
        EXPECT_DOUBLE_EQ(point.downloaded, (n + 1) * rows * 24 / steps);
        EXPECT_DOUBLE_EQ(point.uploaded, (n + 1) * rows * (indexed ? 25 : 60) / steps);
    }
    EXPECT_EQ(sizes, (std::set<int>{128, 320, 512, 768}));
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
        if (point.variant == "gpu_in_core") {
            EXPECT_EQ(point.launches, 6 + 5) << point.name;
        }
        if (point.variant == "gpu_in_core_fused") {
            EXPECT_EQ(point.launches, 2 + 5) << point.name;
        }
        if (point.variant.starts_with("gpu_single_pass")) {
            EXPECT_EQ(point.launches, 1) << point.name;
        }
    }
}

}  // namespace
}  // namespace gridmark::studies_tests::maxwell_study
