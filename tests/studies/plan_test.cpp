// What holds for every study's plan.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "kernels/launch/make_device.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

using harness::Point;
using harness::Preset;
using harness::Series;
using harness::Variant;

class Plans : public testing::TestWithParam<std::string> {
  protected:
    const harness::Experiment& experiment() const { return harness::experiments().at(GetParam()); }
};

TEST_P(Plans, NameEveryRowOnce) {
    for (const Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        std::set<std::string> names, groups;
        for (const json row : rows_of(GetParam(), planned(experiment(), preset))) {
            const auto name = row["name"].get<std::string>();
            EXPECT_TRUE(names.insert(name).second) << name;
            EXPECT_TRUE(name.starts_with(GetParam() + "/" + row["variant"].get<std::string>() + "/")) << name;
        }
        EXPECT_FALSE(names.empty());
        for (const auto& group : planned(experiment(), preset).groups)
            EXPECT_TRUE(groups.insert(group.name).second) << group.name;
    }
}

// The profiler takes seconds a row: it waits for more than the first run.
TEST_P(Plans, StartNoProfilerInTheFirstRun) {
    EXPECT_TRUE(planned(experiment(), Preset::quick).profiled.empty());
}

// What a smaller preset measures, a larger one measures too, under the same name.
TEST_P(Plans, GrowWithThePreset) {
    std::set<std::string> before;
    for (const Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        std::set<std::string> names;
        for (const json row : rows_of(GetParam(), planned(experiment(), preset)))
            names.insert(row["name"].get<std::string>());
        for (const std::string& name : before)
            EXPECT_TRUE(names.contains(name)) << name;
        before = names;
    }
}

TEST_P(Plans, MeasureEveryVariantByItsClocks) {
    std::map<std::string, Variant::Kind> kinds;
    for (const Variant& variant : experiment().variants)
        kinds[variant.name] = variant.kind;
    std::set<std::string> seen;
    for (const auto& group : planned(experiment(), Preset::full).groups)
        for (const auto& point : group.points) {
            SCOPED_TRACE(point.name);
            ASSERT_TRUE(kinds.contains(point.variant));
            seen.insert(point.variant);
            EXPECT_FALSE(point.series.empty());
            for (const Series& series : point.series)
                EXPECT_EQ(series.clock == Series::Clock::wall, kinds[point.variant] == Variant::Kind::cpu);
            EXPECT_GT(point.bytes, 0);
            EXPECT_TRUE(point.flops > 0 || point.transfers.uploaded > 0);
            // What is worked on in pieces stays in use by the piece. A step of several passes over its arrays
            // moves most of them twice, some three times. A box's three sweeps in place read and write its
            // only array.
            const double times = point.parameters.contains("dimensions") ? 6 : 3;
            EXPECT_TRUE(times * point.working_set >= point.bytes || point.parameters.contains("pieces") ||
                        point.parameters.contains("slab_depth"));
            EXPECT_GT(point.working_set, 0);
            EXPECT_TRUE(point.prepare);
        }
    EXPECT_EQ(seen.size(), kinds.size());
}

// A difference of rows that are not there would never have a number.
TEST_P(Plans, SubtractRowsThatTheyMeasure) {
    for (const Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        const auto plan = planned(experiment(), preset);
        std::map<std::string, json> rows;
        for (const json row : rows_of(GetParam(), plan))
            rows[row["name"]] = row;
        for (const auto& difference : plan.differences) {
            SCOPED_TRACE(difference.name);
            EXPECT_NE(difference.quantity, "time");
            for (const std::string& part : {difference.minuend, difference.subtrahend}) {
                ASSERT_TRUE(rows.contains(part)) << part;
                EXPECT_EQ(rows[part]["variant"], difference.variant);
                EXPECT_EQ(rows[part]["quantity"], "time");
            }
        }
    }
}

// "time" is what a clock gives, once a process.
TEST_P(Plans, ComputeNoTimes) {
    for (const auto& computed : planned(experiment(), Preset::full).computed) {
        EXPECT_NE(computed.quantity, "time") << computed.name;
        EXPECT_TRUE(computed.value) << computed.name;
    }
}

// A value derived from rows that are not there would never be one; nor would one of other derived values.
TEST_P(Plans, DeriveFromRowsThatTheyMeasure) {
    for (const Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        auto plan = planned(experiment(), preset);
        const auto derived = std::exchange(plan.derived, {});
        const auto names = harness::row_names(plan);
        const std::set<std::string> measured(names.begin(), names.end());
        for (const auto& row : derived) {
            SCOPED_TRACE(row.name);
            EXPECT_NE(row.quantity, "time");
            EXPECT_FALSE(row.from.empty());
            EXPECT_TRUE(row.value);
            for (const std::string& part : row.from)
                EXPECT_TRUE(measured.contains(part)) << part;
        }
    }
}

// On a machine that lacks something every row that needs it says so, and none that does not.
TEST_P(Plans, SayWhatIsMissing) {
    const auto plan =
        harness::planned_here(experiment(), {Preset::full, 2, 1, nullptr, "no card", 0, plenty, {}});
    for (const auto& group : plan.groups)
        for (const auto& point : group.points)
            EXPECT_EQ(point.unavailable == "no card", point.series.front().clock != Series::Clock::wall)
                << point.name;
    for (const auto& point : plan.profiled)
        EXPECT_EQ(point.unavailable, "no card");
    for (const auto& timeline : plan.timelines)
        EXPECT_EQ(timeline.unavailable, "no card");
    const auto device = launch::host_device();
    const auto tiny =
        harness::planned_here(experiment(), {Preset::full, 2, 1, device.get(), "", 1000, 1000, {}});
    for (const auto& group : tiny.groups)
        for (const auto& point : group.points)
            EXPECT_FALSE(point.unavailable.empty()) << point.name;
    // What no memory would help is said first.
    const auto ample = planned(experiment(), Preset::full, 2),
               small_card = harness::planned_here(experiment(),
                                                  {Preset::full, 2, 1, device.get(), "", 1000, plenty, {}});
    ASSERT_EQ(small_card.groups.size(), ample.groups.size());
    for (std::size_t g = 0; g < ample.groups.size(); ++g)
        for (std::size_t k = 0; k < ample.groups[g].points.size(); ++k) {
            const Point &point = small_card.groups[g].points[k], &with_memory = ample.groups[g].points[k];
            const bool on_gpu = point.series.front().clock != Series::Clock::wall;
            if (with_memory.unavailable.empty())
                EXPECT_EQ(point.unavailable.find("of GPU memory") != std::string::npos, on_gpu)
                    << point.name << ": " << point.unavailable;
            else
                EXPECT_EQ(point.unavailable, with_memory.unavailable) << point.name;
        }
}

INSTANTIATE_TEST_SUITE_P(Of, Plans, testing::ValuesIn(ids()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gridmark::studies_tests
