// Passes over pieces: against steps of the whole rod, and what they put into streams.

#include "kernels/pyramid/out_of_core.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "kernels/launch/host_device.hpp"
#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/random.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::pyramid_tests {
namespace {

using launch_tests::OnEach;
using pyramid::GpuVariant;
using pyramid::Pieces;

// --- against steps of the whole rod

class Drivers : public OnEach {
  protected:
    /// Largest error of some passes against the whole rod, relative to the largest value.
    template <class T>
    double error(bool overlapped, std::string_view solver_name, double s, const Pieces& pieces, int h,
                 int passes) {
        const auto& solver = *pyramid::find_gpu_variant<T>(device->executor(), solver_name);
        launch::Buffer<T> memory(*device, overlapped ? pyramid::overlapped_values(solver, pieces)
                                                     : pyramid::synchronous_values(solver, pieces));
        const auto driver =
            overlapped ? pyramid::overlapped_driver<T>(*device, solver, s, pieces, memory.data(), 2)
                       : pyramid::synchronous_driver<T>(*device, solver, s, pieces, memory.data(), 2);
        launch::Pinned<T> now(*device, pieces.n), next(*device, pieces.n);
        std::vector<double> expected(pieces.n);
        for (std::size_t i = 0; i < pieces.n; ++i)
            expected[i] = now.span()[i] = static_cast<T>(2 * unit_random(9, i) - 1);
        expected = pyramid::reference_solve(pyramid::rod(pieces.n, s), expected, h * passes);
        auto from = now.span(), to = next.span();
        for (int pass = 0; pass < passes; ++pass, std::swap(from, to)) {
            std::fill(to.begin(), to.end(), std::numeric_limits<T>::quiet_NaN());
            driver->pass(from, to, h);
        }
        double most = 0;
        for (std::size_t i = 0; i < pieces.n; ++i) {
            const double apart = std::abs(static_cast<double>(from[i]) - expected[i]);
            most = std::isfinite(apart) ? std::max(most, apart) : HUGE_VAL;
        }
        return most;
    }
};

// For every tolerance there is a padding that keeps it.
TEST_P(Drivers, KeepTheTolerance) {
    for (const bool overlapped : {false, true})
        for (const double s : {0.1, 1.0, 10.0})
            for (const int h : {1, 3, 16})
                for (const double tolerance : {1e-6, 1e-10}) {
                    const std::size_t p = pyramid::minimal_padding(s, h, tolerance);
                    for (const std::size_t length : {std::max(p, std::size_t{64}), 5 * p + 100}) {
                        const Pieces pieces{1500, length, p};
                        EXPECT_LE(error<double>(overlapped, "gpu_local_inverse", s, pieces, h, 2),
                                  2 * tolerance + 1e-13)
                            << overlapped << ", s " << s << ", h " << h << ", length " << length << ", p "
                            << p;
                    }
                }
}

TEST_P(Drivers, TakeEverySolverAndType) {
    for (const bool overlapped : {false, true})
        for (const char* solver : {"gpu_cyclic_reduction", "gpu_local_inverse"}) {
            const Pieces pieces{5000, 700, pyramid::minimal_padding(1, 4, 1e-8)};
            EXPECT_LE(error<float>(overlapped, solver, 1, pieces, 4, 3), 1e-5) << solver;
            EXPECT_LE(error<double>(overlapped, solver, 1, pieces, 4, 3), 1e-7) << solver;
        }
}

// Too little padding shows: the bound is no excuse for anything.
TEST_P(Drivers, ErrAsTheTheorySays) {
    for (const int h : {1, 8})
        for (const std::size_t p : {5UL, 10UL, 20UL}) {
            const double bound = pyramid::padding_error(1, h, p);
            const double achieved = error<double>(true, "gpu_local_inverse", 1, {3000, 100, p}, h, 1);
            EXPECT_LE(achieved, bound);
            EXPECT_GE(achieved, 0.02 * bound) << h << ", " << p;
        }
}

TEST_P(Drivers, NeedNoPaddingForAWholeRod) {
    EXPECT_LE(error<double>(true, "gpu_cyclic_reduction", 10, {777, 777, 0}, 5, 2), 1e-13);
    EXPECT_LE(error<double>(false, "gpu_local_inverse", 10, {777, 777, 0}, 5, 2), 1e-13);
}

// Transfers alone bring the rod back as it was, padding or none.
TEST_P(Drivers, BringBackARodThatNothingIsDoneTo) {
    for (const bool overlapped : {false, true})
        for (const std::size_t p : {0UL, 30UL})
            EXPECT_EQ(error<float>(overlapped, "gpu_local_inverse", 1, {1000, 70, p}, 0, 2), 0);
}

// With one layer in host memory: the same sums, bit for bit, whatever the pieces are.
TEST_P(Drivers, AgreeWhereOneLayerIsKept) {
    const auto& solver = *pyramid::find_gpu_variant<double>(device->executor(), "gpu_cyclic_reduction");
    for (const Pieces pieces : {Pieces{1000, 100, 20}, {1000, 30, 30}, {1003, 100, 99}, {777, 777, 0}}) {
        launch::Buffer<double> memory(*device, pyramid::synchronous_values(solver, pieces));
        launch::Pinned<double> u(*device, pieces.n), next(*device, pieces.n), kept(*device, pieces.n);
        for (std::size_t i = 0; i < pieces.n; ++i)
            u.span()[i] = kept.span()[i] = 2 * unit_random(3, i) - 1;
        const auto two = pyramid::synchronous_driver<double>(*device, solver, 1, pieces, memory.data(), 2),
                   one = pyramid::one_layer_driver<double>(*device, solver, 1, pieces, memory.data(), 2);
        auto from = u.span(), to = next.span();
        for (int pass = 0; pass < 2; ++pass, std::swap(from, to)) {
            two->pass(from, to, 3);
            one->pass(kept.span(), kept.span(), 3);
        }
        EXPECT_TRUE(std::equal(from.begin(), from.end(), kept.span().begin())) << pieces.length;
        EXPECT_EQ(one->traffic().moved.down, two->traffic().moved.down);
        EXPECT_EQ(one->host_values(), two->host_values() + pieces.padding);
    }
}

// A driver may have to share its memory: what stands there from before must not count.
TEST_P(Drivers, DoNotTrustTheMemoryBetweenPasses) {
    const auto& solver = *pyramid::find_gpu_variant<double>(device->executor(), "gpu_local_inverse");
    const Pieces pieces{1000, 100, 20};
    launch::Buffer<double> memory(*device, pyramid::overlapped_values(solver, pieces));
    const auto driver = pyramid::overlapped_driver<double>(*device, solver, 1, pieces, memory.data(), 1);
    launch::Pinned<double> u(*device, 1000), first(*device, 1000), second(*device, 1000);
    for (std::size_t i = 0; i < 1000; ++i)
        u.span()[i] = unit_random(2, i);
    driver->pass(u.span(), first.span(), 3);
    device->fill_bytes(memory.data(), 0xff, memory.size() * sizeof(double));
    device->synchronize();
    driver->pass(u.span(), second.span(), 3);
    EXPECT_TRUE(std::equal(first.span().begin(), first.span().end(), second.span().begin()));
}

INSTANTIATE_TEST_SUITE_P(On, Drivers, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

// --- what a pass puts into a device's streams, and in which order
// The host does everything at once and could not show it.

/// Prepares the order into scratch, and solves by it: a solve of another order, or without, gives NaN.
int prepared = 0, solved = 0;
void prepare_order(launch::Stream, double, std::size_t m, double* scratch) {
    *scratch = static_cast<double>(m);
    ++prepared;
}
void solve_prepared(launch::Stream, double, std::size_t m, int, double* f, double* x, double* scratch) {
    ++solved;
    for (std::size_t i = 0; i < m; ++i)
        x[i] = *scratch == static_cast<double>(m) ? f[i] / 2 : std::nan("");
}
const GpuVariant<double> halving{.name = "halving",
                                 .scratch = [](std::size_t) { return std::size_t{1}; },
                                 .prepare = prepare_order,
                                 .solve = solve_prepared};

// A rod of two kinds of pieces; the memory is another driver's between passes.
TEST(Passes, PrepareEachOrderOncePerPassAndStagingBuffer) {
    const auto device = launch::host_device();
    const Pieces pieces{1000, 100, 20};
    for (const bool overlapped : {false, true}) {
        launch::Buffer<double> memory(*device, overlapped ? pyramid::overlapped_values(halving, pieces)
                                                          : pyramid::synchronous_values(halving, pieces));
        const auto driver =
            overlapped ? pyramid::overlapped_driver<double>(*device, halving, 1, pieces, memory.data(), 1)
                       : pyramid::synchronous_driver<double>(*device, halving, 1, pieces, memory.data(), 1);
        launch::Pinned<double> u(*device, 1000), next(*device, 1000);
        std::fill(u.span().begin(), u.span().end(), 4.0);
        for (int pass = 0; pass < 2; ++pass) {
            prepared = 0;
            driver->pass(u.span(), next.span(), 2);
            for (const double value : next.span())
                ASSERT_EQ(value, 1.0);
            EXPECT_LE(prepared, overlapped ? 5 : 3) << "first, inner and last pieces";
            device->fill_bytes(memory.data(), 0, memory.size() * sizeof(double));
        }
        solved = 0;
        driver->compute(3);
        EXPECT_EQ(solved, 3 * 10);
    }
}

/// The host as a device that writes down what is put into its streams.
struct RecordingDevice final : launch::HostDevice {
    RecordingDevice() : HostDevice({}) {}
    std::set<void*> sent_to;
    int held = 0, waited = 0, recorded = 0;
    void put_upload(launch::Stream stream, void* to, const void* from, std::size_t bytes) override {
        sent_to.insert(to);
        HostDevice::put_upload(stream, to, from, bytes);
    }
    void record(void*, launch::Stream) override { ++recorded; }
    void wait(void*, launch::Stream) override { ++held; }
    void wait(void*) override { ++waited; }
};

// The host does everything at once, so that only the order itself can be looked at.
TEST(Passes, WaitForWhatTheyNeedAndKeepStagingBuffersApart) {
    RecordingDevice device;
    const auto& solver = *pyramid::find_gpu_variant<double>(launch::Executor::host, "gpu_local_inverse");
    const Pieces pieces{1200, 100, 20};
    launch::Pinned<double> u(device, 1200), next(device, 1200);
    std::fill(u.span().begin(), u.span().end(), 1.0);
    launch::Buffer<double> memory(device, pyramid::overlapped_values(solver, pieces));
    pyramid::overlapped_driver<double>(device, solver, 1, pieces, memory.data(), 1)
        ->pass(u.span(), next.span(), 2);
    EXPECT_EQ(device.recorded, 3 * 12) << "sent, advanced and fetched";
    EXPECT_EQ(device.held, 2 * 12) << "computing for sending, fetching for computing";
    EXPECT_EQ(device.waited, 12) << "adding for fetching";
    EXPECT_EQ(device.sent_to.size(), 1 + 3U) << "the first piece has no padding before it";
    device.waited = 0;
    pyramid::synchronous_driver<double>(device, solver, 1, pieces, memory.data(), 1)
        ->pass(u.span(), next.span(), 2);
    EXPECT_EQ(device.waited, 3 * 12) << "after each of its three actions";
}

TEST(PaddedPiece, IsOfWholeUnitsSoThatTheNextOneIsAligned) {
    for (const auto& solver : pyramid::gpu_variants<float>(launch::Executor::host))
        for (const std::size_t m : {1UL, 1000UL, 1001UL})
            EXPECT_EQ(pyramid::PaddedPiece<float>::values(solver, m) % 64, 0U) << solver.name << ", " << m;
}

}  // namespace
}  // namespace gridmark::pyramid_tests
