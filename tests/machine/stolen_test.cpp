#include "harness/machine/cpu.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

TEST(Stolen, IsAShareOfTheTimeInWhichThereWasSomethingToDo) {
    const auto before = parse_cpu_time("cpu  100 10 20 5000 300 1 2 40 7 8\ncpu0 1 1 1 1 1 1 1 1\n");
    const auto after = parse_cpu_time("cpu  160 10 30 9000 900 1 2 70 7 8\n");
    ASSERT_TRUE(before && after);
    EXPECT_EQ(before.value->wanted, 100 + 10 + 20 + 1 + 2 + 40);
    EXPECT_EQ(before.value->stolen, 40);
    EXPECT_DOUBLE_EQ(stolen_share(before, after).value.value_or(-1), 30.0 / (60 + 10 + 30));
    const auto fallen = parse_cpu_time("cpu  200 10 30 9000 900 1 2 69 7 8\n");
    EXPECT_EQ(stolen_share(after, fallen).value, 0);
}

TEST(Stolen, SaysWhyItIsNotKnown) {
    const auto known_time = parse_cpu_time("cpu  1 1 1 1 1 1 1 1");
    for (const char* text : {"", "cpu 1 2 3 4 5 6 7", "cpu0 1 1 1 1 1 1 1 1", "cpu a b c d e f g h"}) {
        const auto time = parse_cpu_time(text);
        EXPECT_FALSE(time) << text;
        EXPECT_EQ(stolen_share(known_time, time).reason, "the system does not show what its host takes");
        EXPECT_EQ(stolen_share(time, known_time).reason, time.reason);
    }
    EXPECT_FALSE(stolen_share(known_time, known_time)) << "no time has passed";
}

TEST(Stolen, IsReadHere) {
    const auto time = read_cpu_time();
    ASSERT_TRUE(time) << time.reason;
    EXPECT_GT(time.value->wanted, 0);
}

}  // namespace
}  // namespace gridmark::harness
