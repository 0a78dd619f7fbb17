// Coefficients: where the components live, and by index.

#include "kernels/maxwell/materials.hpp"

#include <gtest/gtest.h>

#include "kernels/maxwell/quotient.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

// --- where the components live, checked against sums over the cells by hand

/// Cells of 1 x 2 x 3 along each axis in turn, each of a material of its own.
struct Small {
    Grid grid{{{{0, 1, 3}, {0, 2, 5}, {0, 3, 4}}}};
    Body body;
    Small() {
        body.cells.resize(8);
        for (std::uint16_t i = 0; i < 8; ++i) {
            body.cells[i] = i;
            body.materials.push_back({1.0 + i, 2.0 + 3 * i, 0.25 * i});
        }
    }
    const Material& cell(int x, int y, int z) const {
        return body.materials[body.cells[body.index(grid, x, y, z)]];
    }
};

double at(const Coefficients<double>& k, const Storage<double>& array, int x, int y, int z) {
    return array[k.layout.plane() * x + static_cast<std::size_t>(y) * k.layout.pitch + z];
}

TEST(Averages, OfFourCellsAroundAnEdge) {
    const Small s;
    const auto k = average<double>(s.grid, s.body, 1);
    // Ex between nodes 0 and 1 along x, at node 1 of y (cells 2 and 3 long) and of z (3 and 1 long).
    const double eps = (2 * 3 * s.cell(0, 0, 0).eps + 2 * 1 * s.cell(0, 0, 1).eps +
                        3 * 3 * s.cell(0, 1, 0).eps + 3 * 1 * s.cell(0, 1, 1).eps) /
                       (5.0 * 4.0);
    EXPECT_DOUBLE_EQ(at(k, k.eps[0], 1, 1, 1), eps);
    // Ey between nodes 1 and 2 along y, at node 1 of z and of x (1 and 2 long).
    const double sigma = (3 * 1 * s.cell(0, 1, 0).sigma + 3 * 2 * s.cell(1, 1, 0).sigma +
                          1 * 1 * s.cell(0, 1, 1).sigma + 1 * 2 * s.cell(1, 1, 1).sigma) /
                         (4.0 * 3.0);
    EXPECT_DOUBLE_EQ(at(k, k.sigma[1], 1, 2, 1), sigma);
    // Ez at the edge of the grid x = 0, y = 0: one cell.
    EXPECT_DOUBLE_EQ(at(k, k.eps[2], 0, 0, 2), s.cell(0, 0, 1).eps);
    // At x = 0 and inside y: two.
    EXPECT_DOUBLE_EQ(at(k, k.eps[2], 0, 1, 1), (2 * s.cell(0, 0, 0).eps + 3 * s.cell(0, 1, 0).eps) / 5);
    EXPECT_DOUBLE_EQ(at(k, k.eps[2], 2, 2, 2), s.cell(1, 1, 1).eps);
}

TEST(Averages, OfTwoCellsAtAFace) {
    const Small s;
    const auto k = average<double>(s.grid, s.body, 1);
    EXPECT_DOUBLE_EQ(at(k, k.mu[0], 1, 1, 2), (1 * s.cell(0, 0, 1).mu + 2 * s.cell(1, 0, 1).mu) / 3);
    EXPECT_DOUBLE_EQ(at(k, k.mu[1], 2, 1, 1), (2 * s.cell(1, 0, 0).mu + 3 * s.cell(1, 1, 0).mu) / 5);
    EXPECT_DOUBLE_EQ(at(k, k.mu[2], 1, 2, 1), (3 * s.cell(0, 1, 0).mu + 1 * s.cell(0, 1, 1).mu) / 4);
    EXPECT_DOUBLE_EQ(at(k, k.mu[2], 1, 2, 0), s.cell(0, 1, 0).mu);
}

TEST(Averages, GhostsAndPaddingAreVacuum) {
    const Small s;
    const auto k = average<double>(s.grid, s.body, 3);
    EXPECT_EQ(at(k, k.eps[0], 0, 1, 1), 1);
    EXPECT_EQ(at(k, k.sigma[0], 0, 1, 1), 0);
    EXPECT_EQ(at(k, k.mu[1], 0, 1, 1), 1);
    EXPECT_EQ(at(k, k.eps[1], 3, 3, 3), 1);
    EXPECT_EQ(at(k, k.eps[1], 1, 1, k.layout.pitch - 1), 1);
}

TEST(Averages, SingleIsDoubleRounded) {
    const Grid grid = uneven_grid(7, 6, 9);
    const Body body = random_body(grid, 2);
    const auto single = average<float>(grid, body, 1);
    const auto twice = average<double>(grid, body, 2);
    for (int x = 0; x < 8; ++x)
        for (int y = 0; y < 7; ++y)
            for (int z = 0; z < 10; ++z)
                for (int c = 0; c < 3; ++c)
                    EXPECT_EQ(
                        single.eps[c][single.layout.plane() * x + std::size_t(y) * single.layout.pitch + z],
                        static_cast<float>(at(twice, twice.eps[c], x, y, z)));
}

TEST(Averages, OfABoxAreThoseOfTheGrid) {
    const Grid grid = uneven_grid(6, 5, 9);
    const Body body = random_body(grid, 3);
    const auto all = average<float>(grid, body, 1);
    const Indices box{{2, 0, 3}, {7, 4, 10}};
    const auto some = average<float>(grid, body, box, 2);
    std::size_t i = 0;
    for (int x = box.low[0]; x < box.high[0]; ++x)
        for (int y = box.low[1]; y < box.high[1]; ++y)
            for (int z = box.low[2]; z < box.high[2]; ++z, ++i)
                for (int c = 0; c < 3; ++c) {
                    EXPECT_EQ(some.eps[c].at(i), all.planes(all.eps).row(all.layout, c, x, y)[z]);
                    EXPECT_EQ(some.sigma[c].at(i), all.planes(all.sigma).row(all.layout, c, x, y)[z]);
                    EXPECT_EQ(some.mu[c].at(i), all.planes(all.mu).row(all.layout, c, x, y)[z]);
                }
    EXPECT_EQ(some.mu[0].size(), i);
}

// --- by index
// What the tables say is what the arrays hold, in as few bytes as can tell them.

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
