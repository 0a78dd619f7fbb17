// The declared traffic, counted.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/heat/versions.hpp"

namespace gridmark::heat_tests {
namespace {

/// How many values of temperature and beta a step depends on, and how many it writes: found by changing one
/// at a time.
int values_moved(const Version<double>& version, const Problem& p) {
    const Layout layout = version.layout(p);
    const auto start = heat::random_start<double>(p, 1, 0.05);
    auto now = heat::store<double>(p, layout, start.t0);
    auto beta = start.beta;
    const double unwritten = 99;
    const auto run = [&] {
        Storage<double> next(layout.size(), unwritten);
        version.step(p, now, beta, next);
        return next;
    };
    const auto before = run();
    int moved = static_cast<int>(before.size()) -
                static_cast<int>(std::count(before.begin(), before.end(), unwritten));
    const auto count = [&](auto& values) {
        for (double& value : values) {
            const double kept = std::exchange(value, value * 1.5 + 1);
            moved += run() != before;
            value = kept;
        }
    };
    count(now);
    count(beta);
    return moved;
}

// The least traffic: every temperature and every beta read once, every new temperature written once, and the
// two layers of the six faces read.
TEST(Cost, ValuesReadAndWritten) {
    const Problem p = heat::tissue(9, 8, 7);
    const int points = 9 * 8 * 7, faces = 2 * 2 * (9 * 8 + 8 * 7 + 7 * 9);
    EXPECT_EQ(values_moved(naive<double>(1), p), 3 * points + faces);
    EXPECT_EQ(values_moved(blocked<double>(nullptr, {{8, 8, 8}, {4, 4, 4}, false}, 1), p),
              3 * points + faces);
}

TEST(Cost, BytesPerPoint) {
    EXPECT_EQ(heat::bytes_per_point<float>, 12);
    EXPECT_EQ(heat::bytes_per_point<double>, 24);
}

}  // namespace
}  // namespace gridmark::heat_tests
