// The declared cost of a step, counted by a number that counts; and bytes by arrays that are touched.

#include <gtest/gtest.h>

#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

/// Counts what is done to it.
struct Counted {
    static inline int operations = 0;
    friend Counted operator+(Counted a, Counted) { return ++operations, a; }
    friend Counted operator-(Counted a, Counted) { return ++operations, a; }
    friend Counted operator*(Counted a, Counted) { return ++operations, a; }
    friend Counted operator/(Counted a, Counted) { return ++operations, a; }
};

TEST(Cost, OperationsOfAStepAreThoseDeclared) {
    Counted::operations = 0;
    const Counted x;
    for (int c = 0; c < 3; ++c) {
        next_e(x, rotation(x, x, x, x, x, x), x, x, x);
        next_h(x, rotation(x, x, x, x, x, x), x, x);
    }
    EXPECT_EQ(Counted::operations, flops_per_cell);
    // A look-up averages eps and sigma of four cells, and mu of two.
    const Layout layout{{2, 2, 2}, 3};
    const int cell[27] = {};
    const Layer<Counted> layer{};
    const Counted share[2];
    const CellLookup<Counted> cells{layout, cell, &layer, {share, share, share}, {share, share, share}};
    cells.of_e<0>(1, 1, 1), cells.of_e<1>(1, 1, 1), cells.of_e<2>(1, 1, 1);
    cells.of_h<0>(1, 1, 1), cells.of_h<1>(1, 1, 1), cells.of_h<2>(1, 1, 1);
    EXPECT_EQ(Counted::operations, flops_per_cell_lookup);
}

TEST(Cost, ValuesOfAStepAreReadAndWrittenOnceAKernel) {
    // Six kernels: each of E reads itself, two of H, eps and sigma, and writes; each of H itself, two of E
    // and mu.
    EXPECT_EQ(values_six, 3 * (1 + 2 + 2 + 1) + 3 * (1 + 2 + 1 + 1));
    // One a field: all of H, E, eps, sigma read and E written; all of E, H, mu read and H written.
    EXPECT_EQ(values_fused, (3 + 3 + 6 + 3) + (3 + 3 + 3 + 3));
    // One for both: all of E, H and the coefficients read, E and H written.
    EXPECT_EQ(values_whole, 3 + 3 + 9 + 3 + 3);
    // Six that look up: as the six, but a number of a cell each instead of nine coefficients.
    EXPECT_EQ(values_lookup<float> * sizeof(float), (values_six - 9) * sizeof(float) + 6 * sizeof(int));
    EXPECT_EQ(values_lookup<double> * sizeof(double), (values_six - 9) * sizeof(double) + 6 * sizeof(int));
    EXPECT_EQ(values_indexed<float> * sizeof(float), (3 + 3 + 3 + 3) * sizeof(float) + 1);
    EXPECT_EQ(values_indexed<double> * sizeof(double), (3 + 3 + 3 + 3) * sizeof(double) + 1);
    EXPECT_EQ(find_gpu_variant<float>(launch::Executor::host, "gpu_in_core")->values_per_cell, 33);
    EXPECT_EQ(find_gpu_variant<float>(launch::Executor::host, "gpu_in_core_fused")->values_per_cell, 27);
    EXPECT_EQ(find_gpu_variant<float>(launch::Executor::host, "gpu_in_core_"), nullptr);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
