// Devices, their memory and streams, their absence; and the device that other tests let fail.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "kernels/launch/streams.hpp"
#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"
#include "tests/support/faulty_device.hpp"

namespace gridmark::launch_tests {
namespace {

using launch::Buffer;
using tests::Faults;
using tests::FaultyDevice;

// --- devices, their memory and their absence

static_assert(!std::is_copy_constructible_v<Buffer<int>> &&
              std::is_nothrow_move_constructible_v<Buffer<int>>);

using Devices = OnEach;

TEST_P(Devices, BufferKeepsWhatItWasGiven) {
    const std::vector<int> values{3, 1, 4, 1, 5};
    Buffer<int> first(*device, values);
    Buffer<int> second(*device, values.size());
    device->copy(second.data(), first.data(), values.size() * sizeof(int));
    std::vector<int> got(values.size());
    second.download(got);
    EXPECT_EQ(got, values);
    device->fill_bytes(first.data(), 0, values.size() * sizeof(int));
    device->synchronize();
    first.download(got);
    EXPECT_EQ(got, std::vector<int>(values.size(), 0));
}

TEST_P(Devices, BufferMoves) {
    Buffer<int> first(*device, std::vector<int>{1, 2});
    const int* const address = first.data();
    Buffer<int> second(std::move(first));
    EXPECT_EQ(second.data(), address);
    Buffer<int> third(*device, 7);
    third = std::move(second);
    EXPECT_EQ(third.data(), address);
    EXPECT_EQ(third.size(), 2u);
    EXPECT_EQ(second.size(), 0u);
    EXPECT_EQ(second.data(), nullptr);
}

TEST_P(Devices, EmptyBufferHoldsNothing) {
    Buffer<double> empty(*device, 0);
    EXPECT_EQ(empty.data(), nullptr);
    empty.upload({});
    empty.download({});
}

TEST_P(Devices, SizesMustAgree) {
    Buffer<int> buffer(*device, 3);
    std::vector<int> four(4);
    EXPECT_THROW(buffer.upload(four), launch::Error);
    EXPECT_THROW(buffer.download(four), launch::Error);
}

TEST_P(Devices, TooMuchMemoryIsItsOwnError) {
    EXPECT_THROW(Buffer<double>(*device, std::numeric_limits<std::size_t>::max() / 4), launch::OutOfMemory);
    if (launch::executor::address_sanitizer && !GetParam().gpu)
        GTEST_SKIP() << "AddressSanitizer stops the program instead of refusing memory";
    EXPECT_THROW(Buffer<char>(*device, std::size_t{1} << 60), launch::OutOfMemory);
    EXPECT_EQ(Buffer<char>(*device, 10).size(), 10u);
}

TEST_P(Devices, StreamBelongsToItsDevice) {
    EXPECT_EQ(device->stream().device, device.get());
    EXPECT_EQ(device->stream().handle != nullptr, GetParam().gpu);
    EXPECT_EQ(device->executor(), GetParam().gpu ? launch::Executor::gpu : launch::Executor::host);
}

INSTANTIATE_TEST_SUITE_P(Launch, Devices, testing::ValuesIn(all_targets()), target_name);

TEST(HostDevice, FreshMemoryIsNotANumber) {
    const auto device = launch::host_device();
    std::vector<double> got(5);
    Buffer<double>(*device, 5).download(got);
    for (const double value : got)
        EXPECT_TRUE(std::isnan(value));
}

TEST(GpuDevice, AbsenceHasAReason) {
    const auto reason = launch::gpu_unavailable_reason();
    if (!reason) {
        const auto error = error_of([] { launch::gpu_device(1000); });
        EXPECT_EQ(error.rfind("no GPU number 1000: this machine has ", 0), 0u) << error;
        return;
    }
    EXPECT_FALSE(reason->empty());
    try {
        launch::gpu_device(0);
        FAIL() << "a device that cannot be";
    } catch (const launch::Unavailable& unavailable) {
        EXPECT_EQ(unavailable.what(), *reason);
    }
#if !GRIDMARK_HAS_CUDA
    EXPECT_EQ(*reason, "built without the CUDA toolkit");
#endif
}

// --- streams, events and pinned memory, on every executor

using Streams = OnEach;

TEST_P(Streams, CopyThereAndBack) {
    launch::Pinned<double> from(*device, 1000), to(*device, 1000);
    std::iota(from.span().begin(), from.span().end(), 1.0);
    launch::Buffer<double> memory(*device, 1000);
    launch::OwnedStream stream(*device);
    stream.upload(memory.data(), std::span<const double>(from.span()));
    stream.clear(memory.data() + 10, 5);
    stream.download(to.span(), memory.data());
    launch::Event done(*device);
    done.set(stream.stream());
    done.wait();
    for (std::size_t i = 0; i < 1000; ++i)
        EXPECT_EQ(to.span()[i], i >= 10 && i < 15 ? 0.0 : from.span()[i]) << i;
}

// The second stream's copy must see what the first one brought, every time.
TEST_P(Streams, WaitForEachOther) {
    constexpr std::size_t count = 1 << 18;
    launch::Pinned<float> from(*device, count), to(*device, count);
    launch::Buffer<float> memory(*device, count);
    launch::OwnedStream up(*device), down(*device);
    launch::Event there(*device), back(*device);
    for (int round = 1; round <= 20; ++round) {
        std::fill(from.span().begin(), from.span().end(), static_cast<float>(round));
        up.upload(memory.data(), std::span<const float>(from.span()));
        there.set(up.stream());
        there.hold(down.stream());
        down.download(to.span(), memory.data());
        back.set(down.stream());
        back.wait();
        EXPECT_EQ(to.span().front(), static_cast<float>(round));
        EXPECT_EQ(to.span().back(), static_cast<float>(round));
    }
}

TEST_P(Streams, EmptyCopiesAreNothing) {
    launch::Pinned<int> none(*device, 0);
    launch::OwnedStream stream(*device);
    stream.upload(static_cast<int*>(nullptr), std::span<const int>(none.span()));
    stream.download(none.span(), static_cast<const int*>(nullptr));
    stream.clear(static_cast<int*>(nullptr), 0);
}

TEST_P(Streams, TooMuchPinnedMemoryIsItsOwnError) {
    EXPECT_THROW(launch::Pinned<double>(*device, std::size_t{1} << 61), launch::OutOfMemory);
    if (launch::executor::address_sanitizer && !GetParam().gpu)
        GTEST_SKIP() << "AddressSanitizer stops the program instead of refusing memory";
    EXPECT_THROW(launch::Pinned<double>(*device, std::size_t{1} << 58), launch::OutOfMemory);
}

INSTANTIATE_TEST_SUITE_P(Launch, Streams, testing::ValuesIn(all_targets()), target_name);

// --- the device that other tests let fail: it must fail as a GPU does

constexpr int nx = 20, ny = 11;
constexpr Weights<float> few_weights{0.5F, 0.25F, 0.125F};

/// What a step from `from` leaves in memory that held NaN.
std::vector<float> step(FaultyDevice& device, const std::vector<float>& from) {
    const launch::Buffer<float> source(device, from);
    launch::Buffer<float> target(device, from.size());
    host::stencil_static(device.stream(), few_weights, source.data(), target.data(), nx, ny);
    std::vector<float> to(from.size());
    target.download(to);
    return to;
}

std::vector<float> ramp() {
    std::vector<float> values(nx * ny);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    return values;
}

TEST(FaultyDevice, RunsAnotherKernelInPlace) {
    FaultyDevice device;
    const auto right = step(device, ramp());
    EXPECT_EQ(device.launches(), 1);
    EXPECT_NE(right, ramp());
    device.set({.kernel = Faults::Kernel::copying});
    EXPECT_EQ(step(device, ramp()), ramp());
    device.set({.kernel = Faults::Kernel::null});
    for (const float value : step(device, ramp()))
        EXPECT_TRUE(std::isnan(value));
}

TEST(FaultyDevice, IsLostAfterAnIllegalAccess) {
    FaultyDevice device({.illegal_launch = 1});
    launch::Buffer<float> values(device, ramp());
    const auto add_one = [&] { host::add_one(device.stream(), values.data(), 1, nx); };
    add_one();
    EXPECT_NO_THROW(device.synchronize());
    EXPECT_NO_THROW(add_one()) << "a GPU tells later";
    EXPECT_THROW(device.synchronize(), launch::Error);
    EXPECT_THROW(add_one(), launch::Error);
    EXPECT_THROW(launch::Buffer<float>(device, 1), launch::Error);
    auto back = ramp();
    EXPECT_THROW(values.download(back), launch::Error);
}

TEST(FaultyDevice, GoesOnAfterAllocationsThatFail) {
    FaultyDevice device({.refused_allocation = 1});
    const launch::Buffer<float> first(device, 1);
    EXPECT_THROW(launch::Buffer<float>(device, 1), launch::OutOfMemory);
    EXPECT_NO_THROW(launch::Buffer<float>(device, 1));
    EXPECT_NO_THROW(device.synchronize());
}

}  // namespace
}  // namespace gridmark::launch_tests
