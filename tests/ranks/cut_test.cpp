#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/ranks/cut.hpp"

namespace gridmark::ranks {
namespace {

std::size_t points_of(const std::vector<Box>& boxes) {
    std::size_t points = 0;
    for (const Box& box : boxes)
        points += box.points();
    return points;
}

TEST(Cut, EveryPointHasOneOwnerAndSizesDifferByOne) {
    const Box grid{{-2, 0, 5}, {11, 7, 13}};
    for (const Triple& parts : {Triple{1, 1, 1}, {3, 1, 1}, {1, 2, 3}, {4, 3, 5}, {13, 7, 8}}) {
        const Cut cut(grid, parts);
        std::vector<int> owners(grid.points());
        for (int rank = 0; rank < cut.ranks(); ++rank) {
            const Box own = cut.own(rank);
            for (int axis = 0; axis < axes; ++axis) {
                EXPECT_GE(own.size(axis), grid.size(axis) / parts[axis]);
                EXPECT_LE(own.size(axis), grid.size(axis) / parts[axis] + 1);
            }
            for (int z = own.low[2]; z < own.high[2]; ++z)
                for (int y = own.low[1]; y < own.high[1]; ++y)
                    for (int x = own.low[0]; x < own.high[0]; ++x)
                        ++owners[((z - 5) * 7 + y) * 13 + x + 2];
        }
        EXPECT_EQ(std::vector<int>(grid.points(), 1), owners);
    }
}

TEST(Cut, RefusesMorePartsThanPoints) {
    EXPECT_THROW(Cut({{0, 0, 0}, {4, 3, 1}}, {1, 4, 1}), std::invalid_argument);
    EXPECT_THROW(Cut({{0, 0, 0}, {4, 3, 1}}, {1, 0, 1}), std::invalid_argument);
    EXPECT_THROW(parts_for({{0, 0, 0}, {2, 2, 1}}, 5), std::invalid_argument);
}

TEST(Cut, ChoosesTheShortestSeams) {
    EXPECT_EQ(parts_for({{0, 0, 0}, {100, 100, 100}}, 8), (Triple{2, 2, 2}));
    EXPECT_EQ(parts_for({{0, 0, 0}, {100, 10, 10}}, 4), (Triple{4, 1, 1}));
    EXPECT_EQ(parts_for({{0, 0, 0}, {64, 64, 1}}, 6), (Triple{2, 3, 1}));  // of equal ones the later axis
    EXPECT_EQ(parts_for({{0, 0, 0}, {64, 64, 1}}, 7), (Triple{1, 7, 1}));
    EXPECT_EQ(parts_for({{0, 0, 0}, {3, 100, 1}}, 7), (Triple{1, 7, 1}));
}

TEST(Box, WithoutAnInnerOneIsTheRest) {
    const Box outer{{0, 0, 0}, {9, 8, 7}}, inner{{1, 0, 3}, {8, 5, 7}};
    const auto rest = without(outer, inner);
    EXPECT_EQ(points_of(rest), outer.points() - inner.points());
    for (std::size_t a = 0; a < rest.size(); ++a) {
        EXPECT_TRUE(common(rest[a], inner).empty());
        for (std::size_t b = 0; b < a; ++b)
            EXPECT_TRUE(common(rest[a], rest[b]).empty());
    }
    EXPECT_EQ(without(outer, Box{}), std::vector{outer});
    EXPECT_TRUE(without(outer, outer).empty());
}

TEST(Box, SlicesAreTheWhole) {
    const Box box{{2, 1, 0}, {9, 8, 1}};
    const auto parts = slices(box, 3);
    ASSERT_EQ(parts.size(), 3U);  // along axis 1: the last one has a single point
    EXPECT_EQ(points_of(parts), box.points());
    EXPECT_EQ(parts[0].low, box.low);
    EXPECT_EQ(parts[2].high, box.high);
    EXPECT_EQ(slices(box, 100).size(), 7U);
    EXPECT_TRUE(slices(Box{}, 4).empty());
}

TEST(Pieces, AreAllThatARankReachesAndOthersOwn) {
    const Cut cut({{0, 0, 0}, {9, 5, 7}}, {3, 2, 7});  // one plane a rank along axis 2
    const Reach reach{{1, 0, 3}, {2, 1, 2}};
    for (int rank = 0; rank < cut.ranks(); ++rank) {
        const Box own = cut.own(rank), reached = common(grown(own, reach), cut.grid());
        std::size_t points = own.points();
        for (const Piece& piece : received(cut, rank, reach, Ghosts::all_around)) {
            EXPECT_EQ(common(piece.box, cut.own(piece.rank)), piece.box);
            EXPECT_EQ(common(piece.box, reached), piece.box);
            points += piece.box.points();
        }
        EXPECT_EQ(points, reached.points());
        std::size_t faces = 0;
        for (const Piece& piece : received(cut, rank, reach, Ghosts::across_faces))
            faces += piece.box.points();
        std::size_t wanted = 0;
        for (int axis = 0; axis < axes; ++axis) {
            Box along = own;
            along.low[axis] = reached.low[axis];
            along.high[axis] = reached.high[axis];
            wanted += along.points() - own.points();
        }
        EXPECT_EQ(faces, wanted);
    }
}

TEST(Pieces, WhatOneRankSendsAnotherReceives) {
    const Cut cut({{0, 0, 0}, {10, 6, 3}}, {4, 2, 1});
    const Reach reach{{3, 1, 0}, {1, 2, 0}};
    for (const Ghosts ghosts : {Ghosts::across_faces, Ghosts::all_around})
        for (int from = 0; from < cut.ranks(); ++from)
            for (const Piece& out : sent(cut, from, reach, ghosts)) {
                int found = 0;
                for (const Piece& in : received(cut, out.rank, reach, ghosts))
                    if (in.rank == from) {
                        EXPECT_EQ(in.box, out.box);
                        ++found;
                    }
                EXPECT_EQ(found, 1);
            }
}

}  // namespace
}  // namespace gridmark::ranks
