// The versions with temporal blocking against the reference in double: seams of tiles in both
// directions, bodies across them, every remainder of sweeps, launch after launch, in all orders of blocks.

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/jacobi/gpu.hpp"
#include "tests/jacobi/sweeps.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::jacobi_tests {
namespace {

using jacobi::Problem;

class ManySteps : public launch_tests::OnEach {
  protected:
    /// Expects launches of so many sweeps each to give the reference's answer and to leave fixed points
    /// alone.
    template <class T>
    void expect_solves(std::string_view name, const Problem& p, const std::vector<int>& launches) {
        SCOPED_TRACE(std::to_string(p.nx) + "x" + std::to_string(p.ny) + ", first " +
                     std::to_string(launches.front()));
        const auto& version = *jacobi::find_gpu_variant<T>(device->executor(), name);
        const auto psi = random_field<T>(p, 1), omega = random_field<T>(p, 2);
        launch::Buffer<T> now(*device, std::span<const T>(psi)), next(*device, poisoned(p, psi));
        const launch::Buffer<T> source(*device, std::span<const T>(omega));
        launch::Buffer<unsigned char> scratch(*device, std::vector<unsigned char>(version.scratch_bytes(p)));
        int sweeps = 0;
        for (const int count : launches) {
            version.sweep(device->stream(), p, {}, count,
                          {now.data(), source.data(), next.data(), scratch.data()});
            now.swap(next);
            sweeps += count;
        }
        std::vector<T> got(psi.size());
        now.download(got);
        expect_swept(p, psi, omega, sweeps, got);
    }
};

TEST_P(ManySteps, TilesThatStaySolveOnOddSizes) {
    for (const auto& [nx, ny] : {std::pair{3, 3}, {64, 48}, {65, 49}, {103, 61}, {41, 130}, {200, 33}}) {
        const Problem p = uneven_channel(nx, ny);
        expect_solves<float>("gpu_persistent", p, {1});
        expect_solves<float>("gpu_persistent", p, {25, 12, 2});
        expect_solves<double>("gpu_persistent", p, {13, 26});
    }
}

TEST_P(ManySteps, TilesThatStaySolveAroundBodiesOnSeams) {
    Problem p = uneven_channel(117, 75);
    for (const jacobi::Body body :
         {jacobi::Body{0, 5, 3, 20}, {110, 0, 116, 9}, {40, 30, 52, 40}, {51, 0, 52, 74}, {0, 0, -1, -1}}) {
        p.body = body;
        expect_solves<float>("gpu_persistent", p, {30, 7});
    }
}

TEST_P(ManySteps, TilesThatStayRefuseWhatDoesNotFit) {
    const auto& version = *jacobi::find_gpu_variant<double>(device->executor(), "gpu_persistent");
    EXPECT_NO_THROW(version.check(uneven_channel(150, 90), {}));
    EXPECT_THROW(version.check(uneven_channel(1 << 14, 1 << 14), {}), std::invalid_argument);
}

TEST_P(ManySteps, MarchesSolveOnOddSizes) {
    for (const auto& [nx, ny] : {std::pair{3, 3}, {5, 40}, {112, 9}, {113, 64}, {232, 61}, {97, 130}}) {
        const Problem p = uneven_channel(nx, ny);
        expect_solves<float>("gpu_blocked_8", p, {1});
        expect_solves<float>("gpu_blocked_8", p, {8, 8, 1, 1});
        expect_solves<double>("gpu_blocked_8", p, {8, 1});
        expect_solves<float>("gpu_blocked_12", p, {12, 1});
        expect_solves<double>("gpu_blocked_12", p, {12});
    }
}

TEST_P(ManySteps, MarchesSolveAroundBodies) {
    Problem p = uneven_channel(228, 90);
    for (const jacobi::Body body : {jacobi::Body{0, 5, 3, 20},
                                    {210, 0, 227, 9},
                                    {100, 20, 118, 70},
                                    {51, 0, 52, 89},
                                    {3, 40, 222, 41},
                                    {224, 20, 224, 80},
                                    {0, 0, -1, -1}}) {
        p.body = body;
        expect_solves<float>("gpu_blocked_8", p, {8, 8});
        expect_solves<double>("gpu_blocked_12", p, {12});
    }
}

// Blocks that come by no edge, some of them by the body.
TEST_P(ManySteps, MarchesSolveOnWideGrids) {
    for (const int nx : {1400, 1601}) {
        Problem p = uneven_channel(nx, 44);
        expect_solves<float>("gpu_blocked_8", p, {8, 8});
        p.body = {nx / 2, 20, nx / 2 + 40, 20};
        expect_solves<double>("gpu_blocked_8", p, {8});
        expect_solves<float>("gpu_blocked_12", p, {12, 12});
    }
}

// A further version of the table is held to the reference without a word about it here.
TEST_P(ManySteps, EveryVersionMakesFullLaunchesAndEveryRemainder) {
    const Problem p = uneven_channel(103, 61);
    for (const auto& version : jacobi::gpu_variants<float>(device->executor())) {
        const auto& steps = version.steps_per_launch;
        if (steps.most == 1) continue;
        std::vector<int> launches;
        for (int left = std::min(2 * steps.most, 30) - 1; left > 0; left -= launches.back())
            launches.push_back(steps.next(left));
        expect_solves<float>(version.name, p, launches);
        expect_solves<double>(version.name, p, launches);
    }
}

TEST(StepsPerLaunch, NeverExceedsWhatIsLeft) {
    constexpr launch::StepsPerLaunch one, all_or_one{8}, any{300, true};
    EXPECT_EQ(one.next(5), 1);
    EXPECT_EQ(all_or_one.next(8), 8);
    EXPECT_EQ(all_or_one.next(9), 8);
    EXPECT_EQ(all_or_one.next(7), 1);
    EXPECT_EQ(any.next(299), 299);
    EXPECT_EQ(any.next(301), 300);
}

/// Where blocks see each other's writes late and in another order.
class WeakMemory : public ManySteps {};

TEST_P(WeakMemory, TilesThatStayAreRight) {
    const Problem p = uneven_channel(117, 75);
    expect_solves<float>("gpu_persistent", p, {25, 38});
    expect_solves<double>("gpu_persistent", p, {37});
}

INSTANTIATE_TEST_SUITE_P(On, WeakMemory, testing::ValuesIn(launch_tests::weak_targets()),
                         launch_tests::target_name);
INSTANTIATE_TEST_SUITE_P(On, ManySteps, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

}  // namespace
}  // namespace gridmark::jacobi_tests
