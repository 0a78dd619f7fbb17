// Fields in host memory: slabs, the bytes that they move, and what must be waited for.

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/maxwell/streamed.hpp"
#include "kernels/maxwell/time_skewing.hpp"
#include "tests/maxwell/setups.hpp"
#include "tests/support/counting_device.hpp"
#include "tests/support/late_device.hpp"

namespace gridmark::maxwell_tests {
namespace {

using tests::LateDevice;

// --- slabs: how deep they may be, and which bytes they move

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
        const std::size_t before = device.allocated, sent = device.copies_up, fetched = device.copies_down;
        const Traffic declared = traffic<float>(coefficients.layout, slabs);
        solver->steps(2);
        EXPECT_EQ(static_cast<double>(device.copies_up - sent), 2 * declared.copies_up);
        EXPECT_EQ(static_cast<double>(device.copies_down - fetched), 2 * declared.copies_down);
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

// --- the overlapped versions on late devices
// Such a device does everything as late as it may (whatever is in a stream is done only when somebody waits
// for it), or is as early as it may be in some streams and late in the others. Slabs and buffers that were
// not waited for show as wrong answers.

/// The streams of both versions begin with this one.
constexpr unsigned uploads = 1;

const GpuVariant<float>& fused() {
    return *find_gpu_variant<float>(launch::Executor::host, "gpu_in_core_fused");
}

/// Thirteen planes of random materials, and what the reference makes of random fields in so many steps.
struct Steps {
    Grid grid = uneven_grid(13, 5, 6);
    Body body = random_body(grid, 6);
    Coefficients<float> coefficients = average<float>(grid, body, 1);
    Problem problem{grid, 0.9 * stable_dct(grid, body), both_ways(7)};
    int count;
    std::vector<float> expected;

    explicit Steps(int count) : count(count) {
        Reference<float> reference(problem, coefficients);
        expected = after(reference);
    }
    /// All values that a fresh version ends with.
    std::vector<float> after(Solver<float>& solver) const {
        set_random(solver, grid, 8);
        solver.steps(count);
        return all_values(solver, grid);
    }
};

/// The fused version, its kernels as late as the copies.
GpuVariant<float> late_variant() {
    GpuVariant<float> variant = fused();
    variant.advance_e = [](launch::Stream stream, const Arrays<float>& arrays, int x0, int x1) {
        LateDevice::put(stream, [=] { fused().advance_e(stream, arrays, x0, x1); });
    };
    variant.advance_h = [](launch::Stream stream, const Arrays<float>& arrays, int x0, int x1) {
        LateDevice::put(stream, [=] { fused().advance_h(stream, arrays, x0, x1); });
    };
    return variant;
}

TEST(LateDevice, OverlappedSlabsWaitForWhatTheyNeed) {
    const Steps run(4);
    for (const int depth : {1, 2, 3, 4, 6, 7, 12, 13})
        for (const int buffers : {1, 2, 3, 5})
            for (const unsigned early : {0U, uploads}) {
                LateDevice device(early);
                const Slabs slabs{13, depth, buffers};
                const StreamedCoefficients<float> pinned(device, run.coefficients, 1);
                launch::Buffer<float> memory(device, device_values<float>(run.coefficients.layout, slabs));
                const auto variant = late_variant();
                const auto solver =
                    streamed<float>(device, variant, run.problem, pinned, slabs, memory.data(), 1);
                EXPECT_EQ(differences(run.after(*solver), run.expected), 0U) << depth << " " << buffers;
            }
}

/// The single pass, as late as the copies.
GpuVariant<float> late_single_pass() {
    GpuVariant<float> variant = *find_gpu_variant<float>(launch::Executor::host, "gpu_single_pass");
    variant.step = [](launch::Stream stream, const WholeStep<float>& step) {
        LateDevice::put(stream, [=] {
            find_gpu_variant<float>(launch::Executor::host, "gpu_single_pass")->step(stream, step);
        });
    };
    return variant;
}

TEST(LateDevice, SkewedSlabsWaitForWhatTheyNeed) {
    const Steps run(11);
    // The streams are made in this order.
    constexpr unsigned downloads = 2, even_slabs = 4, odd_slabs = 8;
    for (const unsigned early :
         {0U, uploads, even_slabs, odd_slabs, downloads | even_slabs, uploads | odd_slabs})
        for (const auto& [ring, depth, steps] : {std::tuple{4, 1, 2},
                                                 {7, 2, 4},
                                                 {8, 1, 4},
                                                 {9, 2, 2},
                                                 {11, 2, 4},
                                                 {12, 3, 2},
                                                 {14, 3, 4},
                                                 {14, 5, 10}}) {
            LateDevice device(early);
            const StreamedCoefficients<float> pinned(device, run.coefficients, 1);
            const auto variant = late_single_pass();
            const auto solver =
                time_skewed<float>(device, variant, run.problem, pinned, {13, ring, depth, steps}, 1);
            EXPECT_EQ(differences(run.after(*solver), run.expected), 0U)
                << ring << " " << depth << " " << steps << " " << early;
        }
}

}  // namespace
}  // namespace gridmark::maxwell_tests
