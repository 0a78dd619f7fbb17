// The order in which things are sampled, and what is launched for a sample.

#include "harness/run/turns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace gridmark::harness {
namespace {

class Turns : public testing::TestWithParam<std::size_t> {};

TEST_P(Turns, GiveEachOneInARound) {
    for (int round = 0; round < 50; ++round) {
        std::vector<std::size_t> order = turns(GetParam(), round), all(GetParam());
        std::iota(all.begin(), all.end(), 0);
        std::sort(order.begin(), order.end());
        EXPECT_EQ(order, all) << round;
    }
}

TEST_P(Turns, LetNoneFollowItself) {
    std::size_t last = GetParam();
    for (int round = 0; round < 100; ++round)
        for (const std::size_t k : turns(GetParam(), round)) {
            EXPECT_NE(k, last) << round;
            last = k;
        }
}

TEST_P(Turns, LetEachFollowEachOtherEquallyOften) {
    const std::size_t members = GetParam(), rounds = members % 2 == 0 ? members : 2 * members;
    if (members == 2) GTEST_SKIP() << "there is one order";
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> followed;
    for (std::size_t round = 0; round < rounds; ++round) {
        const auto order = turns(members, static_cast<int>(round));
        for (std::size_t at = 1; at < order.size(); ++at)
            ++followed[{order[at - 1], order[at]}];
    }
    EXPECT_EQ(followed.size(), members * (members - 1));
    for (const auto& [pair, count] : followed)
        EXPECT_EQ(count, rounds / members) << pair.first << " then " << pair.second;
}

INSTANTIATE_TEST_SUITE_P(Members, Turns, testing::Values(2, 3, 4, 5, 6, 7, 8, 11, 22, 35));

TEST(Turns, OfNoneAndOfOneAreThose) {
    EXPECT_EQ(turns(0, 3), std::vector<std::size_t>{});
    EXPECT_EQ(turns(1, 3), std::vector<std::size_t>{0});
}

/// What is launched for one member.
std::vector<KernelTurn> of(const std::vector<KernelTurn>& all, std::size_t member) {
    std::vector<KernelTurn> result;
    std::copy_if(all.begin(), all.end(), std::back_inserter(result),
                 [&](const KernelTurn& turn) { return turn.member == member; });
    return result;
}

TEST(KernelTurns, AreTheSameForAHotMemberWhateverElseIsMeasured) {
    const KernelMember mine{false, 9}, other{false, 1}, cold{true, 9};
    const auto alone = of(kernel_turns({mine}, 0, 9), 0);
    ASSERT_EQ(alone.size(), 9U);
    EXPECT_EQ(alone[0], (KernelTurn{0, 0, 9, 9, false}));
    EXPECT_EQ(of(kernel_turns({mine, other, cold, other}, 0, 9), 0), alone);
}

TEST(KernelTurns, WarmBothBuffersOfASingleIteration) {
    EXPECT_EQ(kernel_turns({{false, 1}}, 0, 1), (std::vector<KernelTurn>{{0, 0, 2, 1, false}}));
}

TEST(KernelTurns, PutColdOnesBehindAllHotOnes) {
    const auto all = kernel_turns({{true, 3}, {false, 2}, {true, 1}, {false, 4}}, 5, 7);
    EXPECT_EQ(all.size(), 28U);
    EXPECT_TRUE(std::is_partitioned(all.begin(), all.end(), [](const auto& turn) { return !turn.flushed; }));
    for (const KernelTurn& turn : all) {
        EXPECT_EQ(turn.flushed, turn.member == 0 || turn.member == 2);
        if (turn.flushed) EXPECT_EQ(turn.warm, 0);
    }
}

TEST(KernelTurns, GoOnWithTheOrderThatComesNext) {
    const std::vector<KernelMember> four(4, {false, 1});
    auto whole = kernel_turns(four, 0, 3);
    const auto first = kernel_turns(four, 0, 2), then = kernel_turns(four, 2, 1);
    ASSERT_EQ(first.size() + then.size(), whole.size());
    for (std::size_t k = 0; k < then.size(); ++k)
        EXPECT_EQ(then[k].member, whole[first.size() + k].member);
}

}  // namespace
}  // namespace gridmark::harness
