// Shapes, their limits, arguments and large shared memory.

#include "tests/launch/kernels.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::launch_tests {
namespace {

using launch::Dim3;

class Grid : public OnEach {
  protected:
    std::string error_of_empty(Dim3 grid, Dim3 block) {
        return error_of([&] { GRIDMARK_SELECT(device->stream(), empty)(device->stream(), grid, block); });
    }
};

TEST_P(Grid, EveryThreadOfThreeDimensionsRunsOnce) {
    const Dim3 grid{3, 2, 4}, block{5, 3, 2};
    const unsigned nx = grid.x * block.x, ny = grid.y * block.y, nz = grid.z * block.z;
    const auto got = result<unsigned>(std::size_t{3} * nx * ny * nz, [&](unsigned* to) {
        GRIDMARK_SELECT(device->stream(), indices)(device->stream(), to, grid, block);
    });
    std::size_t at = 0;
    for (unsigned z = 0; z < nz; ++z)
        for (unsigned y = 0; y < ny; ++y)
            for (unsigned x = 0; x < nx; ++x) {
                EXPECT_EQ(got[at++], x);
                EXPECT_EQ(got[at++], y);
                EXPECT_EQ(got[at++], z);
            }
}

TEST_P(Grid, ArgumentsConvertToTheKernelsParameters) {
    const auto got = result<double>(4, [&](double* to) {
        GRIDMARK_SELECT(device->stream(), convert)(device->stream(), to);
    });
    EXPECT_EQ(got, (std::vector<double>{3.0, 4.0, 1.0, 0.5}));
}

TEST_P(Grid, WordsOfCuda) {
    const auto got = result<double>(3, [&](double* to) {
        GRIDMARK_SELECT(device->stream(), vectors)(device->stream(), to);
    });
    EXPECT_EQ(got, (std::vector<double>{4.0 + 2 + 2.5, 1.5, 1.0}));
}

TEST_P(Grid, DynamicSharedMemoryAbove48KibNeedsLeave) {
    const std::size_t words = 100 * 1024 / sizeof(unsigned);
    const auto count = [&](std::size_t n, bool allow) {
        return result<unsigned>(1, [&](unsigned* to) {
            GRIDMARK_SELECT(device->stream(), count_words)(device->stream(), to, n, allow);
        })[0];
    };
    EXPECT_EQ(count(words, true), words);
    EXPECT_NE(error_of([&] { count(words, false); }), "");
    EXPECT_NE(error_of([&] { count(64 * 1024, true); }), "");  // 256 KiB
    EXPECT_EQ(count(100, true), 100u);                         // the device still works
}

TEST_P(Grid, ShapesBeyondTheLimitsAreNamed) {
    EXPECT_EQ(error_of_empty({2, 3, 4}, {1024}), "");
    EXPECT_EQ(error_of_empty({1}, {4, 4, 64}), "");
    EXPECT_EQ(error_of_empty({1}, {33, 32}),
              "cannot launch a block of (33, 32, 1): 1056 threads, and 1024 are the most");
    EXPECT_EQ(error_of_empty({1}, {1, 1, 65}),
              "cannot launch a block of (1, 1, 65): the largest sides are (1024, 1024, 64)");
    EXPECT_EQ(error_of_empty({1, 0, 1}, {1}), "cannot launch a grid of (1, 0, 1): a side is zero");
    EXPECT_EQ(error_of_empty({1}, {0}), "cannot launch a block of (0, 1, 1): a side is zero");
    EXPECT_EQ(error_of_empty({1, 65536}, {1}),
              "cannot launch a grid of (1, 65536, 1): the largest sides are (2147483647, 65535, 65535)");
}

INSTANTIATE_TEST_SUITE_P(Launch, Grid, testing::ValuesIn(all_targets()), target_name);

TEST(HostGrid, StaticAndDynamicSharedMemoryCountTogether) {
    const auto device = launch::host_device();
    EXPECT_EQ(error_of([&] { host::many_words(device->stream(), 187 * 1024); }), "");
    const auto error = error_of([&] { host::many_words(device->stream(), 187 * 1024 + 4); });
    EXPECT_NE(error.find("shared array 'second' brings its kernel to 232452 bytes"), std::string::npos)
        << error;
}

TEST(HostGrid, LaunchesAreCountedByDevice) {
    const auto device = launch::host_device(), other = launch::host_device();
    host::empty(device->stream(), {2}, {3});
    host::empty(device->stream(), {}, {});
    EXPECT_EQ(launch::host_launches(*device), 2U);
    EXPECT_EQ(launch::host_launches(*other), 0U);
}

TEST(HostGrid, AKernelIsNotLaunchedOnTheOtherExecutor) {
#if GRIDMARK_HAS_CUDA
    const auto device = launch::host_device();
    EXPECT_EQ(error_of([&] { cuda::empty(device->stream(), {}, {}); }),
              "a kernel compiled for the GPU was launched on the host executor");
#else
    GTEST_SKIP() << "built without the CUDA toolkit";
#endif
}

}  // namespace
}  // namespace gridmark::launch_tests
