// A kernel that does nothing, and one that copies its input to its output, are fast and wrong: no experiment
// may give them a time.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "harness/run/measure.hpp"
#include "kernels/launch/error.hpp"
#include "tests/studies/plans.hpp"
#include "tests/support/faulty_device.hpp"

namespace gridmark::studies_tests {
namespace {

using harness::Point;
using tests::Faults;
using tests::FaultyDevice;

/// The device of all works: studies keep what they hold of it from point to point.
FaultyDevice& device() {
    static FaultyDevice device;
    return device;
}

constexpr int launch_chips = 132;  // multiprocessors of a chip that holds every study's smallest grid

bool is_cuda(const harness::Experiment& experiment, const std::string& variant) {
    return std::any_of(experiment.variants.begin(), experiment.variants.end(), [&](const auto& v) {
        return v.name == variant && v.kind == harness::Variant::Kind::cuda;
    });
}

/// The smallest point of each CUDA variant, where the host executor can run it in seconds (data sent to and
/// fro only comes in sizes that it cannot: the studies' own tests see to that).
std::vector<Point> smallest_points(const harness::Experiment& experiment) {
    constexpr double most_bytes = 32e6;
    const auto plan =
        harness::planned_here(experiment, {harness::Preset::full, 2, 1, &device(), "", plenty, plenty, {}});
    std::map<std::string, Point> smallest;
    for (const auto& group : plan.groups)
        for (const Point& point : group.points) {
            if (!is_cuda(experiment, point.variant) || !point.unavailable.empty()) continue;
            if (point.bytes > most_bytes || point.transfers.uploaded > 0) continue;
            const auto [found, is_new] = smallest.try_emplace(point.variant, point);
            if (!is_new && point.bytes < found->second.bytes) found->second = point;
        }
    std::vector<Point> points;
    for (auto& [variant, point] : smallest)
        points.push_back(std::move(point));
    return points;
}

/// The row that a point gets when this goes wrong.
json row_of(const std::string& id, const Point& point, Faults faults, bool& gpu_lost) {
    device().set(faults);
    const harness::Series series = point.series.front();
    const harness::Session session{"alone", series.clock, {{&point, series}}};
    const harness::MeasureContext context{id, harness::protocol(harness::Preset::quick), &device(), {}, true};
    return measure_session(session, context, gpu_lost).at(0);
}

class NullKernel : public testing::TestWithParam<std::string> {};

void expect_no_time(const json& row, const char* reason) {
    EXPECT_EQ(row["status"], "failed") << row.dump();
    EXPECT_NE(row["reason"].get<std::string>().find(reason), std::string::npos) << row["reason"];
    EXPECT_TRUE(row["median"].is_null());
    EXPECT_TRUE(row["samples"].empty());
}

TEST_P(NullKernel, GetsNoTimeInAnyExperiment) {
    const auto points = smallest_points(harness::experiments().at(GetParam()));
    EXPECT_FALSE(points.empty());
    for (const Point& point : points) {
        SCOPED_TRACE(point.name);
        device().set({});
        bool is_right = false;
        try {
            is_right = point.prepare()->verify().passed();
        } catch (const launch::Unavailable&) {
            continue;  // made of a library of the GPU's own
        }
        bool gpu_lost = false;
        if (!is_right) expect_no_time(row_of(GetParam(), point, {}, gpu_lost), "wrong answer");
        for (const auto kernel : {Faults::Kernel::null, Faults::Kernel::copying}) {
            expect_no_time(row_of(GetParam(), point, {.kernel = kernel}, gpu_lost), "wrong answer");
            EXPECT_GT(device().launches(), 0);
        }
        EXPECT_FALSE(gpu_lost);
    }
}

TEST_P(NullKernel, NorDoesOneThatTheGpuGivesUp) {
    int judged = 0;
    for (const Point& point : smallest_points(harness::experiments().at(GetParam()))) {
        bool gpu_lost = false;
        const json row = row_of(GetParam(), point, {.illegal_launch = 0}, gpu_lost);
        if (row["status"] == "skipped") continue;
        expect_no_time(row, "illegal memory access");
        EXPECT_TRUE(gpu_lost) << "the next rows need a new process";
        ++judged;
    }
    EXPECT_GT(judged, 0);
}

// What a point declares of its kernels (launch::Demand) is what the model of times goes by.
TEST_P(NullKernel, IsLaunchedAsOftenAsThePointDeclares) {
    int judged = 0;
    const auto points = smallest_points(harness::experiments().at(GetParam()));
    if (std::ranges::none_of(points, [](const Point& point) { return bool(point.demands); }))
        GTEST_SKIP() << GetParam() << " declares no demand: the model has nothing to say of it";
    for (const Point& point : points) {
        if (!point.demands) continue;
        SCOPED_TRACE(point.name);
        device().set({.kernel = Faults::Kernel::null});
        const auto work = point.prepare();
        work->select();
        const int before = device().launches();
        work->iterate(2);
        double declared = 0;
        for (const launch::Demand& demand : point.demands({launch_chips, 0})) {
            declared += demand.times;
            EXPECT_GE(demand.blocks, 1);
            EXPECT_GE(demand.block_threads, 1);
            EXPECT_LE(demand.block_threads, 1024);
            EXPECT_GT(demand.chain.loads + demand.chain.issued, 0);
        }
        EXPECT_EQ(2 * declared, device().launches() - before);
        ++judged;
    }
    EXPECT_GT(judged, 0);
}

// What a point declares decides whether a row fits the device. Studies keep fields of both precisions, and a
// variant may need less than its neighbours: so it may declare more, but never less.
TEST_P(NullKernel, TakesNoMoreMemoryThanThePointDeclares) {
    for (const Point& point : smallest_points(harness::experiments().at(GetParam()))) {
        SCOPED_TRACE(point.name);
        device().set({});
        device().peak_bytes();
        const std::size_t kept = device().peak_bytes();
        try {
            point.prepare()->verify();
        } catch (const launch::Unavailable&) {
            continue;  // made of a library of the GPU's own
        }
        const auto taken = static_cast<double>(device().peak_bytes() - kept);
        EXPECT_LE(taken, point.memory.gpu);
        EXPECT_GE(taken + static_cast<double>(kept), point.memory.gpu / 20) << "a factor, or a unit";
        EXPECT_GT(point.memory.host, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Studies, NullKernel, testing::ValuesIn(ids()),
                         [](const auto& id) { return id.param; });

}  // namespace
}  // namespace gridmark::studies_tests
