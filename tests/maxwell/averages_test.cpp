// Coefficients where the components live, checked against sums over the cells by hand.

#include <gtest/gtest.h>

#include "tests/maxwell/setups.hpp"

namespace gridmark::maxwell_tests {
namespace {

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

}  // namespace
}  // namespace gridmark::maxwell_tests
