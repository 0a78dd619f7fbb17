// Where the fields of a process lie in a GPU's memory.

#include "harness/gpu/placement.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "tests/support/faulty_device.hpp"

namespace gridmark::harness {
namespace {

TEST(Placement, DiffersFromProcessToProcessAndIsThatOfTheSeed) {
    std::set<std::vector<std::size_t>> all;
    for (const std::uint64_t seed : {1, 2, 3})
        for (int process = 0; process < 9; ++process) {
            EXPECT_EQ(placement(seed, process), placement(seed, process));
            all.insert(placement(seed, process));
        }
    EXPECT_EQ(all.size(), 27U);
}

TEST(Placement, TakesLittleInPartsThatMoveBothPagesAndWhatLiesInOne) {
    std::set<std::size_t> pages, parts;
    for (int process = 0; process < 200; ++process) {
        const auto sizes = placement(1, process);
        ASSERT_FALSE(sizes.empty());
        EXPECT_LE(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}), std::size_t{130} << 20);
        for (std::size_t k = 0; k + 1 < sizes.size(); ++k)
            EXPECT_EQ(sizes[k], std::size_t{2} << 20);
        EXPECT_EQ(sizes.back() % 512, 0U);
        pages.insert(sizes.size());
        parts.insert(sizes.back());
    }
    EXPECT_GT(pages.size(), 50U);
    EXPECT_GT(parts.size(), 150U);
}

TEST(Placement, IsTakenWholeOrNotAtAll) {
    tests::FaultyDevice device({.refused_allocation = 3});
    const auto taken = place(device, {3, 5});
    ASSERT_EQ(taken.size(), 2U);
    EXPECT_EQ(taken[1].size(), 5U);
    EXPECT_TRUE(place(device, {3, 5}).empty());
}

}  // namespace
}  // namespace gridmark::harness
