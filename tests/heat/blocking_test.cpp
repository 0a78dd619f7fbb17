// Blocks from caches.

#include <gtest/gtest.h>

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
            for (const Caches& caches :
                 {i7_920, Caches{48 << 10, 2 << 20, 300 << 20}, Caches{64 << 10, 0, 4 << 20}}) {
                SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(value) + " bytes, L3 " +
                             std::to_string(caches.l3));
                const auto p = heat::tissue(n, n, n);
                const Blocking b = heat::choose_blocking(p, value, caches);
                const auto v = static_cast<double>(value);
                EXPECT_LE(bytes(b.outer, v, 3), 0.5 * static_cast<double>(caches.l3) * 1.25);  // whole lines
                EXPECT_LE(5 * v * b.inner.x * (b.inner.y + 4), static_cast<double>(caches.l1) * 1.05);
                EXPECT_LE(b.inner.x, b.outer.x);
                EXPECT_LE(b.inner.y, b.outer.y);
                EXPECT_EQ(b.inner.z, b.outer.z);
                EXPECT_EQ(b.outer.x * value % 64, 0U);
                EXPECT_EQ(b.inner.x * value % 64, 0U);
            }
}

// Parts are as even as lines allow: no thin rest at the end.
TEST(Blocking, IsEven) {
    const auto p = heat::tissue(256, 256, 256);
    const Blocking b = heat::choose_blocking(p, 4, i7_920);
    EXPECT_EQ(b.outer.x, 64);
    EXPECT_EQ(b.outer.y, 64);
    EXPECT_EQ(b.outer.z, 64);
}

// New values bypass the caches where the next step would not find them there.
TEST(Blocking, StreamsWhereTheGridExceedsTheL3) {
    EXPECT_TRUE(heat::choose_blocking(heat::tissue(256, 256, 256), 4, i7_920).streaming);
    EXPECT_FALSE(heat::choose_blocking(heat::tissue(64, 64, 64), 4, i7_920).streaming);
    EXPECT_FALSE(
        heat::choose_blocking(heat::tissue(256, 256, 256), 4, {48 << 10, 2 << 20, 300 << 20}).streaming);
}

TEST(Blocking, NeedsNoKnownCaches) {
    const Blocking b = heat::choose_blocking(heat::tissue(200, 10, 1), 4, {0, 0, 0});
    EXPECT_GT(b.outer.x * b.outer.y * b.outer.z, 0);
    EXPECT_GT(b.inner.x * b.inner.y * b.inner.z, 0);
}

}  // namespace
}  // namespace gridmark::heat_tests
