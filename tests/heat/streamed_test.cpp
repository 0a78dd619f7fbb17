#include "kernels/heat/streamed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "kernels/heat/reference.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/support/late_device.hpp"

/// Grids that go through the device in slabs: against the same kernel on the whole grid, bit by bit.
namespace gridmark::heat_tests {
namespace {

using heat::GpuVariant, heat::Layout, heat::Problem, heat::Schedule, heat::Slabs, heat::Start;

constexpr Schedule schedules[]{Schedule::pyramid, Schedule::skewed};

std::string name_of(const Slabs& s) {
    return (s.schedule == Schedule::skewed ? "skewed" : "pyramid") + std::string(", depth ") +
           std::to_string(s.depth) + ", height " + std::to_string(s.height) + ", " +
           std::to_string(s.steps_per_launch) + " steps a launch";
}

template <class T>
std::vector<T> in_memory(launch::Device& device, const Problem& p, const GpuVariant<T>& kernel,
                         const Start<T>& start, int steps) {
    const Layout layout = kernel.layout(p);
    launch::Buffer<T> beta(device, start.beta), now(device, heat::store<T>(p, layout, start.t0)),
        next(device, heat::store<T>(p, layout, start.t0));
    for (int made = 0; steps > 0; steps -= made, now.swap(next)) {
        made = kernel.steps_per_launch.next(steps);
        kernel.step(device.stream(), p, heat::BetaPath::load, {.array = beta.data()}, made, now.data(),
                    next.data());
    }
    Storage<T> stored(layout.size());
    now.download(stored);
    std::vector<T> values(p.points());
    heat::load<T>(p, layout, stored.data(), values);
    return values;
}

/// The same in passes of the slabs' height.
template <class T>
std::vector<T> in_slabs(launch::Device& device, const Problem& p, const GpuVariant<T>& kernel,
                        const Start<T>& start, int steps, const Slabs& slabs) {
    const Layout layout = kernel.layout(p);
    launch::Buffer<T> memory(device, heat::device_values<T>(p, slabs));
    launch::Pinned<T> now(device, layout.size()), other(device, layout.size()), beta(device, p.points());
    heat::store<T>(p, layout, start.t0, now.span().data());
    std::ranges::copy(now.span(), other.span().begin());
    std::ranges::copy(start.beta, beta.span().begin());
    heat::Streamed<T> streamed(device, kernel, p, slabs, beta.span(), memory.data());
    std::span<T> from = now.span(), to = slabs.schedule == Schedule::skewed ? from : other.span();
    for (; steps > 0; steps -= slabs.height, std::swap(from, to))
        streamed.pass(from, to, std::min(steps, slabs.height));
    std::vector<T> values(p.points());
    heat::load<T>(p, layout, from.data(), values);
    return values;
}

std::vector<Slabs> cuts(int nz) {
    std::vector<Slabs> all;
    for (const Schedule schedule : schedules)
        for (const int depth : {1, 7, 20, nz})
            for (const int height : {1, 3})
                all.push_back({schedule, nz, depth, height, 1});
    return all;
}

template <class T>
void equals_the_whole_grid(const char* kernel_name, int steps, const Problem& p) {
    const GpuVariant<T>& kernel = *heat::find_gpu_variant<T>(launch::Executor::host, kernel_name);
    const auto device = launch::host_device();
    const auto start = heat::random_start<T>(p, 7, 0.05);
    kernel.prepare(kernel.carveout, heat::BetaPath::load);
    const auto expected = in_memory<T>(*device, p, kernel, start, steps);
    for (Slabs slabs : cuts(p.nz)) {
        slabs.steps_per_launch = kernel.steps_per_launch.most;
        // Launches of several steps must be those of the whole grid.
        slabs.height *= slabs.steps_per_launch;
        EXPECT_EQ(in_slabs<T>(*device, p, kernel, start, steps, slabs), expected)
            << kernel_name << ", " << name_of(slabs);
    }
}

TEST(Streamed, EqualsTheWholeGrid) {
    equals_the_whole_grid<float>("gpu_queue", 7, heat::tissue(13, 9, 41));
    equals_the_whole_grid<double>("gpu_queue", 4, heat::tissue(8, 5, 23));
    equals_the_whole_grid<float>("gpu_queue", 6, heat::tissue(5, 6, 3));
}

TEST(Streamed, TakesKernelsOfSeveralSteps) {
    equals_the_whole_grid<float>("gpu_blocked_2", 8, heat::tissue(13, 9, 41));
    equals_the_whole_grid<double>("gpu_blocked_3", 7, heat::tissue(8, 5, 37));
}

/// gpu_queue, as late as the copies.
GpuVariant<double> late_kernel() {
    static const GpuVariant<double>& host =
        *heat::find_gpu_variant<double>(launch::Executor::host, "gpu_queue");
    GpuVariant<double> late = host;
    late.step = [](launch::Stream stream, const Problem& p, heat::BetaPath path,
                   const heat::BetaFields<double>& beta, int count, const double* now, double* next) {
        tests::LateDevice::put(stream, [=, array = beta.array] {
            host.step(stream, p, path, {.array = array}, count, now, next);
        });
    };
    return late;
}

TEST(Streamed, WaitsForWhatItNeeds) {
    const auto kernel = late_kernel();
    const Problem p = heat::tissue(6, 5, 60);
    const auto start = heat::random_start<double>(p, 3, 0.05);
    const auto host = launch::host_device();
    const auto expected = in_memory<double>(
        *host, p, *heat::find_gpu_variant<double>(launch::Executor::host, "gpu_queue"), start, 6);
    for (const Schedule schedule : schedules)
        for (const unsigned early : {0U, 1U, 2U, 4U, 5U}) {  // bits: sending, computing, fetching
            tests::LateDevice device(early);
            const Slabs slabs{schedule, p.nz, 9, 3, 1};
            EXPECT_EQ(in_slabs<double>(device, p, kernel, start, 6, slabs), expected)
                << name_of(slabs) << ", early " << early;
        }
}

TEST(Streamed, WindowsOfTheReferenceAreTheReference) {
    const Problem p = heat::tissue(31, 40, 29);
    const auto start = heat::random_start<double>(p, 5, 0.05);
    const auto whole = heat::reference_solve(p, start.t0, start.beta, 3);
    const heat::Extent size{4, 3, 5};
    for (const heat::Extent begin : {heat::Extent{0, 0, 0}, {27, 37, 24}, {13, 9, 2}, {8, 20, 12}}) {
        const auto window = heat::reference_window<double>(p, start.t0, start.beta, begin, size, 3);
        ASSERT_EQ(window.size(), 60U);
        for (int i = 0; i < 60; ++i) {
            const int x = begin.x + i % 4, y = begin.y + i / 4 % 3, z = begin.z + i / 12;
            EXPECT_EQ(window[i], whole[x + p.nx * (y + p.ny * z)]) << x << ", " << y << ", " << z;
        }
    }
}

TEST(Streamed, CountsWhatItMoves) {
    const Problem p = heat::tissue(8, 5, 40);
    const auto& kernel = *heat::find_gpu_variant<float>(launch::Executor::host, "gpu_queue");
    const auto device = launch::host_device();
    const Layout layout = kernel.layout(p);
    const auto plane = static_cast<std::size_t>(layout.plane()), points = p.points() / p.nz;
    for (const Schedule schedule : schedules) {
        const Slabs slabs{schedule, p.nz, 10, 3, 1};
        launch::Buffer<float> memory(*device, heat::device_values<float>(p, slabs));
        launch::Pinned<float> now(*device, layout.size()), next(*device, layout.size()),
            beta(*device, p.points());
        heat::Streamed<float> streamed(*device, kernel, p, slabs, beta.span(), memory.data());
        streamed.pass(now.span(), next.span(), 3);
        // Three seams, six layers on each side.
        const std::size_t sent = schedule == Schedule::skewed ? 40 : 40 + 3 * 2 * 6;
        EXPECT_EQ(streamed.moved().up, sent * (plane + points) * sizeof(float));
        EXPECT_EQ(streamed.moved().down, 40 * plane * sizeof(float));
    }
}

TEST(Streamed, TakesTheDeepestSlabsThatFit) {
    const Problem p = heat::tissue(30, 20, 100);
    for (const Schedule schedule : schedules) {
        const auto values = [&](int depth) {
            return heat::device_values<float>(p, {schedule, p.nz, depth, 4, 3});
        };
        const int deepest = schedule == Schedule::pyramid ? p.nz : 7;  // of 16 slabs or more
        for (const int depth : {1, 2, 6, 17, 50}) {
            if (depth >= deepest) continue;
            EXPECT_EQ(heat::slabs_for<float>(p, schedule, 4, 3, values(depth)).depth, depth);
            EXPECT_EQ(heat::slabs_for<float>(p, schedule, 4, 3, values(depth + 1) - 1).depth, depth);
        }
        EXPECT_EQ(heat::slabs_for<float>(p, schedule, 4, 3, std::size_t{1} << 40).depth, deepest);
        EXPECT_THROW(heat::slabs_for<float>(p, schedule, 4, 3, values(1) - 1), std::invalid_argument);
    }
}

}  // namespace
}  // namespace gridmark::heat_tests
