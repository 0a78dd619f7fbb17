// The versions that do many steps in a launch, which share points out and exchange them: every remainder of
// steps, every kind of seam, launch after launch, in all orders of blocks.

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/ginzburg_landau/problem.hpp"
#include "tests/ginzburg_landau/versions.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

using launch_tests::OnEach;

class ManySteps : public OnEach {
  protected:
    /// Expects launches of so many steps each, one after another, to give the reference's answer: to the last
    /// bit on the host, where nothing is fused.
    template <class T>
    void expect_right(std::string_view name, int n, const std::vector<int>& launches) {
        SCOPED_TRACE(std::string(name) + ", n " + std::to_string(n));
        const auto& variant = *ginzburg_landau::find_gpu_variant<T>(device->executor(), name);
        const Problem p = ginzburg_landau::medium(n);
        const auto start = ginzburg_landau::random_state<T>(p, 5, 0.5);
        launch::Buffer<T> now(*device, std::span<const T>(start)),
            next(*device, std::span<const T>(unwritten<T>(p)));
        launch::Buffer<T> scratch(
            *device, std::vector<T>(p.values() * static_cast<std::size_t>(variant.scratch_states)));
        int steps = 0;
        for (const int count : launches) {
            variant.step(device->stream(), p, 96, count, now.data(), next.data(), scratch.data());
            now.swap(next);
            steps += count;
        }
        std::vector<T> got(p.values());
        now.download(got);
        const std::vector<double> exact_start(start.begin(), start.end());
        const auto exact = ginzburg_landau::reference_solve<double>(p, exact_start, steps);
        EXPECT_LE(distance(got, exact), ginzburg_landau::rounding_spread<T>(p, start, steps, exact, 1));
        if (!GetParam().gpu) {
            EXPECT_EQ(distance(got, ginzburg_landau::reference_solve<T>(p, start, steps)), 0);
        }
    }
};

TEST_P(ManySteps, InRegisters) {
    for (const int n : {2, 3, 17, 223, 224, 225, 448, 895, 896, 897, 2001})
        for (const std::vector<int>& launches :
             {std::vector{1}, std::vector{2, 4}, std::vector{3}, std::vector{4, 4, 1}}) {
            expect_right<float>("gpu_registers", n, launches);
            expect_right<double>("gpu_registers", n, launches);
        }
}

// From a few points, which every block's halo reflects again and again, over as many blocks as there are to
// several sizes of blocks.
TEST_P(ManySteps, OfBlocksThatStay) {
    for (const int n : {2, 5, 40, 333, 1000})
        expect_right<double>("gpu_persistent", n, {1, 30, 61, 2});
    for (const int n : {3, 16, 257, 3000, 3009, 6500})
        expect_right<float>("gpu_persistent", n, {27, 26, 1});
    for (const int n : {8001, 13001})
        expect_right<double>("gpu_persistent", n, {9, 14});
}

TEST_P(ManySteps, AsManyPointsAsFit) {
    const auto& variant = *ginzburg_landau::find_gpu_variant<double>(device->executor(), "gpu_persistent");
    const auto refuses = [&](int n) {
        try {
            variant.check(ginzburg_landau::medium(n), 1);
            return false;
        } catch (const std::invalid_argument&) {
            return true;
        }
    };
    int fits = 1 << 10, does_not = 1 << 29;
    ASSERT_FALSE(refuses(fits));
    ASSERT_TRUE(refuses(does_not));
    while (does_not - fits > 1) {
        const int middle = fits + (does_not - fits) / 2;
        (refuses(middle) ? does_not : fits) = middle;
    }
    EXPECT_GT(fits, 1 << 13);
    expect_right<double>("gpu_persistent", fits, {9});
}

// One block, blocks of one point a thread, and more points than the device holds threads (on the host).
TEST_P(ManySteps, OfBlocksThatMeetAfterEveryStage) {
    for (const int n : {2, 3, 96, 97, 500})
        expect_right<double>("gpu_grid_barrier", n, {1, 7, 2, 100});
    for (const int n : {31, 5003})
        expect_right<float>("gpu_grid_barrier", n, {1, 6});
}

/// Where blocks see each other's writes late and in another order.
class WeakMemory : public ManySteps {};

TEST_P(WeakMemory, BlocksThatStayAreRight) {
    expect_right<double>("gpu_persistent", 333, {30, 61, 2});
    expect_right<float>("gpu_persistent", 3000, {27, 26});
}

TEST_P(WeakMemory, BlocksThatMeetAreRight) {
    expect_right<double>("gpu_grid_barrier", 500, {7, 2, 20});
    expect_right<float>("gpu_grid_barrier", 401, {6});
}

INSTANTIATE_TEST_SUITE_P(On, WeakMemory, testing::ValuesIn(launch_tests::weak_targets()),
                         launch_tests::target_name);
INSTANTIATE_TEST_SUITE_P(On, ManySteps, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
