// Slabs: how deep they may be, and which bytes they move.

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/maxwell/streamed.hpp"
#include "tests/maxwell/setups.hpp"
#include "tests/support/counting_device.hpp"

namespace gridmark::maxwell_tests {
namespace {

Layout layout() {
    return make_layout<float>(uniform_grid(10, 6, 7));
}

TEST(SlabsOfAGrid, AreAsThickAsTheBudgetAllows) {
    for (const int buffers : {1, 3})
        for (int depth = 1; depth <= 10; ++depth) {
            const std::size_t needed = device_values<float>(layout(), {10, depth, buffers});
            EXPECT_EQ(slabs_for<float>(layout(), buffers, needed).depth, depth);
            if (depth > 1) {
                EXPECT_EQ(slabs_for<float>(layout(), buffers, needed - 1).depth, depth - 1);
            }
        }
    EXPECT_EQ(slabs_for<float>(layout(), 3, std::size_t{1} << 40).depth, 10);
    const std::size_t least = device_values<float>(layout(), {10, 1, 1});
    EXPECT_THROW(slabs_for<float>(layout(), 1, least - 1), std::invalid_argument);
}

TEST(SlabsOfAGrid, CoverItOnce) {
    const Slabs slabs{10, 4, 3};
    ASSERT_EQ(slabs.count(), 3);
    EXPECT_EQ(slabs[0].first, 0);
    EXPECT_EQ(slabs[1].first, slabs[0].last);
    EXPECT_EQ(slabs[2].first, 8);
    EXPECT_EQ(slabs[2].last, 10);
}

TEST(SlabsOfAGrid, MoveTheBytesThatAreDeclared) {
    const Grid grid = uniform_grid(10, 6, 7);
    const Body body = empty_box(grid);
    const auto coefficients = average<float>(grid, body, 1);
    for (const Slabs slabs : {Slabs{10, 4, 3}, Slabs{10, 1, 1}, Slabs{10, 10, 3}}) {
        tests::CountingDevice device;
        const StreamedCoefficients<float> pinned(device, coefficients, 1);
        launch::Buffer<float> memory(device, device_values<float>(coefficients.layout, slabs));
        const auto& variant = *find_gpu_variant<float>(launch::Executor::host, "gpu_in_core_fused");
        const auto solver =
            streamed<float>(device, variant, {grid, 0.3, both_ways(5)}, pinned, slabs, memory.data(), 1);
        const std::size_t before = device.allocated;
        const Traffic declared = traffic<float>(coefficients.layout, slabs);
        solver->steps(2);
        EXPECT_EQ(static_cast<double>(device.up), 2 * declared.uploaded);
        EXPECT_EQ(static_cast<double>(device.down), 2 * declared.downloaded);
        // E 12 and H 9 arrays up, 3 and 3 down, and two planes of halo a slab and half step; the first slab's
        // H has no plane before it.
        const double plane = static_cast<double>(coefficients.layout.plane() * sizeof(float));
        EXPECT_EQ(declared.uploaded, plane * (21 * 10 + 4 * slabs.count() - 2));
        EXPECT_EQ(declared.downloaded, plane * 6 * 10);
        solver->transfers(1);
        EXPECT_EQ(static_cast<double>(device.up), 3 * declared.uploaded);
        solver->kernels(1);
        EXPECT_EQ(static_cast<double>(device.down), 3 * declared.downloaded);
        EXPECT_EQ(device.allocated, before);  // a step takes no memory
    }
}

}  // namespace
}  // namespace gridmark::maxwell_tests
