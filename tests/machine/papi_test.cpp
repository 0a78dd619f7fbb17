#include <gtest/gtest.h>
#if __has_include(<papi.h>)
#include <papi.h>
#endif

#include <cstdio>

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
        EXPECT_NE(counters.counts.contains(event.key), reasons.contains(event.key)) << event.key;
        if (reasons.contains(event.key)) {
            EXPECT_FALSE(reasons.at(event.key).empty());
        }
    }
}

TEST(Papi, TheSoftwareClockAdvancesWhileWorking) {
    const auto counters = count_events([] { (void)work(); });
    if (counters.reasons.contains("task_clock_ns")) {
        GTEST_SKIP() << counters.reasons.at("task_clock_ns");
    }
    EXPECT_GT(counters.counts.at("task_clock_ns"), 0);
}

TEST(Papi, RunsNothingThatItCannotCount) {
    int runs = 0;
    const auto counters = count_events([&] { ++runs; });
    EXPECT_GE(runs, static_cast<int>(counters.counts.size()));
    EXPECT_LE(runs, static_cast<int>(counted_events.size()));
}

TEST(Papi, NamesItsVersionOrSaysWhyNot) {
    const auto version = read_papi_version();
    if (!version) {
        EXPECT_FALSE(version.reason.empty());
        return;
    }
    int parts[3] = {-1, -1, -1}, length = 0;
    EXPECT_EQ(std::sscanf(version.value->c_str(), "%d.%d.%d%n", parts, parts + 1, parts + 2, &length), 3);
    EXPECT_EQ(version.value->size(), static_cast<std::size_t>(length));
#ifdef PAPI_VERSION
    // It starts with no other than the one that it was built for, but for a revision.
    EXPECT_EQ(parts[0], PAPI_VERSION_MAJOR(PAPI_VERSION));
    EXPECT_EQ(parts[1], PAPI_VERSION_MINOR(PAPI_VERSION));
#endif
}

}  // namespace
}  // namespace gridmark::harness
