#include "harness/verdicts/pairs.hpp"

#include <gtest/gtest.h>

#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::time_of;

json bound(const std::string& ceiling, double share) {
    return {{"limit", {{"ceiling", ceiling}, {"value", 1.0}, {"unit", "us"}, {"share", share}}}};
}

TEST(DescribeLimits, GivesTheSharesThatAVariantReaches) {
    const std::vector<Row> rows{time_of("shared", "32x8", 20, bound("gpu_l2_bandwidth", 0.454)),
                                time_of("plain", "32x8", 15, bound("gpu_l2_bandwidth", 0.6)),
                                time_of("shared", "32x4", 25, bound("gpu_l2_bandwidth", 0.346))};
    EXPECT_EQ(describe_limits(rows), "shared 35 to 45 % of gpu_l2_bandwidth; plain 60 % of gpu_l2_bandwidth");
}

TEST(DescribeLimits, KeepsCeilingsApartAndLeavesOutRowsWithoutOne) {
    const std::vector<Row> rows{time_of("shared", "32x8", 20, bound("gpu_launch", 0.9)),
                                time_of("shared", "32x4", 25, bound("gpu_l2_bandwidth", 0.4)),
                                time_of("plain", "32x4", 25)};
    EXPECT_EQ(describe_limits(rows), "shared 90 % of gpu_launch; shared 40 % of gpu_l2_bandwidth");
    EXPECT_EQ(describe_limits({time_of("plain", "32x4", 25)}), "");
    EXPECT_EQ(describe_limits({}), "");
}

TEST(DescribeLimits, BelongsToTheRowsThatAClaimRestsOn) {
    const json claim{{"kind", "absolute"},
                     {"of", {{"select", {{"variant", "shared"}}}}},
                     {"published", {{"value", 20.0}}},
                     {"tolerance", 0.1}};
    const json rows{time_of("shared", "32x8", 20, bound("gpu_launch", 0.9)),
                    time_of("plain", "32x8", 20, bound("gpu_l2_bandwidth", 0.4))};
    EXPECT_EQ(decide(claim, rows).limits, "shared 90 % of gpu_launch");
}

}  // namespace
}  // namespace gridmark::harness
