// What a pass puts into a device's streams, and in which order: the host does everything at once and could
// not show it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/launch/host_device.hpp"
#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/out_of_core.hpp"

namespace gridmark::pyramid_tests {
namespace {

using pyramid::GpuVariant;
using pyramid::Pieces;

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
