// Streams, events and pinned memory, on every executor.

#include "kernels/launch/streams.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

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

}  // namespace
}  // namespace gridmark::launch_tests
