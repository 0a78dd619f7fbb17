// Every version against the reference in double, on uneven grids with random materials, fields and ghosts and
// a source of both polarisations: the same bits, for no version fuses a multiplication with an addition.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/maxwell/cpu.hpp"
#include "kernels/maxwell/in_core.hpp"
#include "kernels/maxwell/time_skewing.hpp"
#include "tests/launch/orders.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

using launch_tests::OnEach;

/// A problem and what the reference makes of it.
template <class T>
struct Expected {
    Grid grid;
    Body body;
    Problem problem;
    Coefficients<T> coefficients;
    int steps;
    bool starts_random;  ///< or from zeros
    std::vector<T> answer;

    Expected(int nx, int ny, int nz, int steps, double duration = 0)
        : Expected(uneven_grid(nx, ny, nz), random_body, steps, duration) {}
    Expected(const Grid& grid, Body (*make_body)(const Grid&, std::uint64_t seed), int steps,
             double duration = 0, bool starts_random = true)
        : grid(grid), body(make_body(grid, 11)), steps(steps), starts_random(starts_random) {
        problem = {grid, 0.9 * stable_dct(grid, body), both_ways(9)};
        for (Oscillation& along : problem.source.along)
            along.duration = duration;
        coefficients = average<T>(grid, body, 2);
        Reference<T> reference(problem, coefficients);
        if (starts_random) set_random(reference, grid, 5);
        reference.steps(steps);
        answer = all_values(reference, grid);
    }
    void expect(Solver<T>& solver) const {
        if (starts_random) set_random(solver, grid, 5);
        solver.steps(steps / 2);
        solver.steps(steps - steps / 2);
        EXPECT_EQ(differences(all_values(solver, grid), answer), 0U);
        EXPECT_TRUE(solver.value(4, 1, 1, 1) ==
                    answer[(4 * (grid.n(0) + 1) + 1) * plane_values(grid) + grid.n(2) + 1 + 1]);
    }
    /// Of a version that averages materials anew: in double the same bits, in float within its rounding.
    void expect_near(Solver<T>& solver) const {
        if (sizeof(T) == sizeof(double)) return expect(solver);
        set_random(solver, grid, 5);
        solver.steps(steps);
        const std::vector<T> values = all_values(solver, grid);
        double worst = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double apart = std::abs(static_cast<double>(values[i]) - answer[i]);
            worst = apart <= worst ? worst : apart;
        }
        EXPECT_LT(worst, rounding_bound<T>(problem, body, steps, 1));
        EXPECT_LT(worst, 1e-4);
    }
};

Body two_materials(const Grid& grid, std::uint64_t seed) {
    Body body = random_body(grid, seed);
    body.materials.resize(2);
    for (auto& cell : body.cells)
        cell %= 2;
    return body;
}

Body layers(const Grid& grid, std::uint64_t) {
    return dielectric_slab(grid);
}

template <class T>
class Precision : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(Precision, Precisions);

TYPED_TEST(Precision, CpuGivesTheReferencesBits) {
    for (const auto& [nx, ny, nz] : {std::tuple{31, 45, 27}, {2, 2, 2}, {3, 2, 70}, {5, 7, 16}}) {
        const Expected<TypeParam> expected(nx, ny, nz, 7);
        for (const int threads : {1, 2, 5})
            expected.expect(*cpu_openmp<TypeParam>(expected.problem, expected.coefficients, threads));
    }
}

TYPED_TEST(Precision, ThePapersCpuCodeGivesTheReferencesBits) {
    for (const auto& [nx, ny, nz] : {std::tuple{31, 45, 27}, {2, 2, 2}, {3, 2, 70}, {5, 7, 16}}) {
        const Expected<TypeParam> expected(nx, ny, nz, 5);
        for (const int threads : {1, 3}) {
            expected.expect(*cpu_plain<TypeParam>(expected.problem, expected.coefficients, threads));
            expected.expect_near(*cpu_plain_lookup<TypeParam>(expected.problem, expected.body, threads));
        }
    }
}

TYPED_TEST(Precision, ReferenceGivesTheSameBitsWithThreads) {
    const Expected<TypeParam> expected(9, 12, 8, 5);
    Reference<TypeParam> threaded(expected.problem, expected.coefficients, 3);
    expected.expect(threaded);
}

