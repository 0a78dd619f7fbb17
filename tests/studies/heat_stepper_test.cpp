// The steppers that both `run` and `solve` are made of.

#include "experiments/heat/stepper.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/heat/start.hpp"

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

}  // namespace
}  // namespace gridmark::studies_tests::heat_study
