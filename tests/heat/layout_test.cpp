// How versions store the temperature.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/heat/versions.hpp"

namespace gridmark::heat_tests {
namespace {

using heat::tissue;

TEST(Layout, HasTheThesissSizes) {
    const Problem p = tissue(256, 256, 256);
    const Layout tight = heat::tight_layout(p), cubes = heat::four_cubes_layout(p),
                 tiles = heat::tiles_16x16_layout(p), rectangular = heat::rectangular_layout(p);
    EXPECT_EQ(tight.size(), 260U * 260 * 260);
    EXPECT_EQ(heat::bare_layout(p).size(), 256U * 256 * 256);
    EXPECT_EQ(cubes.row(), 272);  // 6 filler values and the halo on both sides
    EXPECT_EQ(cubes.x0, 8);
    EXPECT_EQ(cubes.sy, 260);
    // 22 tiles of 12 a side, and 10 of 28: the padded domains that the thesis counts flops over.
    EXPECT_EQ(tiles.sx, 264 + 4);
    EXPECT_EQ(tiles.sy, 264 + 4);
    EXPECT_EQ(tiles.sz, 264 + 4);
    EXPECT_EQ(rectangular.sx, 280 + 4);
    EXPECT_EQ(rectangular.sy, 256 + 4);
}

TEST(Layout, AlignsRows) {
    for (const int nx : {1, 37, 64}) {
        const Layout l = heat::aligned_layout(tissue(nx, 5, 3), sizeof(float));
        EXPECT_EQ(l.origin() * sizeof(float) % 64, 0U);
        EXPECT_EQ(l.row() * sizeof(float) % 64, 0U);
        EXPECT_GE(l.x0, heat::halo);
        EXPECT_GE(l.sx, l.x0 + nx + heat::halo);
        const Layout lines = heat::line_layout(tissue(nx, 5, 3), sizeof(double));
        EXPECT_EQ(lines.origin() * sizeof(double) % 128, 0U);
        EXPECT_EQ(lines.row() * sizeof(double) % 128, 0U);
        EXPECT_GE(lines.x0, 2 * heat::halo);
        EXPECT_GE(lines.sx, lines.x0 + nx);
        const Layout cubes = heat::four_cubes_layout(tissue(nx, 5, 3));
        EXPECT_EQ(cubes.origin() * sizeof(float) % 32, 0U);
        EXPECT_EQ(cubes.row() * sizeof(float) % 32, 0U);
    }
}

// What is stored comes back, and everything around it is the boundary.
TEST(Layout, StoresAndLoads) {
    const Problem p = tissue(13, 7, 5);
    std::vector<float> field(p.points());
    for (std::size_t n = 0; n < field.size(); ++n)
        field[n] = 100.0F + static_cast<float>(n);
    for (const Layout& l : {heat::tight_layout(p), heat::bare_layout(p), heat::four_cubes_layout(p),
                            heat::tiles_16x16_layout(p), heat::rectangular_layout(p),
                            heat::aligned_layout(p, 4), heat::line_layout(p, 4)}) {
        const auto stored = heat::store<float>(p, l, field);
        ASSERT_EQ(stored.size(), l.size());
        EXPECT_EQ(stored[l.origin()], 100);
        EXPECT_EQ(stored[l.origin() + 1 + l.row() * 2 + l.plane() * 3], field[1 + 13 * (2 + 7 * 3)]);
        EXPECT_EQ(static_cast<std::size_t>(std::count(stored.begin(), stored.end(), 37.0F)),
                  l.size() - p.points());
        std::vector<float> back(p.points());
        heat::load<float>(p, l, stored.data(), back);
        EXPECT_EQ(back, field);
    }
}

TEST(Layout, PadsNoMoreThanTheProblemAllowsFor) {
    for (const int n : {1, 29, 65}) {
        const Problem p = tissue(n, n, n);
        for (const Layout& l :
             {heat::four_cubes_layout(p), heat::tiles_16x16_layout(p), heat::rectangular_layout(p),
              heat::aligned_layout(p, 4), heat::line_layout(p, 4), heat::line_layout(p, 8)})
            for (const int stored : {l.sx, l.sy, l.sz})
                EXPECT_LE(stored, n + heat::most_padding);
    }
}

}  // namespace
}  // namespace gridmark::heat_tests