class Versions : public OnEach {
  protected:
    template <class T>
    void expect_in_core(const Expected<T>& expected) {
        const DeviceCoefficients<T> coefficients(*device, expected.grid, expected.coefficients);
        for (const auto& variant : gpu_variants<T>(device->executor())) {
            if (variant.by_index || variant.looks_up) continue;
            SCOPED_TRACE(variant.name);
            expected.expect(*in_core<T>(*device, variant, expected.problem, coefficients));
        }
    }
    /// What is measured at the paper's size alone: other rows, other materials, boundaries on the CPU.
    template <class T>
    void expect_unaligned(const Expected<T>& expected) {
        const auto rows = in_layout(expected.coefficients, make_layout<T>(expected.grid, unaligned), 2);
        const DeviceCoefficients<T> coefficients(*device, expected.grid, rows);
        for (const char* name : {"gpu_in_core", "gpu_in_core_concurrent", "gpu_in_core_host_faces"})
            expected.expect(*in_core<T>(*device, *find_gpu_variant<T>(device->executor(), name),
                                        expected.problem, coefficients, 2));
    }
    template <class T>
    void expect_looked_up(const Expected<T>& expected) {
        const auto& variant = *find_gpu_variant<T>(device->executor(), "gpu_in_core_lookup");
        const auto cells =
            device_coefficients(*device, variant, expected.problem, expected.body, expected.coefficients);
        expected.expect_near(*in_core<T>(*device, variant, expected.problem, *cells));
    }
    template <class T>
    void expect_by_index(const Expected<T>& expected) {
        const auto index = index_materials(expected.coefficients, static_cast<T>(expected.problem.dct));
        const DeviceCoefficients<T> coefficients(*device, expected.grid, index);
        const auto& variant = *find_gpu_variant<T>(device->executor(), "gpu_single_pass_indexed");
        expected.expect(*in_core<T>(*device, variant, expected.problem, coefficients));
    }
    template <class T>
    void expect_streamed(const Expected<T>& expected, const Slabs& slabs,
                         HostMemory host_memory = HostMemory::pinned) {
        const auto coefficients = host_memory == HostMemory::pinned
                                      ? StreamedCoefficients<T>(*device, expected.coefficients, 2)
                                      : StreamedCoefficients<T>(expected.coefficients);
        for (const auto& variant : gpu_variants<T>(device->executor())) {
            if (variant.step != nullptr || variant.ablation) continue;
            SCOPED_TRACE(std::string(variant.name) + ", slabs of " + std::to_string(slabs.depth) +
                         ", buffers " + std::to_string(slabs.buffers));
            launch::Buffer<T> memory(*device, device_values<T>(expected.coefficients.layout, slabs));
            device->fill_bytes(memory.data(), 0xff,
                               memory.size() * sizeof(T));  // NaN: what is not sent shows
            expected.expect(*streamed<T>(*device, variant, expected.problem, coefficients, slabs,
                                         memory.data(), 2, host_memory));
        }
    }
    template <class T>
    void expect_skewed(const Expected<T>& expected, const TimeSkew& skew, bool by_index = false) {
        SCOPED_TRACE("ring of " + std::to_string(skew.ring) + ", slabs of " + std::to_string(skew.depth) +
                     ", " + std::to_string(skew.steps) + " steps per pass");
        const auto coefficients =
            by_index ? StreamedCoefficients<T>(
                           *device,
                           index_materials(expected.coefficients, static_cast<T>(expected.problem.dct)), 2)
                     : StreamedCoefficients<T>(*device, expected.coefficients, 2);
        const auto& variant = *find_gpu_variant<T>(device->executor(),
                                                   by_index ? "gpu_single_pass_indexed" : "gpu_single_pass");
        expected.expect(*time_skewed<T>(*device, variant, expected.problem, coefficients, skew, 2));
    }
};

TEST_P(Versions, InDeviceMemoryGivesTheReferencesBits) {
    expect_in_core(Expected<float>(31, 45, 27, 5));
    expect_in_core(Expected<double>(31, 45, 27, 5));
    expect_in_core(Expected<float>(2, 2, 2, 6));
    expect_in_core(Expected<float>(4, 5, 65, 3, 1.5));  // the pulse ends on the way
}

TEST_P(Versions, MoreRowsThanABlockHas) {
    expect_in_core(Expected<float>(5, 80, 27, 3));
    expect_by_index(Expected<double>(uniform_grid(5, 70, 19), layers, 2));
}

TEST_P(Versions, RowsOfWholePacks) {
    expect_in_core(Expected<float>(9, 40, 24, 3));
    expect_in_core(Expected<double>(9, 30, 12, 3));
    expect_by_index(Expected<float>(uniform_grid(9, 40, 24), two_materials, 3));
    expect_by_index(Expected<double>(uniform_grid(9, 30, 12), layers, 3));
}

// The front of a wave is made of the smallest numbers there are.
TEST_P(Versions, ByIndexFromZeros) {
    const Expected<float> expected(uniform_grid(12, 10, 90), two_materials, 40, 0, false);
    int subnormal = 0;
    for (const float value : expected.answer)
        subnormal += value != 0 && std::abs(value) < std::numeric_limits<float>::min();
    EXPECT_GT(subnormal, 100);
    expect_by_index(expected);
}

TEST_P(Versions, RowsLongerThanABlockHasThreads) {
    expect_in_core(Expected<float>(3, 3, 1100, 3));
    expect_in_core(Expected<double>(3, 2, 2049, 2));
    expect_by_index(Expected<float>(uniform_grid(3, 9, 1100), two_materials, 3));
}

