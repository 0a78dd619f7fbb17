#include "harness/run/schedule.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

TEST(Schedule, BeginsWithWhatIsDeclared) {
    const Schedule schedule({60, 120});
    EXPECT_DOUBLE_EQ(schedule.total(), 180);
    EXPECT_DOUBLE_EQ(schedule.left(0), 180);
    EXPECT_DOUBLE_EQ(schedule.share(0), 0);
    EXPECT_DOUBLE_EQ(Schedule({}).left(0), 0);
    EXPECT_DOUBLE_EQ(Schedule({}).share(0), 0);
}

TEST(Schedule, KeepsToADeclaredPace) {
    Schedule schedule({60, 120});
    schedule.begin(0, 0);
    schedule.reach(30, 0.5, 0.5);
    EXPECT_DOUBLE_EQ(schedule.left(30), 150);
    EXPECT_DOUBLE_EQ(schedule.share(30), 30.0 / 180);
    schedule.begin(60, 0);
    EXPECT_DOUBLE_EQ(schedule.left(60), 120);
    schedule.reach(180, 1, 1);
    EXPECT_DOUBLE_EQ(schedule.left(180), 0);
    EXPECT_DOUBLE_EQ(schedule.share(180), 1);
}

TEST(Schedule, FollowsAMachineThatIsSlower) {
    Schedule schedule({60, 120});
    schedule.begin(0, 0);
    schedule.reach(120, 1, 1);
    // 60 of 180 were done in 120; with the 9 that count as seen: 129 for 69, and 120 to go.
    EXPECT_DOUBLE_EQ(schedule.left(120), 120.0 * 129 / 69);
    EXPECT_GT(schedule.left(120), 2 * 120 * 0.9);
}

TEST(Schedule, LeavesOutWhatAnEarlierRunDid) {
    Schedule schedule({60, 120});
    schedule.begin(0, 0.75);
    EXPECT_DOUBLE_EQ(schedule.total(), 135);
    EXPECT_DOUBLE_EQ(schedule.left(0), 135);
    schedule.reach(15, 1, 1);
    EXPECT_DOUBLE_EQ(schedule.left(15), 120);
}

TEST(Schedule, HoldsWhatComesBeforeAndAfter) {
    Schedule schedule({100}, 6, 20);
    EXPECT_DOUBLE_EQ(schedule.total(), 126);
    EXPECT_DOUBLE_EQ(schedule.left(0), 126);
    EXPECT_DOUBLE_EQ(schedule.left(4), 122);
    EXPECT_DOUBLE_EQ(schedule.share(4), 4.0 / 126);
    EXPECT_DOUBLE_EQ(schedule.left(9), 120) << "it takes longer than declared";
    EXPECT_DOUBLE_EQ(schedule.share(9), 6.0 / 126);
    // Twelve seconds instead of six say nothing of the pace of what follows.
    schedule.begin(12, 0);
    EXPECT_DOUBLE_EQ(schedule.left(12), 120);
    schedule.reach(62, 0.5, 0.5);
    EXPECT_DOUBLE_EQ(schedule.left(62), 70);
    schedule.reach(112, 1, 1);
    EXPECT_DOUBLE_EQ(schedule.left(112), 20);
    EXPECT_DOUBLE_EQ(schedule.share(112), 106.0 / 126);
}

TEST(Schedule, CountsWhatIsMeasuredNowAsItGoesOn) {
    Schedule schedule({100});
    schedule.begin(0, 0);
    schedule.reach(50, 0.5, 0.6);
    EXPECT_DOUBLE_EQ(schedule.left(53), 47);
    EXPECT_DOUBLE_EQ(schedule.share(53), 0.53);
    EXPECT_DOUBLE_EQ(schedule.left(75), 41) << "it takes longer than its share";
    EXPECT_DOUBLE_EQ(schedule.share(75), 0.59);
    EXPECT_DOUBLE_EQ(schedule.left(50), 50);
}

TEST(Minutes, AreWrittenWithSeconds) {
    EXPECT_EQ(minutes(7), "0:07");
    EXPECT_EQ(minutes(59.6), "1:00");
    EXPECT_EQ(minutes(750), "12:30");
}

}  // namespace
}  // namespace gridmark::harness
