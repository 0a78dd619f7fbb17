// What kernels declare of themselves (launch::Demand) beside what is counted of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/model/counts.hpp"
#include "kernels/launch/host_grid.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

using harness::Point;

/// All points of all studies that declare kernels, those of the largest preset.
std::vector<Point> declaring(launch::Device& device) {
    std::vector<Point> points;
    for (const auto& [id, experiment] : harness::experiments()) {
        const auto plan =
            harness::planned_here(experiment, {harness::Preset::full, 2, 1, &device, "", plenty, plenty, {}});
        for (const auto& group : plan.groups)
            for (const Point& point : group.points)
                if (point.demands) points.push_back(point);
    }
    return points;
}

TEST(Demands, AreCountedOfEveryKernelThatDeclaresUnits) {
    static const auto device = launch::host_device();
    int counted = 0;
    for (const Point& point : declaring(*device)) {
        auto kernels = point.demands({.multiprocessors = 132});
        EXPECT_TRUE(harness::add_counts(kernels, harness::counts(), point.counted_as))
            << point.name << ": run `make demands` where there is a GPU";
        for (const launch::Demand& kernel : kernels) {
            if (kernel.units == std::array<double, 3>{}) continue;
            EXPECT_GT(kernel.instructions, 0) << point.name;
            EXPECT_GE(kernel.l2_bytes, 0) << point.name;
            ++counted;
        }
    }
    EXPECT_GT(counted, 300);
}

/// Of each way in which kernels are counted the smallest point that the host executor runs in seconds.
std::map<std::string, Point> smallest(launch::Device& device) {
    constexpr double most_bytes = 32e6;
    std::map<std::string, Point> found;
    for (const Point& point : declaring(device)) {
        if (point.bytes > most_bytes || point.transfers.over_link() || !point.unavailable.empty()) continue;
        const auto [known, is_new] = found.try_emplace(point.counted_as, point);
        if (!is_new && point.bytes < known->second.bytes) known->second = point;
    }
    return found;
}

constexpr int host_multiprocessors = 11;  // kernel_host.hpp, whose macros have no place here

/// What a point declares for the host executor, which takes few threads at once: kernels share out their work
/// by that, or by its multiprocessors. The declaration is that whose blocks were launched.
std::vector<launch::Demand> for_host(const Point& point, double launched_blocks) {
    const auto threads =
        static_cast<unsigned>(point.demands({.multiprocessors = host_multiprocessors}).front().block_threads);
    for (const int multiprocessors : {host_multiprocessors, launch::executor::resident_blocks(threads)}) {
        auto kernels = point.demands({.multiprocessors = multiprocessors});
        double most = 0;
        for (const launch::Demand& kernel : kernels)
            most = std::max(most, kernel.blocks);
        if (most == launched_blocks) return kernels;
    }
    return {};
}

// The host executor runs the same code. Of shuffles a chain holds those that wait for each other.
TEST(Demands, DeclareTheBlocksBarriersAndMessagesThatTheHostExecutorCounts) {
    static const auto device = launch::host_device();  // outlives what studies keep on it
    int met = 0, with_barriers = 0, with_messages = 0, with_shuffles = 0;
    for (const auto& [name, point] : smallest(*device)) {
        SCOPED_TRACE(point.name);
        const auto work = point.prepare();
        (void)work->verify();
        work->select();
        (void)launch::take_host_meetings(*device);
        work->iterate(1);
        const auto counted = launch::take_host_meetings(*device);
        const auto kernels = for_host(point, static_cast<double>(counted.blocks));
        EXPECT_FALSE(kernels.empty()) << counted.blocks << " blocks were launched";
        launch::Chain most;
        for (const launch::Demand& kernel : kernels) {
            const launch::Chain& chain = kernel.chain;
            // All blocks meet by two barriers of each and a message between.
            most.barriers = std::max(most.barriers, chain.barriers + 2 * chain.grid_barriers);
            most.messages = std::max(most.messages, chain.messages + chain.grid_barriers);
            most.shuffles = std::max(most.shuffles, chain.shuffles);
        }
        EXPECT_EQ(most.barriers, static_cast<double>(counted.barriers));
        EXPECT_EQ(most.messages, static_cast<double>(counted.messages));
        EXPECT_LE(most.shuffles, static_cast<double>(counted.shuffles));
        ++met;
        with_barriers += counted.barriers > 0;
        with_messages += counted.messages > 0;
        with_shuffles += most.shuffles > 0;
    }
    EXPECT_GT(met, 35);
    EXPECT_GT(with_barriers, 12);
    EXPECT_GE(with_messages, 4);
    EXPECT_GT(with_shuffles, 6);
}

}  // namespace
}  // namespace gridmark::studies_tests
