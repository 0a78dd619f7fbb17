// What a set says of its GPU's clocks, judged by cause.

#include "harness/compare/clocks.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// A set from before the driver's counters were read: two readings, and the maximum of the data sheet.
ClockVerdict of_ends(const json& before, const json& after, double most) {
    return judge_clocks(
        {{"gpu", {{"clocks", {{"sm_max_mhz", most}}}}}, {"clocks", {{"before", before}, {"after", after}}}});
}

json reading(double mhz, const json& limited_by = json::array()) {
    return {{"sm_mhz", mhz}, {"limited_by", limited_by}};
}

const json resting = reading(300, {"idle"});

/// Groups with a GPU whose default clock is 2520 of 3105 MHz.
ClockVerdict of_groups(const json& groups) {
    return judge_clocks({{"gpu", {{"clocks", {{"sm_max_mhz", 3105}}}}}, {"clocks", {{"groups", groups}}}});
}

json group(double mhz, const json& slowed, const json& limited_by = json::array()) {
    return {{"sm_mhz", mhz}, {"rated_mhz", 2520}, {"limited_by", limited_by}, {"slowed_seconds", slowed}};
}

TEST(Clocks, OfACardThatBoostsBelowItsMaximumAreFine) {
    for (const auto& [mhz, most] : {std::pair{2655.0, 3105.0}, {2813.0, 3090.0}})
        for (const json& limits : {json::array(), json{"power cap"}, json{"idle"}, json()}) {
            const ClockVerdict verdict = of_ends(resting, reading(mhz, limits), most);
            EXPECT_TRUE(verdict.disturbed.empty()) << mhz << limits;
            EXPECT_FALSE(verdict.noted.empty()) << "that nothing was counted";
        }
}

TEST(Clocks, ThatAreLowForNoCauseDisturb) {
    for (const json& limits : {json::array(), json()})
        EXPECT_EQ(of_ends(resting, reading(600, limits), 3090).disturbed.size(), 1U) << limits;
    EXPECT_TRUE(of_ends(reading(300, nullptr), reading(3000, nullptr), 3090).disturbed.empty())
        << "who says nothing before the run may rest";
    EXPECT_TRUE(of_ends(resting, resting, 3090).disturbed.empty());
}

TEST(Clocks, HeldDownByAFaultDisturb) {
    for (const char* cause : {"application clocks", "hardware slowdown", "synchronised boost",
                              "software thermal slowdown", "hardware thermal slowdown", "power brake"}) {
        EXPECT_EQ(of_ends(resting, reading(3000, {cause, "power cap"}), 3090).disturbed.size(), 1U) << cause;
        EXPECT_EQ(of_ends(reading(300, {"idle", cause}), reading(3000), 3090).disturbed.size(), 1U) << cause;
        const json slowed{{cause, 0.4}};
        const auto found =
            of_groups({{"a", group(2600, {{cause, 0}})}, {"b", group(2600, slowed)}}).disturbed;
        ASSERT_EQ(found.size(), 1U) << cause;
        EXPECT_NE(found[0].find(cause), std::string::npos);
        EXPECT_NE(found[0].find("first b"), std::string::npos);
    }
}

TEST(Clocks, APowerCapIsStated) {
    const ClockVerdict ends = of_ends(resting, reading(1850, {"power cap"}), 2000);
    EXPECT_TRUE(ends.disturbed.empty());
    EXPECT_EQ(ends.noted.size(), 2U);
    const ClockVerdict groups = of_groups({{"a", group(1800, {{"power cap", 7.5}})}});
    EXPECT_TRUE(groups.disturbed.empty());
    ASSERT_EQ(groups.noted.size(), 1U);
    EXPECT_NE(groups.noted[0].find("7.5 s"), std::string::npos);
}

TEST(Clocks, TheCountersOfGroupsDecideBeforeAMoment) {
    const json calm{{"power cap", 0}, {"software thermal slowdown", 0}};
    json context{{"gpu", {{"clocks", {{"sm_max_mhz", 3105}}}}},
                 {"clocks",
                  {{"after", reading(1000, {"software thermal slowdown"})},
                   {"groups", {{"a", group(2600, calm, {"software thermal slowdown"})}}}}}};
    EXPECT_TRUE(judge_clocks(context).disturbed.empty());
    EXPECT_TRUE(judge_clocks(context).noted.empty());
    context["clocks"]["groups"]["a"]["limited_by"] = {"application clocks"};
    EXPECT_EQ(judge_clocks(context).disturbed.size(), 1U) << "nobody counts it";
    context["clocks"]["groups"]["b"] = group(2600, nullptr);
    EXPECT_FALSE(judge_clocks(context).noted.empty()) << "one group was not counted";
}

TEST(Clocks, OfAGroupAreHeldAgainstTheDefault) {
    const json calm{{"power cap", 0}};
    EXPECT_TRUE(of_groups({{"a", group(2420, calm)}}).disturbed.empty());
    EXPECT_EQ(of_groups({{"a", group(1500, calm)}}).disturbed.size(), 1U) << "locked by hand";
    EXPECT_TRUE(of_groups({{"a", group(1500, calm, {"idle"})}}).disturbed.empty());
    EXPECT_TRUE(of_groups({{"a", group(1500, {{"low utilisation", 2}})}}).disturbed.empty());
    // Where no cause can be read, as in WSL2, a power cap may be it.
    EXPECT_TRUE(of_groups({{"a", group(1500, nullptr, nullptr)}}).disturbed.empty());
    EXPECT_EQ(of_groups({{"a", group(600, nullptr, nullptr)}}).disturbed.size(), 1U);
}

TEST(Clocks, OfNoGpuAreNotSpokenOf) {
    const ClockVerdict verdict = judge_clocks({{"gpu", nullptr}, {"clocks", {{"before", nullptr}}}});
    EXPECT_TRUE(verdict.disturbed.empty());
    EXPECT_TRUE(verdict.noted.empty());
}

}  // namespace
}  // namespace gridmark::harness
