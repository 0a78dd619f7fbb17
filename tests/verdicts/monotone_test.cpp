// A verdict follows what was measured: moved across its bounds it goes from one end to the other, never back,
// and the same claim the other way round has the same verdict.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

/// A measured ratio, narrow or wide, give or take a factor.
LabelledRatio around(double middle, double width) {
    return {"p", {middle, {middle / width, middle * width}}};
}

/// Verdicts of a claim while its ratio moves from a quarter to four, each once where it stays.
template <class Decide>
std::vector<Verdict> verdicts_on_the_way(double width, const Decide& decide) {
    std::vector<Verdict> found;
    for (int step = 0; step <= 4000; ++step) {
        const Verdict verdict = decide(around(0.25 * std::pow(16.0, step / 4000.0), width)).verdict;
        if (found.empty() || found.back() != verdict) found.push_back(verdict);
    }
    return found;
}

constexpr Verdict no = Verdict::not_reproduced, open = Verdict::inconclusive, trend = Verdict::trend_only,
                  yes = Verdict::reproduced;
using Way = std::vector<Verdict>;

TEST(VerdictOnTheWay, OfAnOrderingNeverGoesBack) {
    const auto ordering = [](double tolerance, bool or_equal) {
        return [=](const LabelledRatio& ratio) { return decide_ordering({ratio}, tolerance, or_equal); };
    };
    // Just above 1, by less than the tolerance, is a trend where an interval is narrow enough to lie there.
    EXPECT_EQ(verdicts_on_the_way(1.001, ordering(0.02, false)), (Way{no, open, trend, open, yes}));
    EXPECT_EQ(verdicts_on_the_way(1.2, ordering(0.02, false)), (Way{no, open, yes}));
    EXPECT_EQ(verdicts_on_the_way(1.001, ordering(0, false)), (Way{no, open, yes}));
    EXPECT_EQ(verdicts_on_the_way(1.001, ordering(0.02, true)), (Way{no, open, yes}));
}

TEST(VerdictOnTheWay, OfAnOrderingWithASizeNeverGoesBack) {
    const auto sized = [](const LabelledRatio& ratio) {
        return hold_to_size(decide_ordering({ratio}, 0.02), {ratio}, 1.5);
    };
    EXPECT_EQ(verdicts_on_the_way(1.001, sized), (Way{no, open, trend, open, trend, open, yes}));
    EXPECT_EQ(verdicts_on_the_way(1.1, sized), (Way{no, open, trend, open, yes}));
}

TEST(VerdictOnTheWay, OfARatioGoesOnceThroughItsBand) {
    const auto ratio = [](double published) {
        return [=](const LabelledRatio& measured) { return decide_ratio(measured.ratio, published, 0.1); };
    };
    const Way through{no, open, trend, open, yes, open, trend};
    EXPECT_EQ(verdicts_on_the_way(1.001, ratio(2)), through);
    EXPECT_EQ(verdicts_on_the_way(1.001, ratio(0.5)), Way(through.rbegin(), through.rend()));
    EXPECT_EQ(verdicts_on_the_way(1.001, ratio(1)), (Way{no, open, yes, open, no}));
    EXPECT_EQ(verdicts_on_the_way(1.15, ratio(2)), (Way{no, open, trend, open, trend}))
        << "wider than the band";
}

TEST(VerdictOnTheWay, OfARangeGoesOnceThroughIt) {
    const auto range = [](double low, double high) {
        return [=](const LabelledRatio& ratio) { return decide_range({ratio}, {low, high}, 0.1); };
    };
    const Way through{no, open, trend, open, yes, open, trend};
    EXPECT_EQ(verdicts_on_the_way(1.001, range(1.5, 2)), through);
    EXPECT_EQ(verdicts_on_the_way(1.001, range(0.5, 0.75)), Way(through.rbegin(), through.rend()));
    // Where the band reaches 1, the side alone bounds it.
    EXPECT_EQ(verdicts_on_the_way(1.001, range(1.05, 2)), (Way{no, open, yes, open, trend}));
}

TEST(VerdictOnTheWay, OfAValueGoesOnceThroughItsBand) {
    const auto absolute = [](const LabelledRatio& measured) {
        return decide_absolute({{"", measured.ratio.interval, measured.ratio.value}}, 2, 0.1, "us");
    };
    EXPECT_EQ(verdicts_on_the_way(1.001, absolute), (Way{no, open, yes, open, no}));
}

