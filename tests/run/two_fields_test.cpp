#include "harness/two_fields.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

using Field = std::vector<double>;

Field after(Stepper<double>& stepper, const Field& start, const Field& target, int steps) {
    stepper.start(start, target);
    stepper.steps(steps);
    Field field(start.size());
    stepper.read(field);
    return field;
}

/// Stored twice as far apart, with ones between.
Storing<double> spread_out() {
    return {.put =
                [](std::span<const double> field, double* stored) {
                    for (const double value : field) {
                        *stored++ = value;
                        *stored++ = 1;
                    }
                },
            .get =
                [](const double* stored, std::span<double> field) {
                    for (double& value : field) {
                        value = *stored;
                        stored += 2;
                    }
                }};
}

TEST(HostStepper, ExchangesItsFieldsAndStartsAnew) {
    const auto stepper =
        host_stepper<double>({.values = 2, .steps = one_by_one<double>([](const double* now, double* next) {
                                               next[0] = now[0] + 1;  // the other value is never written
                                           })});
    EXPECT_EQ(after(*stepper, {1, 2}, {7, 8}, 1), (Field{2, 8})) << "the target's field";
    EXPECT_EQ(after(*stepper, {1, 2}, {7, 8}, 2), (Field{3, 2})) << "the start's, after an odd number, too";
    EXPECT_EQ(after(*stepper, {1, 2}, {7, 8}, 0), (Field{1, 2}));
    EXPECT_EQ(stepper->steps_per_launch(), 1);
}

TEST(HostStepper, GivesScratchTheTargetAndItsOwnWayToStore) {
    std::vector<std::size_t> seen;
    const auto stepper =
        host_stepper<double>({.values = 4,
                              .steps =
                                  [&](int count, double*& now, double*& next, double* scratch) {
                                      seen.assign(scratch, scratch + 8);
                                      for (int i = 0; i < 4; ++i)
                                          next[i] = now[i] * std::pow(2, count);
                                      std::swap(now, next);
                                  },
                              .scratch_fields = 2,
                              .storing = spread_out(),
                              .steps_per_launch = 3});
    EXPECT_EQ(after(*stepper, {5, 6}, {3, 4}, 3), (Field{40, 48}));
    EXPECT_EQ(seen, (std::vector<std::size_t>{3, 1, 4, 1, 3, 1, 4, 1}));
    EXPECT_EQ(stepper->steps_per_launch(), 3);
}

TEST(DeviceStepper, LaunchesAsManyStepsAsFitAndExchangesBehindEach) {
    const auto device = launch::host_device();
    std::string launched;
    int selected = 0;
    const auto stepper =
        device_stepper<double>({.device = *device,
                                .values = 4,
                                .steps_per_launch = {.most = 3},
                                .launch =
                                    [&](int steps, const double* now, double* next, unsigned char* scratch) {
                                        launched += std::to_string(steps);
                                        for (int i = 0; i < 4; ++i)
                                            next[i] = now[i] + steps + scratch[0];
                                        scratch[0] = 10;
                                    },
                                .scratch_bytes = 1,
                                .storing = spread_out(),
                                .select = [&] { ++selected; },
                                .info =
                                    [] {
                                        return launch::KernelInfo{7, 8, 9};
                                    }});
    EXPECT_EQ(after(*stepper, {5, 6}, {0, 0}, 4), (Field{5 + 3 + 1 + 10, 6 + 3 + 1 + 10}));
    EXPECT_EQ(launched, "31") << "a launch that cannot make fewer makes one";
    EXPECT_EQ(after(*stepper, {5, 6}, {0, 0}, 3), (Field{8, 9})) << "its scratch is zero again";
    EXPECT_EQ(selected, 2) << "at each start";
    EXPECT_EQ(stepper->steps_per_launch(), 3);
    EXPECT_EQ(stepper->kernel_info()->registers, 7);
}

TEST(DeviceStepper, OfAVersionThatNeedsNothingElse) {
    const auto device = launch::host_device();
    const auto stepper = device_stepper<double>(
        {.device = *device, .values = 1, .launch = [](int, const double* now, double* next, unsigned char*) {
             *next = *now / 2;
         }});
    stepper->select();
    EXPECT_FALSE(stepper->kernel_info());
    EXPECT_EQ(after(*stepper, {8}, {0}, 3), Field{1});
    Field field{16};
    advance(*stepper, field, 2);
    EXPECT_EQ(field, Field{4});
}

}  // namespace
}  // namespace gridmark::harness
