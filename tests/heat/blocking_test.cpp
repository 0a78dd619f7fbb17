// Blocks from caches.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/heat/blocking.hpp"

namespace gridmark::heat_tests {
namespace {

using heat::Blocking;
using heat::Caches;

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

}  // namespace
}  // namespace gridmark::heat_tests
