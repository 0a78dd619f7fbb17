// Coefficients by index: what the tables say is what the arrays hold, in as few bytes as can tell them.

#include <gtest/gtest.h>

#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/quotient.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

template <class T>
void expect_the_same(const Coefficients<T>& k, T dct) {
    const MaterialIndex<T> index = index_materials(k, dct);
    ASSERT_EQ(index.layout.size(), k.layout.size());
    for (std::size_t i = 0; i < k.layout.size(); ++i)
        for (int c = 0; c < 3; ++c) {
            const auto& of_e = index.of_e.at(index.number_at(i)).component[c];
            ASSERT_EQ(of_e.eps, k.eps[c][i]);
            ASSERT_EQ(of_e.denominator, e_denominator(k.eps[c][i], k.sigma[c][i], dct));
            ASSERT_EQ(of_e.reciprocal, reciprocal(of_e.denominator));
            ASSERT_EQ(index.of_h.at(index.number_at(i)).factor[c], h_factor(k.mu[c][i], dct));
        }
}

TEST(MaterialIndex, SaysWhatTheArraysHold) {
    const Grid grid = uneven_grid(9, 8, 31), even = uniform_grid(12, 7, 9);
    expect_the_same(average<float>(grid, dielectric_slab(grid), 2), 0.3F);
    expect_the_same(average<double>(even, lossy_sphere(even), 2), 0.3);
    expect_the_same(average<float>(even, aircraft(even), 2), 0.2F);
}

TEST(MaterialIndex, KnowsNoMoreCombinationsThanThereAre) {
    const Grid grid = uniform_grid(9, 8, 31);
    const auto vacuum = index_materials(average<float>(grid, empty_box(grid), 2), 0.3F);
    EXPECT_EQ(vacuum.of_e.size(), 1U);
    EXPECT_EQ(vacuum.of_h.size(), 1U);
    // Vacuum, the layer, and at its two faces their mean along x and y beside what a cell has along z.
    EXPECT_LE(index_materials(average<float>(grid, dielectric_slab(grid), 2), 0.3F).of_e.size(), 20U);
}

/// So many values of one array.
Coefficients<float> with(int values) {
    const Grid grid = uniform_grid(17, 41, 130);
    Coefficients<float> k = average<float>(grid, empty_box(grid), 1);
    for (std::size_t i = 0; i < k.layout.size(); ++i)
        k.mu[1][i] = static_cast<float>(1 + i % values);
    return k;
}

TEST(MaterialIndex, TakesAsFewBytesAsCanTellAllCombinations) {
    for (const auto& [values, width] : {std::pair{256, 1}, {257, 2}, {65536, 2}, {65537, 4}}) {
        const auto k = with(values);
        ASSERT_GT(k.layout.size(), 65537U);
        const MaterialIndex<float> index = index_materials(k, 0.3F);
        EXPECT_EQ(index.of_e.size(), static_cast<std::size_t>(values));
        EXPECT_EQ(index.width, width);
        EXPECT_EQ(index.number.size(), width * k.layout.size());
        expect_the_same(k, 0.3F);
    }
}

TEST(MaterialIndex, OfARandomBodyOnAStretchedGrid) {
    const Grid grid = uneven_grid(19, 23, 37);
    const auto k = average<float>(grid, random_body(grid, 1), 2);
    EXPECT_EQ(index_materials(k, 0.3F).width, 2);
    expect_the_same(k, 0.3F);
}

}  // namespace
}  // namespace gridmark::maxwell_tests
