// The steppers that both `run` and `solve` are made of.

#include "experiments/heat/stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/heat/streamed.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/support/counting_device.hpp"

namespace gridmark::studies_tests::heat_study {
namespace {

using heat::BetaPath;

const heat::Problem problem = heat::tissue(9, 8, 7);
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// The answer of a kernel after two steps, its beta in the texture and in the array.
std::vector<float> after_two_steps(BetaPath path, const std::vector<float>& in_texture,
                                   const std::vector<float>& in_array) {
    const auto host = launch::host_device();
    const launch::Buffer<float> source(*host, in_texture), array(*host, in_array);
    const launch::Texture3<float> texture(*host, source, problem.nx, problem.ny, problem.nz);
    const auto stepper =
        heat::gpu_stepper<float>(*host, problem, {"gpu_no_shared", path}, {texture.view(), array.data()});
    const auto start = heat::random_start<float>(problem, 1, 0.05);
    stepper->start(start.t0, start.t0);
    stepper->steps(2);
    std::vector<float> last(problem.points());
    stepper->read(last);
    return last;
}

// With NaN where it must not look.
TEST(HeatStepper, ReadsBetaFromWhereItIsTold) {
    const auto beta = heat::random_start<float>(problem, 1, 0.05).beta;
    const std::vector<float> poison(beta.size(), nan);
    const auto by_texture = after_two_steps(BetaPath::texture, beta, poison);
    EXPECT_TRUE(std::none_of(by_texture.begin(), by_texture.end(), [](float t) { return std::isnan(t); }));
    EXPECT_EQ(after_two_steps(BetaPath::load, poison, beta), by_texture);
}

// Gigabytes take seconds to pin: a stepper leaves them to the next, though not to one beside it.
TEST(HeatStreamedStepper, LeavesItsPinnedMemoryToTheNext) {
    tests::CountingDevice device;
    const auto start = heat::random_start<float>(problem, 1, 0.05);
    heat::KeptFields<float> kept;
    const auto stepper = [&](const char* version, std::span<const float> beta) {
        const auto& streamed = *heat::find_streamed_version(version);
        return heat::streamed_stepper<float>(device, problem, streamed,
                                             heat::slabs_of<float>(problem, streamed, 2, 3), beta, &kept);
    };
    const auto answer = [&](heat::StreamedStepper<float>& of) {
        of.start(start.t0, std::vector<float>(problem.points(), nan));
        of.steps(3);
        std::vector<float> last(problem.points());
        of.read(last);
        return last;
    };
    const auto expected = answer(*stepper("gpu_pyramid", start.beta));
    const std::size_t first = device.pinned;
    EXPECT_EQ(answer(*stepper("gpu_pyramid", start.beta)), expected) << "in memory that is not clean";
    EXPECT_EQ(answer(*stepper("gpu_skewed", start.beta)), expected);
    EXPECT_EQ(device.pinned, first);
    const std::vector<float> other(start.beta.size(), 0.0F);
    EXPECT_NE(answer(*stepper("gpu_skewed", other)), expected) << "another beta";
    EXPECT_EQ(device.pinned, first);
    const auto beside = stepper("gpu_skewed", start.beta), one_more = stepper("gpu_skewed", start.beta);
    EXPECT_GT(device.pinned, first);
    EXPECT_EQ(answer(*beside), expected);
    EXPECT_EQ(answer(*one_more), expected);
}

}  // namespace
}  // namespace gridmark::studies_tests::heat_study
