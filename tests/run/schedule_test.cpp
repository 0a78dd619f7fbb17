#include "harness/run/schedule.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

TEST(Schedule, BeginsWithWhatIsDeclared) {
    const Schedule schedule({60, 120});
    EXPECT_DOUBLE_EQ(schedule.total(), 180);
    EXPECT_DOUBLE_EQ(schedule.left(0), 180);
    EXPECT_DOUBLE_EQ(Schedule({}).left(0), 0);
}

TEST(Schedule, KeepsToADeclaredPace) {
    Schedule schedule({60, 120});
    schedule.begin(0);
    schedule.reach(0.5);
    EXPECT_DOUBLE_EQ(schedule.left(30), 150);
    schedule.begin(0);
    EXPECT_DOUBLE_EQ(schedule.left(60), 120);
    schedule.reach(1);
    EXPECT_DOUBLE_EQ(schedule.left(180), 0);
}

TEST(Schedule, FollowsAMachineThatIsSlower) {
    Schedule schedule({60, 120});
    schedule.begin(0);
    schedule.reach(1);
    // 60 of 180 were done in 120; with the 9 that count as seen: 129 for 69, and 120 to go.
    EXPECT_DOUBLE_EQ(schedule.left(120), 120.0 * 129 / 69);
    EXPECT_GT(schedule.left(120), 2 * 120 * 0.9);
}

TEST(Schedule, LeavesOutWhatAnEarlierRunDid) {
    Schedule schedule({60, 120});
    schedule.begin(0.75);
    EXPECT_DOUBLE_EQ(schedule.total(), 135);
    EXPECT_DOUBLE_EQ(schedule.left(0), 135);
    schedule.reach(1);
    EXPECT_DOUBLE_EQ(schedule.left(15), 120);
}

TEST(Minutes, AreWrittenWithSeconds) {
    EXPECT_EQ(minutes(7), "0:07");
    EXPECT_EQ(minutes(59.6), "1:00");
    EXPECT_EQ(minutes(750), "12:30");
}

}  // namespace
}  // namespace gridmark::harness
