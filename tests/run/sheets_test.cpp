// Machines that only a data sheet describes.

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/forecast/forecast.hpp"
#include "harness/usage_error.hpp"
#include "tests/run/round_machine.hpp"

namespace gridmark::harness {
namespace {

nlohmann::json sheet() {
    return {{"machine", "twice"},
            {"kind", "gpu"},
            {"gpu", {{"multiprocessors", 20}, {"clock_mhz", 500}}},
            {"ceilings",
             {{{"name", "gpu_memory_peak"}, {"value", 2000}, {"unit", "GB/s"}, {"source", "sheet"}},
              {{"name", "gpu_l2_latency"}, {"value", 333}, {"unit", "ns"}, {"source", "paper"}}}}};
}

nlohmann::json reference_sheet() {
    return {{"machine", "round"},
            {"kind", "gpu"},
            {"gpu", {{"multiprocessors", 10}, {"clock_mhz", 1000}}},
            {"ceilings",
             {{{"name", "gpu_memory_peak"}, {"value", 1250}, {"unit", "GB/s"}, {"source", "sheet"}}}}};
}

TEST(DataSheet, TakesTheReferencesSharesClocksAndLaunches) {
    const SheetLimits made = limits_of_sheet(sheet(), round_machine(), reference_sheet());
    const auto is = [&](const char* name, double value) {
        ASSERT_TRUE(made.limits.ceiling(name)) << name;
        EXPECT_NEAR(*made.limits.ceiling(name), value, 1e-9) << name;
    };
    is("gpu_copy_bandwidth", 2000 * 1000 / 1250.0);  // the same share of the peak
    is("gpu_l2_latency", 333);                       // as it says
    is("gpu_l1_latency", 40);                        // as many clocks
    is("gpu_l1_bandwidth", 10000);                   // twice the multiprocessors at half the clock
    is("gpu_launch", 4);
    const auto assumed = [&](const std::string& name) {
        return std::ranges::any_of(made.assumed,
                                   [&](const std::string& line) { return line.starts_with(name + ":"); });
    };
    EXPECT_TRUE(assumed("gpu_l1_latency"));
    EXPECT_TRUE(assumed("gpu_launch"));
    EXPECT_FALSE(assumed("gpu_copy_bandwidth"));
    EXPECT_FALSE(assumed("gpu_l2_latency"));
}

TEST(DataSheet, EveryDeliveredOneIsSound) {
    EXPECT_GE(delivered_sheets().size(), 15U);
    for (const auto& [id, one] : delivered_sheets().items())
        EXPECT_NO_THROW(check_sheet(one, id)) << id;
}

void expect_refused(const nlohmann::json& one, const std::string& why) {
    try {
        check_sheet(one, "file");
        FAIL() << why;
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
}

TEST(DataSheet, RefusesNonsense) {
    auto fast = sheet();
    fast["ceilings"].push_back(
        {{"name", "gpu_l1_bandwidth"}, {"value", 1500}, {"unit", "GB/s"}, {"source", "x"}});
    expect_refused(fast, "gpu_l1_bandwidth 1500 is less than gpu_memory_peak 2000");
    auto negative = sheet();
    negative["ceilings"][0]["value"] = -1;
    expect_refused(negative, "gpu_memory_peak: value must be a number above 0");
    auto unknown = sheet();
    unknown["ceilings"][0]["name"] = "warp_drive";
    expect_refused(unknown, "warp_drive is no ceiling of a sheet");
    auto no_source = sheet();
    no_source["ceilings"][0].erase("source");
    expect_refused(no_source, "gpu_memory_peak needs its source");
    auto no_clock = sheet();
    no_clock["gpu"].erase("clock_mhz");
    expect_refused(no_clock, "clock_mhz must be a number above 0");
    expect_refused(nlohmann::json::array(), "must be an object");
    EXPECT_THROW(read_sheet("no-such-sheet"), UsageError);
}

// A GPU that came after the program is of a family that it knows, or has no number.
TEST(Capacity, IsThatOfTheFamily) {
    const auto threads = [](const char* capability) {
        MachineLimits limits;
        limits.threads = 0;
        set_capacity(limits, capability);
        return limits.threads;
    };
    EXPECT_EQ(threads("1.3"), 1024) << "a GTX 280: 30720 threads on 30 multiprocessors";
    EXPECT_EQ(threads("2.0"), 1536) << "a GTX 480: 23040 on 15";
    EXPECT_EQ(threads("7.5"), 1024);
    EXPECT_EQ(threads("9.0"), 2048);
    EXPECT_EQ(threads("8.6"), 1536);
    EXPECT_EQ(threads("8.7"), 1536);
    EXPECT_EQ(threads("10.3"), 2048);
    EXPECT_EQ(threads("12.1"), 1536);
    EXPECT_EQ(threads("13.0"), 0);
    EXPECT_EQ(threads("6.0"), 0);
    EXPECT_EQ(threads(""), 0);
}

}  // namespace
}  // namespace gridmark::harness
