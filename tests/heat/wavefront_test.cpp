// Tiles of several steps, from caches.

#include "kernels/heat/wavefront.hpp"

#include <gtest/gtest.h>

namespace gridmark::heat_tests {
namespace {

using heat::Caches;
using heat::Wavefront;

constexpr Caches server{48 << 10, 2 << 20, 300 << 20};

TEST(Wavefront, FitsTheCacheAndTheKernel) {
    for (const int n : {1, 32, 75, 256, 2000})
        for (const std::size_t value : {sizeof(float), sizeof(double)})
            for (const int threads : {1, 16})
                for (const int steps : {1, 2, 3, 4})
                    for (const Caches& caches : {server, Caches{64 << 10, 1 << 20, 32 << 20}}) {
                        SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(value) + " bytes, " +
                                     std::to_string(steps) + " steps");
                        const auto p = heat::tissue(n, n, 100);
                        const Wavefront w = heat::choose_wavefront(p, value, caches, threads, steps);
                        EXPECT_EQ(w.steps, steps);
                        EXPECT_EQ(w.tile.x * value % 64, 0U);
                        EXPECT_EQ(w.tile.z % 2, 0);
                        EXPECT_GE(w.tile.y, 1);
                        EXPECT_LE(w.tile.y, n);
                        const auto room = heat::tile_room(p, w, value);
                        EXPECT_EQ(room.plane * value / 64 % 2, 1U) << "planes in the same sets";
                        EXPECT_LE(static_cast<double>(room.size() * value),
                                  0.85 * static_cast<double>(caches.l2));
                    }
}

TEST(Wavefront, OfTheLargeGridsOfTheStudy) {
    const auto p = heat::tissue(512, 512, 512);
    const Wavefront three = heat::choose_wavefront(p, 4, server, 16, 3);
    EXPECT_EQ(three.tile.x, 512);
    EXPECT_EQ(three.tile.y, 20);
    EXPECT_TRUE(three.streaming);
    EXPECT_FALSE(heat::choose_wavefront(heat::tissue(256, 256, 256), 4, server, 16, 3).streaming);
    const Wavefront two = heat::choose_wavefront(p, 8, server, 16, 2);
    EXPECT_EQ(two.tile.x, 512);
    EXPECT_EQ(two.tile.y, 16);
}

TEST(Wavefront, NeedsNoKnownCaches) {
    const Wavefront w = heat::choose_wavefront(heat::tissue(5000, 10, 1), 8, {0, 0, 0}, 3, 4);
    EXPECT_EQ(w.tile.x, 64);
    EXPECT_GE(w.tile.y, 1);
    EXPECT_EQ(w.tile.z, 2);
}

// Rims count where the grid goes on, and only there.
TEST(Wavefront, CountsItsRims) {
    const auto p = heat::tissue(32, 20, 10);
    const auto whole = heat::pass_points(p, {3, {32, 20, 10}, false}, 4);
    EXPECT_EQ(whole.computed, 3 * 32 * 20 * 10);
    EXPECT_EQ(whole.read, 32 * 20 * 10);
    const auto halves = heat::pass_points(p, {2, {32, 10, 10}, false}, 4);
    EXPECT_EQ(halves.computed, 32 * 10 * (24 + 20));  // two rows more of each half in the first step
    EXPECT_EQ(halves.read, 32 * 10 * 28);
    const auto columns = heat::pass_points(p, {2, {16, 20, 10}, false}, 4);
    EXPECT_EQ(columns.computed, 20 * 10 * (64 + 32));  // whole lines
}

TEST(Wavefront, TakesTilesAsTheKernelCan) {
    const auto p = heat::tissue(100, 50, 7);
    const auto tile = heat::possible_tile(p, {17, 80, 1000}, 4);
    EXPECT_EQ(tile.x, 32);
    EXPECT_EQ(tile.y, 50);
    EXPECT_EQ(tile.z, 8);
}

}  // namespace
}  // namespace gridmark::heat_tests
