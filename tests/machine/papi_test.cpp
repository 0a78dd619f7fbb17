#include <gtest/gtest.h>

#include "harness/papi/events.hpp"
#include "harness/papi/papi_counters.hpp"

namespace gridmark::harness {
namespace {

double work() {
    volatile double x = 0;
    for (int i = 0; i < 2000000; ++i)
        x = x + 1;
    return x;
}

TEST(Papi, CountsOrSaysWhyNot) {
    const auto counters = count_events([] { (void)work(); });
    const auto& reasons = counters.at("reasons");
    for (const auto& event : counted_events) {
        EXPECT_EQ(counters.at(event.key).is_null(), reasons.contains(event.key)) << event.key;
        if (reasons.contains(event.key)) {
            EXPECT_FALSE(reasons.at(event.key).get<std::string>().empty());
        }
    }
}

TEST(Papi, TheSoftwareClockAdvancesWhileWorking) {
    const auto counters = count_events([] { (void)work(); });
    if (counters.at("task_clock_ns").is_null()) {
        GTEST_SKIP() << counters.at("reasons").at("task_clock_ns").get<std::string>();
    }
    EXPECT_GT(counters.at("task_clock_ns").get<std::int64_t>(), 0);
}

TEST(Papi, RunsNothingThatItCannotCount) {
    int runs = 0;
    const auto counters = count_events([&] { ++runs; });
    int counted = 0;
    for (const auto& event : counted_events)
        counted += counters.at(event.key).is_null() ? 0 : 1;
    EXPECT_GE(runs, counted);
    EXPECT_LE(runs, static_cast<int>(counted_events.size()));
}

}  // namespace
}  // namespace gridmark::harness
