#include <gtest/gtest.h>

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
    const auto& reasons = counters.reasons;
    for (const auto& event : counted_events) {
        EXPECT_EQ(!counters.counts.at(event.key), reasons.contains(event.key)) << event.key;
        if (reasons.contains(event.key)) {
            EXPECT_FALSE(reasons.at(event.key).empty());
        }
    }
}

TEST(Papi, TheSoftwareClockAdvancesWhileWorking) {
    const auto counters = count_events([] { (void)work(); });
    if (!counters.counts.at("task_clock_ns")) {
        GTEST_SKIP() << counters.reasons.at("task_clock_ns");
    }
    EXPECT_GT(*counters.counts.at("task_clock_ns"), 0);
}

TEST(Papi, RunsNothingThatItCannotCount) {
    int runs = 0;
    const auto counters = count_events([&] { ++runs; });
    int counted = 0;
    for (const auto& event : counted_events)
        counted += counters.counts.at(event.key) ? 1 : 0;
    EXPECT_GE(runs, counted);
    EXPECT_LE(runs, static_cast<int>(counted_events.size()));
}

}  // namespace
}  // namespace gridmark::harness
