// The overlapped versions on devices that do everything as late as they may (whatever is in a stream is done
// only when somebody waits for it), or are as early as they may be in some streams and late in the others.
// Slabs and buffers that were not waited for show as wrong answers.

#include <gtest/gtest.h>

#include "kernels/maxwell/time_skewing.hpp"
#include "tests/maxwell/setups.hpp"
#include "tests/support/late_device.hpp"

namespace gridmark::maxwell_tests {
namespace {

using tests::LateDevice;

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
