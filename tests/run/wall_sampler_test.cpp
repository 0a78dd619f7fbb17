// In which order the wall clock takes its samples. No test looks at how long anything took.

#include <gtest/gtest.h>

#include "harness/run/samplers.hpp"

namespace gridmark::harness {
namespace {

/// Writes its letter whenever it is iterated.
class Letter final : public Work {
  public:
    Letter(char letter, std::string& text) : letter_(letter), text_(text) {}
    Verification verify() override { return {"nothing", 0, 0, 1}; }
    void iterate(int) override { text_ += letter_; }

  private:
    char letter_;
    std::string& text_;
};

TEST(WallSampler, TakesTurnsSoThatNoneFollowsItselfNorAlwaysTheSame) {
    std::string text;
    Letter a('a', text), b('b', text), c('c', text);
    const Series series{Series::Clock::wall};
    std::vector<Timed> members{{&a, series, 1}, {&b, series, 1}, {&c, series, 1}};
    Protocol protocol;
    protocol.warm_up_seconds = 0;
    const auto sampler = make_sampler(Series::Clock::wall, members, nullptr, protocol);
    text.clear();
    const auto rounds = sampler->rounds(3);
    EXPECT_EQ(text, "abcacbabc");
    for (const auto& round : rounds)
        EXPECT_EQ(round.size(), 3U);
    text.clear();
    sampler->rounds(1);
    EXPECT_EQ(text, "acb") << "and goes on where it was";
}

}  // namespace
}  // namespace gridmark::harness
