// How long a GPU was slowed, by the driver's counters.

#include "harness/gpu/slowdown.hpp"

#include <gtest/gtest.h>

#include "harness/compare/clocks.hpp"
#include "harness/machine/group_clocks.hpp"
#include "tests/nvml/fake_nvml.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::fake_nvml;
using tests::fake_pci_address;

constexpr unsigned long long second = 1'000'000'000;

TEST(Slowdown, IsCountedByCauseInSeconds) {
    auto& nvml = fake_nvml();
    nvml.fields = {{74, 5 * second}, {75, 9 * second}, {251, second}, {252, 2 * second}, {253, second / 2}};
    EXPECT_EQ(read_slowed_seconds(fake_pci_address).value, (SlowedSeconds{{"power cap", 5},
                                                                          {"software thermal slowdown", 1},
                                                                          {"hardware thermal slowdown", 2},
                                                                          {"power brake", 0.5}}));
    nvml.fields.erase(252);
    EXPECT_EQ(read_slowed_seconds(fake_pci_address).value->at("thermal slowdown"), 9)
        << "an older driver has one count of heat";
    nvml.refused = {"fields"};
    nvml.policies = {{0, 3 * second}, {1, 4 * second}};
    EXPECT_EQ(read_slowed_seconds(fake_pci_address).value,
              (SlowedSeconds{{"power cap", 3}, {"thermal slowdown", 4}}));
    nvml.policies.erase(1);
    EXPECT_FALSE(read_slowed_seconds(fake_pci_address)) << "without heat it says little";
    EXPECT_FALSE(read_slowed_seconds("elsewhere"));
}

TEST(Slowdown, IsTheDifferenceOfTwoReadings) {
    const auto between =
        slowed_between(known(SlowedSeconds{{"a", 1}, {"b", 2}}), known(SlowedSeconds{{"a", 1.5}, {"c", 9}}));
    EXPECT_EQ(between.value, (SlowedSeconds{{"a", 0.5}}));
    EXPECT_EQ(slowed_between(known(SlowedSeconds{{"a", 2}}), known(SlowedSeconds{{"a", 1}})).value,
              (SlowedSeconds{{"a", 0}}))
        << "the driver was loaded anew";
    EXPECT_EQ(slowed_between(unknown<SlowedSeconds>("no"), known(SlowedSeconds())).reason, "no");
    EXPECT_EQ(slowed_between(known(SlowedSeconds()), unknown<SlowedSeconds>("no")).reason, "no");
}

GpuProperties some_gpu() {
    GpuProperties gpu;
    gpu.pci_bus_id = fake_pci_address;
    gpu.rated_mhz = 1755;
    return gpu;
}

TEST(GroupClocks, AreReadAroundAGroup) {
    auto& nvml = fake_nvml();
    nvml.fields = {{251, second}, {252, 0}};
    const auto gpu = known(some_gpu());
    const GroupClocks clocks(gpu);
    nvml.fields[251] = 3 * second;
    nvml.reasons = 0x20;
    json reasons = json::object();
    const json found = clocks.after(reasons);
    EXPECT_EQ(found["sm_mhz"], 1980);
    EXPECT_EQ(found["rated_mhz"], 1755);
    EXPECT_EQ(found["limited_by"], json::array({"software thermal slowdown"}));
    EXPECT_EQ(found["slowed_seconds"],
              json({{"software thermal slowdown", 2.0}, {"hardware thermal slowdown", 0.0}}));
    EXPECT_TRUE(reasons.empty());
    nvml.reasons = 0x1;
    nvml.refused = {"fields"};
    const json resting = clocks.after(reasons);
    EXPECT_FALSE(resting.contains("sm_mhz")) << "a GPU that rests";
    EXPECT_FALSE(resting.contains("slowed_seconds"));
    EXPECT_TRUE(reasons.contains("clocks.slowed_seconds"));
    EXPECT_TRUE(GroupClocks(unknown<GpuProperties>("none")).after(reasons).is_null());
}

TEST(GroupClocks, OfTwoProcessesAreTheWorse) {
    const json a{{"sm_mhz", 1980},
                 {"temperature_celsius", 40},
                 {"limited_by", {"power cap"}},
                 {"slowed_seconds", {{"power cap", 1.5}}}};
    json b{{"sm_mhz", 1500},
           {"temperature_celsius", 60},
           {"limited_by", {"idle", "power brake"}},
           {"slowed_seconds", {{"power cap", 1.0}, {"power brake", 0.5}}}};
    const json joined = joined_clocks(a, b);
    EXPECT_EQ(joined, joined_clocks(b, a));
    EXPECT_EQ(joined["sm_mhz"], 1500);
    EXPECT_EQ(joined["temperature_celsius"], 60);
    EXPECT_EQ(joined["limited_by"], json::array({"power brake", "power cap"}));
    EXPECT_EQ(joined["slowed_seconds"], json({{"power brake", 0.5}, {"power cap", 2.5}}));
    b.erase("slowed_seconds");
    b.erase("sm_mhz");
    EXPECT_FALSE(joined_clocks(a, b).contains("slowed_seconds"));
    EXPECT_EQ(joined_clocks(a, b)["sm_mhz"], 1980);
}

}  // namespace
}  // namespace gridmark::harness