TEST(VerdictOnTheWay, OfTheLeastGoesFromItToAnother) {
    const auto least = [](bool most) {
        return [=](const LabelledRatio& other) {
            const Interval& i = other.ratio.interval;
            return decide_optimum({{"a", {0.99, 1.01}, 1}, {"b", i, other.ratio.value}}, "a", 0.02, "us",
                                  most);
        };
    };
    EXPECT_EQ(verdicts_on_the_way(1.01, least(false)), (Way{no, open, yes}));
    EXPECT_EQ(verdicts_on_the_way(1.01, least(true)), (Way{yes, open, no}));
}

// "A is faster by 2" and "B is slower by 2" are one claim.
TEST(VerdictTheOtherWayRound, IsTheSame) {
    for (const double published : {0.5, 1.0, 2.0})
        for (const double width : {1.0, 1.001, 1.15})
            for (double middle = 0.25; middle < 4; middle *= 1.03) {
                const Ratio ratio = around(middle, width).ratio,
                            other{1 / middle, {1 / ratio.interval.high, 1 / ratio.interval.low}};
                // The band of the inverse reaches from 1/1.1 to 1/0.9: where both agree it is no matter of
                // it.
                const Verdict one = decide_ratio(ratio, published, 0.1).verdict,
                              two = decide_ratio(other, 1 / published, 0.1).verdict;
                if (published != 1) {
                    EXPECT_EQ(one == no, two == no) << middle << " of " << published;
                }
                EXPECT_EQ(decide_range({{"p", ratio}}, {1.5, 2}, 0).verdict,
                          decide_range({{"p", other}}, {1 / 2.0, 1 / 1.5}, 0).verdict)
                    << middle;
            }
}

TEST(VerdictOfPairs, DoesNotDependOnTheirOrder) {
    std::vector<LabelledRatio> pairs{around(0.8, 1.01), around(1.3, 1.01), around(1.0, 1.1),
                                     around(1.4, 1.01), around(1.9, 1.2),  around(1.01, 1.001)};
    const Decision ordering = decide_ordering(pairs, 0.02), range = decide_range(pairs, {1.2, 1.5}, 0.1);
    std::sort(pairs.begin(), pairs.end(),
              [](const auto& a, const auto& b) { return a.ratio.value < b.ratio.value; });
    do {
        const Decision one = decide_ordering(pairs, 0.02), two = decide_range(pairs, {1.2, 1.5}, 0.1);
        ASSERT_EQ(one.verdict, ordering.verdict);
        ASSERT_EQ(two.verdict, range.verdict);
        ASSERT_EQ(one.interval, ordering.interval);
        ASSERT_EQ(one.measured, ordering.measured);
        ASSERT_EQ(two.because, range.because);
    } while (std::next_permutation(pairs.begin(), pairs.end(), [](const auto& a, const auto& b) {
        return a.ratio.value < b.ratio.value;
    }));
    EXPECT_EQ(ordering.measured, "0.80 to 1.90 over 6 pairs");
    EXPECT_EQ(*ordering.interval, (Interval{0.8 / 1.01, 1.9 * 1.2}));
}

// One more pair on the claim's side takes no verdict down, and one more on the other side takes none up. What
// is open may become either: it is left open also where nothing disagrees yet.
TEST(VerdictOfPairs, FollowsWhatIsAddedToThem) {
    const LabelledRatio agreeing = around(1.6, 1.01), other = around(0.6, 1.01), undecided = around(1, 1.1);
    const auto added = [](std::vector<LabelledRatio> pairs, const LabelledRatio& one) {
        pairs.push_back(one);
        return pairs;
    };
    for (const bool range : {false, true}) {
        const auto verdict = [&](const std::vector<LabelledRatio>& pairs) {
            return (range ? decide_range(pairs, {1.5, 1.7}, 0.05) : decide_ordering(pairs, 0.02)).verdict;
        };
        for (std::size_t k = 1; k < 5 * 5 * 3; ++k) {
            std::vector<LabelledRatio> pairs(k % 5, agreeing);
            pairs.insert(pairs.end(), k / 5 % 5, other);
            pairs.insert(pairs.end(), k / 25, undecided);
            SCOPED_TRACE(testing::Message() << k << (range ? " range" : " ordering"));
            const Verdict before = verdict(pairs), up = verdict(added(pairs, agreeing)),
                          down = verdict(added(pairs, other));
            if (before == yes || before == trend) {
                EXPECT_EQ(up, before);
            }
            EXPECT_FALSE(before != no && up == no);
            EXPECT_FALSE(before == no && down != no);
            EXPECT_NE(down, yes);
            EXPECT_NE(verdict(added(pairs, undecided)), yes);
        }
    }
}

