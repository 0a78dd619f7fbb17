// Devices, their memory and their absence.

#include <cmath>
#include <limits>
#include <type_traits>

#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

using launch::Buffer;

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

}  // namespace
}  // namespace gridmark::launch_tests
