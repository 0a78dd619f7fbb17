// How a grid is cut: into blocks from caches, into tiles of several steps, and into the marches of a GPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/heat/blocking.hpp"
#include "kernels/heat/march_layers.hpp"
#include "kernels/heat/wavefront.hpp"

namespace gridmark::heat_tests {
namespace {

using heat::Blocking;
using heat::Caches;
using heat::march_layers;
using heat::Wavefront;

constexpr Caches i7_920{32 << 10, 256 << 10, 8 << 20};

double bytes(const heat::Extent& e, double value_bytes, double arrays) {
    return arrays * value_bytes * e.x * e.y * e.z;
}

TEST(Blocking, FitsTheCaches) {
    for (const int n : {37, 64, 256, 500})
        for (const std::size_t value : {sizeof(float), sizeof(double)})
            for (const int threads : {1, 4, 16})
                for (const Caches& caches :
                     {i7_920, Caches{48 << 10, 2 << 20, 300 << 20}, Caches{64 << 10, 512 << 10, 4 << 20}}) {
                    SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(value) + " bytes, L3 " +
                                 std::to_string(caches.l3));
                    const auto p = heat::tissue(n, n, n);
                    const Blocking b = heat::choose_blocking(p, value, caches, threads);
                    const auto v = static_cast<double>(value);
                    if (b.outer.y < n || b.outer.z < n) {
                        EXPECT_LE(bytes(b.outer, v, 3), 0.5 * static_cast<double>(caches.l3));
                    } else {
                        EXPECT_LE(bytes({n, n, n}, v, 3), static_cast<double>(caches.l3));
                    }
                    EXPECT_LE(11 * v * b.inner.x, static_cast<double>(caches.l1));
                    EXPECT_LE(5 * v * b.inner.x * (b.inner.y + 4), 0.5 * static_cast<double>(caches.l2));
                    EXPECT_LE(b.inner.x, b.outer.x);
                    EXPECT_LE(b.inner.y, b.outer.y);
                    EXPECT_EQ(b.inner.z, b.outer.z);
                    EXPECT_GE(b.outer.z, std::min(n, 30));
                    EXPECT_EQ(b.outer.x * value % 64, 0U);
                    EXPECT_EQ(b.inner.x * value % 64, 0U);
                }
}

// As many blocks as the threads can share evenly, also where one block would fit the cache.
TEST(Blocking, HasWorkForAllThreads) {
    const Caches large{48 << 10, 2 << 20, 300 << 20};
    for (const int n : {32, 64, 512})
        for (const int threads : {1, 2, 8, 16}) {
            const Blocking b = heat::choose_blocking(heat::tissue(n, n, n), 4, large, threads);
            EXPECT_EQ((b.outer.y + b.inner.y - 1) / b.inner.y % threads, 0) << n << ", " << threads;
        }
}

TEST(Blocking, OfTheLargeGridsOfTheStudy) {
    const Blocking small_cache = heat::choose_blocking(heat::tissue(256, 256, 256), 4, i7_920, 4);
    EXPECT_EQ(small_cache.outer.x, 256);
    EXPECT_EQ(small_cache.outer.y, 37);  // seven even parts
    EXPECT_EQ(small_cache.outer.z, 32);
    const Blocking large_cache =
        heat::choose_blocking(heat::tissue(512, 512, 512), 4, {48 << 10, 2 << 20, 300 << 20}, 16);
    EXPECT_EQ(large_cache.outer.y, 512);
    EXPECT_EQ(large_cache.outer.z, 47);
    EXPECT_EQ(large_cache.inner.y, 32);
}

// Rows longer than the L1 allows are cut into even parts.
TEST(Blocking, CutsLongRows) {
    const Blocking b = heat::choose_blocking(heat::tissue(4000, 8, 8), 4, i7_920, 1);
    EXPECT_EQ(b.inner.x, 672);  // six parts of 667, in whole lines
    EXPECT_EQ(b.outer.x, 4000);
}

// New values bypass the caches where the next step would not find them there.
TEST(Blocking, StreamsWhereTheGridExceedsTheL3) {
    const auto streaming = [](int n, const Caches& caches) {
        return heat::choose_blocking(heat::tissue(n, n, n), 4, caches, 4).streaming;
    };
    EXPECT_TRUE(streaming(256, i7_920));
    EXPECT_FALSE(streaming(64, i7_920));
    EXPECT_FALSE(streaming(256, {48 << 10, 2 << 20, 300 << 20}));
}

/// The bytes of a cube: temperature with its halo, beta and the new temperature.
double of_a_cube(int side, double value_bytes) {
    return value_bytes * (std::pow(side + 4, 3) + 2 * std::pow(side, 3));
}

// The thesis's cubes on its CPU: the largest that fit a cache whole, cut evenly.
TEST(Blocking, OfTheThesisIsCubes) {
    using heat::InnerLevel;
    EXPECT_LE(of_a_cube(84, 4), 8 << 20);
    EXPECT_GT(of_a_cube(88, 4), 8 << 20);
    EXPECT_LE(of_a_cube(12, 4), 32 << 10);
    EXPECT_GT(of_a_cube(16, 4), 32 << 10);
    EXPECT_LE(of_a_cube(24, 4), 256 << 10);
    EXPECT_GT(of_a_cube(28, 4), 256 << 10);
    const auto cubes = [](int n, InnerLevel inner) {
        const Blocking b =
            heat::cubes_of_the_thesis(heat::tissue(n, n, n), 4, heat::caches_of_the_thesis, inner);
        EXPECT_FALSE(b.streaming);
        for (const heat::Extent& e : {b.outer, b.inner})
            EXPECT_TRUE(e.x == e.y && e.y == e.z);
        return std::pair(b.outer.x, b.inner.x);
    };
    EXPECT_EQ(cubes(256, InnerLevel::l1), std::pair(64, 12));
    EXPECT_EQ(cubes(256, InnerLevel::l2), std::pair(64, 24));
    EXPECT_EQ(cubes(32, InnerLevel::l2), std::pair(32, 16));
    EXPECT_EQ(cubes(100, InnerLevel::l2), std::pair(52, 20));
    EXPECT_EQ(cubes(5, InnerLevel::l1), std::pair(8, 8));
    const Blocking in_double =
        heat::cubes_of_the_thesis(heat::tissue(256, 256, 256), 8, heat::caches_of_the_thesis, InnerLevel::l1);
    EXPECT_LE(of_a_cube(in_double.outer.x, 8), 8 << 20);
    EXPECT_LE(of_a_cube(in_double.inner.x, 8), 32 << 10);
}

TEST(Blocking, NeedsNoKnownCaches) {
    const Blocking b = heat::choose_blocking(heat::tissue(200, 10, 1), 4, {0, 0, 0}, 3);
    EXPECT_GT(b.outer.x * b.outer.y * b.outer.z, 0);
    EXPECT_GT(b.inner.x * b.inner.y * b.inner.z, 0);
}

// --- tiles of several steps, from caches

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

// --- into how many layers a march is cut, for an imagined GPU of 132 multiprocessors

TEST(MarchLayers, FillTheGpuOnce) {
    // 128 tiles on 132 places march through all layers; 32 tiles in four parts, 8 in sixteen.
    EXPECT_EQ(march_layers(512, {8, 16}, 132, {8, 8, 512}), 512);
    EXPECT_EQ(march_layers(256, {4, 8}, 132, {8, 8, 256}), 64);
    EXPECT_EQ(march_layers(128, {2, 4}, 132, {8, 8, 128}), 8);
}

TEST(MarchLayers, AreNoLongerThanAsked) {
    EXPECT_EQ(march_layers(512, {4, 64}, 528, {4, 1, 64}), 64);
    EXPECT_EQ(march_layers(256, {2, 32}, 528, {4, 1, 64}), 32);
}

// 133 tiles would need a second wave for one of them: in parts they share it.
TEST(MarchLayers, AvoidsANearlyEmptyWave) {
    EXPECT_LT(march_layers(512, {7, 19}, 132, {8, 8, 512}), 512);
}

TEST(MarchLayers, TakeAnyGrid) {
    for (const int nz : {1, 2, 3, 7, 8, 9, 41, 1000})
        for (const std::size_t resident : {0, 1, 4, 132})
            for (const unsigned columns : {1U, 5U, 1000U}) {
                const int layers = march_layers(nz, {columns, 1}, resident, {8, 8, 64});
                EXPECT_GE(layers, 1);
                EXPECT_LE(layers, std::min(nz, 64));
            }
}

}  // namespace
}  // namespace gridmark::heat_tests