TEST(TheFarthestOfARange, IsNamedWhereverItStandsAndOnlyWhereOneIs) {
    const auto because = [](const std::vector<double>& ratios) {
        std::vector<LabelledRatio> pairs;
        for (const double ratio : ratios)
            pairs.push_back(around(ratio, 1.01));
        const std::string text = decide_range(pairs, {2, 4}, 0.05).because;
        return text.substr(std::min(text.find("other") + 5, text.size()));
    };
    for (const auto& ratios : std::vector<std::vector<double>>{{1.2, 12, 3}, {12, 1.2, 3}, {3, 12, 1.2, 5}})
        EXPECT_EQ(because(ratios), "; the farthest 3.00 times the published ratio");
    EXPECT_EQ(because({5, 1.2, 3}), "; the farthest 0.600 of the published ratio")
        << "below by more than above";
    EXPECT_EQ(because({3, 3, 0.5}), "") << "none lies outside on this side";
}

// --- ends that lie on a bound

Verdict ratio_verdict(double low, double high, double published) {
    return decide_ratio({(low + high) / 2, {low, high}}, published, 0.1).verdict;
}

TEST(EndsOnABound, OfOneLieOnNeitherSide) {
    for (const auto& [low, high] : {std::pair{1.0, 1.5}, {0.8, 1.0}, {1.0, 1.0}})
        for (const double published : {2.0, 0.5}) {
            EXPECT_EQ(ratio_verdict(low, high, published), open) << low << " " << high << " " << published;
            EXPECT_EQ(decide_range({{"p", {1, {low, high}}}}, {published, published}, 0.1).verdict, open)
                << low << " " << high << " " << published;
            EXPECT_EQ(decide_ordering({{"p", {1, {low, high}}}}, 0.02).verdict, open) << low << " " << high;
        }
}

TEST(EndsOnABound, OfABandThatTheyOnlyMeetAreOpen) {
    EXPECT_EQ(decide_absolute({{"", {2.5, 3}, 2.7}}, 2, 0.25, "us").verdict, open);
    EXPECT_EQ(decide_absolute({{"", {1, 1.5}, 1.2}}, 2, 0.25, "us").verdict, open);
    EXPECT_EQ(decide_ratio({2.7, {2.5, 3}}, 2, 0.25).verdict, open);
    EXPECT_EQ(decide_ratio({1.3, {1.2, 1.5}}, 2, 0.25).verdict, open);
    EXPECT_EQ(decide_ratio({1.3, {1.2, 1.5}}, 2, 0.25).because,
              "the interval crosses 1.50, an end of the band around 2");
    EXPECT_EQ(decide_ratio({2, {1.2, 3}}, 2, 0.25).because,
              "the interval crosses 2.50, an end of the band around 2");
}

TEST(EndsOnABound, OfASizeAreNotShownToLieBelow) {
    const auto sized = [](double low, double high) {
        const std::vector<LabelledRatio> pairs{{"p", {2, {low, high}}}};
        return hold_to_size(decide_ordering(pairs, 0.02), pairs, 2).verdict;
    };
    EXPECT_EQ(sized(1.5, 2), open);
    EXPECT_EQ(sized(1.5, 1.999), trend);
    EXPECT_EQ(sized(2, 3), open);
}

TEST(EndsOnABound, OfAnOrderingsToleranceCannotAgree) {
    // The interval ends on the bound: no sample in it lies above.
    EXPECT_EQ(decide_ordering({{"p", {1.1, {1.05, 1.25}}}}, 0.25).verdict, trend);
    EXPECT_EQ(decide_ordering({{"p", {0.7, {0.6, 0.75}}}}, 0.25, true).verdict, open)
        << "nor does it lie below";
}

TEST(EndsOnABound, OfTheToleranceAreATie) {
    const auto verdict = [](double high, double low) {
        return decide_optimum({{"a", {1, high}, 1}, {"b", {low, 100}, 50}}, "a", 0.25, "us").verdict;
    };
    EXPECT_EQ(verdict(8, 10), open) << "by 25 % and no more";
    EXPECT_EQ(verdict(8, 10.01), yes);
    EXPECT_EQ(verdict(8, 9), open) << "the tolerance is a share and not a number";
}

}  // namespace
}  // namespace gridmark::harness
