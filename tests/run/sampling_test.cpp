// When sampling stops. No test looks at how long anything took.

#include "harness/run/sampling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace gridmark::harness {
namespace {

/// Gives samples by a rule, counts what it was asked for, and has a clock of its own.
class Fake final : public Sampler {
  public:
    Fake(std::size_t size, double (*value)(std::size_t thing, int round), double seconds_a_round = 0)
        : size_(size), value_(value), seconds_(seconds_a_round) {}
    std::size_t size() const override { return size_; }
    std::vector<std::vector<double>> rounds(int count) override {
        std::vector<std::vector<double>> result;
        for (int k = 0; k < count; ++k, ++round) {
            result.emplace_back();
            for (std::size_t thing = 0; thing < size_; ++thing)
                result.back().push_back(value_(thing, round));
        }
        return result;
    }
    Sampled sampled(const Protocol& protocol) {
        return sample(*this, protocol, [this] { return seconds_ * round; });
    }
    int round = 0;

  private:
    std::size_t size_;
    double (*value_)(std::size_t, int);
    double seconds_;
};

double still(std::size_t thing, int) {
    return 1.0 + static_cast<double>(thing);
}
double jumping(std::size_t, int round) {
    return round % 2 == 0 ? 1 : 2;
}
double one_jumps(std::size_t thing, int round) {
    return thing == 1 ? jumping(thing, round) : 1;
}
/// Settles after twenty rounds.
double settling(std::size_t, int round) {
    return round < 20 ? 1 + round % 3 : 2;
}

Protocol protocol_of(double budget, int most) {
    return {.processes = 1,
            .budget_seconds = budget,
            .warm_up_seconds = 0,
            .relative_width = 0.01,
            .most_samples = most};
}

TEST(Sample, StopsWhenTheIntervalIsNarrow) {
    Fake fake(2, still);
    const Sampled sampled = fake.sampled(protocol_of(1000, 60));
    EXPECT_EQ(sampled.stopped, "interval");
    EXPECT_EQ(fake.round, 9);
    EXPECT_EQ(sampled.samples,
              (std::vector<std::vector<double>>{std::vector<double>(9, 1.0), std::vector<double>(9, 2.0)}));
}

TEST(Sample, GoesOnUntilEveryIntervalIsNarrow) {
    Fake fake(3, one_jumps);
    EXPECT_EQ(fake.sampled(protocol_of(1000, 45)).stopped, "limit");
    Fake slow(1, settling);
    const Sampled sampled = slow.sampled(protocol_of(1000, 200));
    EXPECT_EQ(sampled.stopped, "interval");
    EXPECT_GT(slow.round, 20);
    EXPECT_LT(slow.round, 200);
}

TEST(Sample, StopsAtTheLimit) {
    for (int most : {9, 18, 20, 60}) {
        Fake fake(1, jumping);
        const Sampled sampled = fake.sampled(protocol_of(1000, most));
        EXPECT_EQ(sampled.stopped, "limit");
        EXPECT_EQ(sampled.samples[0].size(), static_cast<std::size_t>(most));
    }
}

TEST(Sample, StopsWhenTheBudgetIsUsedUp) {
    Fake fake(2, jumping, 2e-3);
    const Sampled sampled = fake.sampled(protocol_of(1e-3, 100000));
    EXPECT_EQ(sampled.stopped, "budget");
    EXPECT_EQ(sampled.samples[0].size(), 9U);
}

TEST(Sample, UsesTheSteadyClockWhereNoneIsGiven) {
    Fake fake(1, jumping);
    EXPECT_EQ(sample(fake, protocol_of(1e-9, 1000)).stopped, "budget");
}

// The budget is one per thing: ten of them may take ten times as long.
TEST(Sample, GivesEveryThingABudget) {
    Fake fake(1000, jumping, 1e-3);  // 9 ms a look, 0.1 s for all of them
    const Sampled sampled = fake.sampled(protocol_of(1e-4, 100000));
    EXPECT_EQ(sampled.stopped, "budget");
    EXPECT_GT(sampled.samples[0].size(), 9U);
}

TEST(Sample, NeverTakesFewerThanTheLeast) {
    Fake none(1, jumping);
    EXPECT_EQ(none.sampled(protocol_of(0, 60)).samples[0].size(), 9U) << "no budget at all";
    Fake few(1, jumping);
    EXPECT_GE(few.sampled(protocol_of(1000, 3)).samples[0].size(), 9U) << "a limit below the least";
    Protocol many = protocol_of(0, 60);
    many.least_samples = many.fewest_samples = 30;
    Fake still_many(1, still);
    EXPECT_GE(still_many.sampled(many).samples[0].size(), 30U);
}

// Where a sample takes minutes, nine of each process are too many.
TEST(Sample, TakesNoMoreThanAFewWhereFewAreTheLeast) {
    for (const int least : {3, 4}) {
        Protocol few = protocol_of(0, 60);
        few.least_samples = few.fewest_samples = least;
        Fake fake(2, jumping);
        const Sampled sampled = fake.sampled(few);
        EXPECT_EQ(sampled.stopped, "budget");
        EXPECT_EQ(fake.round, least);
    }
}

// Between the fewest and the least samples the budget decides.
TEST(Sample, StopsShortOfTheLeastOnlyWhenTheBudgetIsUsedUp) {
    Protocol protocol = protocol_of(1000, 60);
    protocol.fewest_samples = 3;
    Fake cheap(1, still);
    EXPECT_EQ(cheap.sampled(protocol).stopped, "interval");
    EXPECT_EQ(cheap.round, 9) << "a narrow interval of three samples proves little";
    protocol.budget_seconds = 5e-3;
    Fake dear(1, jumping, 4e-3);  // 12 ms for three
    EXPECT_EQ(dear.sampled(protocol).stopped, "budget");
    EXPECT_EQ(dear.round, 3);
    protocol.budget_seconds = 18e-3;
    Fake between(1, jumping, 4e-3);
    EXPECT_EQ(between.sampled(protocol).stopped, "budget");
    EXPECT_EQ(between.round, 6) << "12 ms of 18 do not use the budget up";
}

TEST(Sample, KeepsTheOrderAndEqualCounts) {
    Fake fake(3, [](std::size_t thing, int round) { return 1 + 10.0 * static_cast<double>(thing) + round; });
    const Sampled sampled = fake.sampled(protocol_of(1000, 30));
    ASSERT_EQ(sampled.samples.size(), 3U);
    for (std::size_t thing = 0; thing < 3; ++thing) {
        ASSERT_EQ(sampled.samples[thing].size(), 30U);
        for (std::size_t round = 0; round < 30; ++round)
            ASSERT_EQ(sampled.samples[thing][round],
                      1 + 10.0 * static_cast<double>(thing) + static_cast<double>(round));
    }
}

TEST(IterationsFor, FillTheTarget) {
    EXPECT_EQ(iterations_for(1e-3, 5e-3, 100), 5);
    EXPECT_EQ(iterations_for(1e-3, 5.5e-3, 100), 6) << "no shorter than asked";
    EXPECT_EQ(iterations_for(1, 5e-3, 100), 1) << "at least one";
    EXPECT_EQ(iterations_for(1e-9, 5e-3, 100), 100) << "at most so many";
    EXPECT_EQ(iterations_for(0, 5e-3, 100), 100) << "too fast to see";
    EXPECT_EQ(iterations_for(std::nan(""), 5e-3, 100), 100);
    EXPECT_EQ(iterations_for(std::numeric_limits<double>::infinity(), 5e-3, 100), 1);
}

}  // namespace
}  // namespace gridmark::harness
