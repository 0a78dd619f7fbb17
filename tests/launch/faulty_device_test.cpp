// The device that other tests let fail: it must fail as a GPU does.

#include "tests/support/faulty_device.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests {
namespace {

using tests::Faults;
using tests::FaultyDevice;

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
