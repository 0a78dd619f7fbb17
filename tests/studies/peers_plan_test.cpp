// Peers in the plans: there when they are asked for, each beside a variant of ours on the same clock and in
// the same group, and nothing else changed by them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

using harness::Group;
using harness::Point;
using harness::Preset;
using harness::Series;

bool is_peer(const Point& point) {
    return point.variant.starts_with("peer_");
}

class PeerPlans : public testing::TestWithParam<std::string> {
  protected:
    const harness::Experiment& experiment() const { return harness::experiments().at(GetParam()); }
    std::set<std::string> names(const harness::Plan& plan) const {
        const auto rows = harness::row_names(plan);
        return {rows.begin(), rows.end()};
    }
};

TEST_P(PeerPlans, AreThereOnlyWhenAskedFor) {
    for (const Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        const auto without = names(planned(experiment(), preset)),
                   with = names(planned_with_peers(experiment(), preset));
        EXPECT_TRUE(std::ranges::includes(with, without));
        EXPECT_GT(with.size(), without.size());
        for (const std::string& name : without)
            EXPECT_EQ(name.find("/peer_"), std::string::npos) << name;
    }
}

TEST_P(PeerPlans, StandBesideOursOnTheSameClock) {
    for (const Group& group : planned_with_peers(experiment(), Preset::full).groups)
        for (const Point& point : group.points) {
            if (!is_peer(point)) continue;
            SCOPED_TRACE(point.name);
            EXPECT_TRUE(point.name.starts_with(GetParam() + "/" + point.variant + "/"));
            ASSERT_EQ(point.series.size(), 1U);
            const Series series = point.series.front();
            EXPECT_EQ(series.launch == Series::Launch::own, series.clock == Series::Clock::step);
            EXPECT_EQ(series.clock == Series::Clock::wall, point.variant.ends_with("_cpu"));
            EXPECT_GT(point.iterations, 0);
            EXPECT_GT(point.bytes, 0);
            EXPECT_GT(point.flops, 0);
            EXPECT_TRUE(point.prepare);
            EXPECT_TRUE(std::ranges::any_of(group.points, [&](const Point& ours) {
                return !is_peer(ours) && std::ranges::any_of(ours.series, [&](const Series& s) {
                    return s.clock == series.clock;
                });
            }));
        }
}

TEST_P(PeerPlans, SayWhatIsMissing) {
    const auto plan = harness::planned_here(
        experiment(), {Preset::full, 2, 1, nullptr, "no card", 0, plenty, {}, 0, {.program = "none"}});
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            if (is_peer(point)) {
                EXPECT_EQ(point.unavailable == "no card", !point.variant.ends_with("_cpu"));
            }
}

INSTANTIATE_TEST_SUITE_P(Of, PeerPlans,
                         testing::Values("ginzburg_landau", "heat", "jacobi", "maxwell", "pyramid"),
                         [](const auto& info) { return info.param; });

// cuSPARSE, which needs no other program. In turns with what they are compared with, at the same sizes.
TEST(LibraryPlan, HasCusparsesBoxesBesideGridmarks) {
    int groups = 0;
    for (const auto& group : planned(harness::experiments().at("pyramid"), Preset::full).groups) {
        std::map<std::string, Point> found;
        for (const Point& point : group.points)
            found.emplace(point.variant, point);
        if (!found.contains("gpu_box")) continue;
        // There the strided solver fails.
        if (json_of(found["gpu_box"].parameters)["nx"] == 1024) {
            EXPECT_EQ(found.size(), 1U);
            continue;
        }
        ++groups;
        for (const char* variant : {"gpu_box_cusparse", "gpu_box_cusparse_strided"}) {
            ASSERT_TRUE(found.contains(variant)) << group.name;
            EXPECT_EQ(found[variant].parameters, found["gpu_box"].parameters);
            EXPECT_EQ(found[variant].launches, 2 * found["gpu_box"].launches);
            EXPECT_GE(found[variant].memory.gpu, (2 + 3) * found["gpu_box"].memory.gpu);
        }
    }
    EXPECT_EQ(groups, 2 + 2) << "float, double";
}

}  // namespace
}  // namespace gridmark::studies_tests
