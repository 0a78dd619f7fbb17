// What streamed versions share beside their streams: the deepest slab that fits, and layers in a ring.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/fitting.hpp"
#include "kernels/launch/streams.hpp"

namespace gridmark {
namespace {

TEST(LargestThatFits, IsFoundWhereverItLies) {
    for (int low = 1; low < 6; ++low)
        for (int high = low; high < 40; ++high)
            for (int wanted = low; wanted <= high; ++wanted)
                ASSERT_EQ(largest_that_fits(low, high, [&](int n) { return n <= wanted; }), wanted)
                    << low << " to " << high;
    const std::size_t most = static_cast<std::size_t>(-1);
    EXPECT_EQ(largest_that_fits(std::size_t{1}, most, [&](std::size_t) { return true; }), most);
}

std::string pieces(int first, int count, int ring, int shift) {
    std::string all;
    launch::for_pieces(first, count, ring, shift, [&](int layer, int place, int some) {
        all += std::to_string(layer) + "@" + std::to_string(place) + "x" + std::to_string(some) + " ";
    });
    return all;
}

TEST(Pieces, OfARingEndWhereItEnds) {
    EXPECT_EQ(pieces(3, 4, 10, 0), "3@3x4 ");
    EXPECT_EQ(pieces(7, 3, 10, 0), "7@7x3 ") << "up to its end";
    EXPECT_EQ(pieces(7, 4, 10, 0), "7@7x3 10@0x1 ");
    EXPECT_EQ(pieces(17, 4, 10, 2), "17@9x1 18@0x3 ");
    EXPECT_EQ(pieces(0, 25, 10, 0), "0@0x10 10@0x10 20@0x5 ");
    EXPECT_EQ(pieces(5, 0, 10, 0), "");
}

}  // namespace
}  // namespace gridmark