TEST_P(Versions, ByIndexGivesTheReferencesBits) {
    expect_by_index(Expected<float>(uniform_grid(31, 45, 27), two_materials, 5));
    expect_by_index(Expected<double>(uniform_grid(31, 45, 27), layers, 5));
    expect_by_index(Expected<float>(uneven_grid(9, 5, 65), layers, 3, 1.5));
    expect_by_index(Expected<float>(uniform_grid(2, 2, 2), two_materials, 6));
}

// More combinations than a byte, and than two, can tell.
TEST_P(Versions, ByAnIndexOfMoreBytes) {
    for (const auto& [nx, ny, nz] : {std::tuple{19, 23, 37}, {9, 5, 65}}) {
        expect_by_index(Expected<float>(nx, ny, nz, 3));
        expect_by_index(Expected<double>(nx, ny, nz, 3));
    }
    const Expected<float> expected(uneven_grid(30, 41, 70), random_body, 1);
    ASSERT_EQ(index_materials(expected.coefficients, 0.1F).width, 4);
    expect_by_index(expected);
    expect_skewed(Expected<float>(19, 23, 37, 5), {19, 14, 3, 4}, true);
}

TEST_P(Versions, WithRowsThatFollowEachOther) {
    expect_unaligned(Expected<float>(31, 45, 27, 3));
    expect_unaligned(Expected<double>(5, 9, 31, 4));
    expect_unaligned(Expected<float>(4, 5, 65, 3, 1.5));
}

TEST_P(Versions, LookingUpMaterials) {
    expect_looked_up(Expected<float>(31, 45, 27, 3));
    expect_looked_up(Expected<double>(31, 45, 27, 3));
    expect_looked_up(Expected<double>(2, 2, 2, 3));
}

TEST_P(Versions, MoreRowsThanALaunchHasBlocksAlongY) {
    const Expected<float> expected(2, 65600, 2, 1);
    const DeviceCoefficients<float> coefficients(*device, expected.grid, expected.coefficients);
    const auto& variant = *find_gpu_variant<float>(device->executor(), "gpu_in_core");
    expected.expect(*in_core<float>(*device, variant, expected.problem, coefficients));
}

TEST_P(Versions, StreamedFromPageableMemory) {
    const Expected<float> expected(31, 5, 6, 4);
    for (const int depth : {1, 2, 7, 30, 31})
        expect_streamed(expected, {31, depth, synchronous_buffers}, HostMemory::pageable);
    expect_streamed(Expected<double>(13, 9, 27, 3), {13, 4, synchronous_buffers}, HostMemory::pageable);
}

TEST_P(Versions, StreamedInSlabsOfEveryDepth) {
    const Expected<float> expected(31, 5, 6, 4);
    for (int depth = 1; depth <= 32; ++depth)
        for (const int buffers : {synchronous_buffers, overlapped_buffers})
            expect_streamed(expected, {31, depth, buffers});
}

TEST_P(Versions, StreamedOnTheUnevenGrid) {
    const Expected<float> single(31, 45, 27, 3);
    const Expected<double> twice(31, 45, 27, 3);
    for (const int depth : {1, 4, 30, 31}) {
        expect_streamed(single, {31, depth, overlapped_buffers});
        expect_streamed(twice, {31, depth, overlapped_buffers});
    }
    expect_streamed(single, {31, 7, synchronous_buffers});
}

TEST_P(Versions, SkewedSlabsOfEveryDepthAndHeight) {
    const Expected<float> expected(17, 5, 6, 11);
    for (const int steps : {1, 2, 3, 4, 6, 11, 12})
        for (const int depth : {1, 2, 3, 5, 8, 17, 20})
            for (const int spare : {0, 1, 3 * depth})
                if (depth + steps + 1 + spare < 18)
                    expect_skewed(expected, {17, depth + steps + 1 + spare, depth, steps});
    for (const int depth : {1, 4, 18, 40})
        expect_skewed(expected, {17, 18, depth, 4});  // all planes at once
}

TEST_P(Versions, SkewedOnTheUnevenGrid) {
    expect_skewed(Expected<float>(31, 45, 27, 5), {31, 14, 3, 4});
    expect_skewed(Expected<double>(31, 45, 27, 9), {31, 17, 4, 4});
    expect_skewed(Expected<float>(2, 2, 2, 6), {2, 3, 2, 4});
    expect_skewed(Expected<float>(9, 5, 65, 7, 1.5), {9, 9, 2, 2});
}

TEST_P(Versions, SkewedByIndex) {
    expect_skewed(Expected<float>(uniform_grid(31, 45, 27), two_materials, 5), {31, 14, 3, 4}, true);
    expect_skewed(Expected<double>(uniform_grid(23, 9, 18), layers, 10), {23, 13, 3, 3}, true);
    expect_skewed(Expected<float>(uniform_grid(5, 3, 1100), two_materials, 5), {5, 6, 2, 4}, true);
}

INSTANTIATE_TEST_SUITE_P(Each, Versions, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

}  // namespace
}  // namespace gridmark::maxwell_tests
