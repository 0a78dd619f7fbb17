// Races that ThreadSanitizer must report: were it switched off, or did it take the turns of the fibers for an
// order, these would fail.

#include <gtest/gtest.h>
#include <omp.h>

#include <cstdlib>
#include <vector>

#include "kernels/launch/host_thread_sanitizer.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests {
namespace {

using launch::Buffer;

class RaceDeathTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!launch::executor::thread_sanitizer) GTEST_SKIP() << "needs a build with ThreadSanitizer";
        testing::FLAGS_gtest_death_test_style = "threadsafe";
    }
    // The program ends with this code if anything was reported while it ran.
    const testing::ExitedWithCode reported{66};
    std::unique_ptr<launch::Device> device = launch::host_device();
};

TEST_F(RaceDeathTest, BetweenThreadsOfABlock) {
    const auto race = [&] {
        Buffer<float> values(*device, std::vector<float>(64, 1.0f));
        host::reverse_without_barrier(device->stream(), values.data(), 64);
        std::exit(0);
    };
    EXPECT_EXIT(race(), reported, "reverse_without_barrier_kernel");
}

TEST_F(RaceDeathTest, BetweenBlocks) {
    const auto race = [&] {
        omp_set_num_threads(4);
        Buffer<float> values(*device, std::vector<float>(100, 1.0f));
        host::neighbour_in_place(device->stream(), values.data(), 100);
        std::exit(0);
    };
    EXPECT_EXIT(race(), reported, "neighbour_in_place_kernel");
}

// What the flag of a neighbour orders is no race; what nobody waited for is one.
TEST_F(RaceDeathTest, BetweenBlocksThatShouldWaitForEachOther) {
    const auto race = [&](auto run) {
        Buffer<double> values(*device, std::vector<double>(10, 1.0));
        Buffer<unsigned> flags(*device, std::vector<unsigned>(5)), epochs(*device, std::vector<unsigned>(5));
        run(values.data(), flags.data(), epochs.data());
        std::exit(0);
    };
    EXPECT_EXIT(race([&](double* values, unsigned* flags, unsigned* epochs) {
                    host::ring_without_waiting(device->stream(), values, flags, epochs, 5, 5);
                }),
                reported, "ring_by_flags_kernel");
    EXPECT_EXIT(race([&](double* values, unsigned* flags, unsigned* epochs) {
                    host::ring_by_flags(device->stream(), values, flags, epochs, 5, 2, 5);
                }),
                testing::ExitedWithCode(0), "");
}

TEST_F(RaceDeathTest, InALoopOnTheCpu) {
    const auto race = [](bool racing) {
        std::vector<int> values(1000, 1);
        int sum = 0;
        if (racing) {
#pragma omp parallel for num_threads(4)
            for (int i = 0; i < 1000; ++i)
                sum += values[i];
        } else {
#pragma omp parallel for num_threads(4) reduction(+ : sum)
            for (int i = 0; i < 1000; ++i)
                sum += values[i];
        }
        std::exit(sum == 0 ? 1 : 0);
    };
    EXPECT_EXIT(race(true), reported, "data race");
    EXPECT_EXIT(race(false), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace gridmark::launch_tests
