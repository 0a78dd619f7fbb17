#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "kernels/launch/host_sanitizer.hpp"
#include "kernels/launch/host_thread_sanitizer.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/support/weak_device.hpp"

namespace gridmark::launch_tests {

/// A device to test on: the host in one of its orders, or the first GPU.
struct Target {
    std::string name;
    bool gpu = false;
    launch::HostOptions options;
    bool weak = false;  ///< the host with a memory that keeps no order (WeakDevice)
};

/// For GoogleTest's messages.
inline void PrintTo(const Target& target, std::ostream* to) {
    *to << target.name;
}

inline std::vector<Target> host_targets() {
    using Order = launch::HostOptions::Order;
    return {{"forward", false, {Order::forward, 0}},
            {"reverse", false, {Order::reverse, 0}},
            {"random", false, {Order::random, 1}},
            {"other_random", false, {Order::random, 20131}}};
}

inline std::vector<Target> all_targets() {
    auto targets = host_targets();
    targets.push_back({"gpu", true, {}});
    return targets;
}

/// For kernels whose blocks tell each other something.
inline std::vector<Target> weak_targets() {
    using Order = launch::HostOptions::Order;
    return {{"weak_forward", false, {Order::forward, 3}, true},
            {"weak_random", false, {Order::random, 7}, true}};
}

/// Runs once for each target; the GPU's turn is skipped, with the reason, where there is none.
class OnEach : public testing::TestWithParam<Target> {
  protected:
    void SetUp() override {
        if (GetParam().weak) {
            if (launch::executor::thread_sanitizer) GTEST_SKIP() << "ThreadSanitizer judges orders itself";
            device = std::make_unique<tests::WeakDevice>(GetParam().options);
        } else if (!GetParam().gpu) {
            device = launch::host_device(GetParam().options);
        } else if (const auto reason = launch::gpu_unavailable_reason()) {
            GTEST_SKIP() << *reason;
        } else {
            device = launch::gpu_device();
        }
    }
    /// What a kernel that writes `count` elements left in memory.
    template <class T, class Run>
    std::vector<T> result(std::size_t count, Run run) {
        launch::Buffer<T> buffer(*device, count);
        device->fill_bytes(buffer.data(), 0xff, count * sizeof(T));
        run(buffer.data());
        std::vector<T> values(count);
        buffer.download(values);
        return values;
    }
    std::unique_ptr<launch::Device> device;
};

inline std::string target_name(const testing::TestParamInfo<Target>& info) {
    return info.param.name;
}

/// The message of the Error that `run` throws; empty if it throws none.
template <class Run>
std::string error_of(Run run) {
    try {
        run();
    } catch (const launch::Error& error) {
        return error.what();
    }
    return {};
}

/// Expects the error to hold every part, in this order.
inline void expect_parts(const std::string& error, const std::vector<std::string>& parts) {
    std::size_t from = 0;
    for (const std::string& part : parts) {
        from = error.find(part, from);
        ASSERT_NE(from, std::string::npos) << "no \"" << part << "\" in \"" << error << "\"";
    }
}

}  // namespace gridmark::launch_tests
