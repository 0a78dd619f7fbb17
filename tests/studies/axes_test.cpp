// Sizes of the user's own: what every study makes of them.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "harness/usage_error.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

using harness::Axes;
using harness::Point;
using harness::Preset;
using harness::Row;

harness::Plan planned_axes(const harness::Experiment& experiment, const Axes& axes) {
    static const auto device = launch::host_device();
    return harness::planned_here(experiment,
                                 {Preset::paper, 16, 1, device.get(), "", plenty, plenty, {}, 0, {}, axes});
}

std::set<std::string> names_of(const harness::Plan& plan) {
    const auto names = harness::row_names(plan);
    return {names.begin(), names.end()};
}

std::vector<Point> points_of(const harness::Plan& plan) {
    std::vector<Point> points;
    for (const harness::Group& group : plan.groups)
        points.insert(points.end(), group.points.begin(), group.points.end());
    return points;
}

class OwnSizes : public testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        if (experiment().points == nullptr) GTEST_SKIP() << "it offers no axes";
    }
    const harness::Experiment& experiment() const { return harness::experiments().at(GetParam()); }
};

// A size that divides by nothing, in both precisions.
Axes small_sizes(const harness::Experiment& experiment) {
    Axes axes{{{"precision", {"float", "double"}}}, {}};
    int side = 19;
    for (const char* key : {"nx", "ny", "nz"})
        if (experiment.axes.contains(key)) axes.axes.push_back({key, {std::to_string(side += 4)}});
    // A rod's unknowns; of others n is a cube's side.
    if (!experiment.axes.contains("nx") || experiment.axes.contains("dimensions"))
        axes.axes.push_back({"n", {"2053"}});
    return axes;
}

TEST_P(OwnSizes, MakeEveryTimedRowOfThePresetsAgain) {
    for (const Preset preset : {Preset::quick, Preset::full})
        for (const harness::Group& group : studies_tests::planned(experiment(), preset).groups)
            for (const Point& point : group.points) {
                if (point.parameters.contains("chosen_by")) continue;  // by --device-memory
                const Row row = harness::row_without_time(GetParam(), point, point.series.front(),
                                                          harness::Status::ok, "");
                EXPECT_TRUE(
                    names_of(planned_axes(experiment(), axes_of(row, experiment()))).contains(row.name))
                    << row.name;
            }
}

TEST_P(OwnSizes, GiveEveryVariantAtASizeThatDividesByNothing) {
    std::set<std::string> variants;
    for (const Point& point : points_of(planned_axes(experiment(), small_sizes(experiment())))) {
        SCOPED_TRACE(point.name);
        variants.insert(point.variant);
        EXPECT_FALSE(point.series.empty());
        if (!point.unavailable.empty()) continue;
        EXPECT_NE(point.prepare, nullptr);
        EXPECT_GT(point.memory.host, 0);
    }
    for (const harness::Variant& variant : experiment().variants)
        EXPECT_TRUE(variants.contains(variant.name)) << variant.name;
}

// What the host executor runs is right at that size, or the row would have no number.
TEST_P(OwnSizes, VerifyAtThatSize) {
    int verified = 0;
    for (const Point& point : points_of(planned_axes(experiment(), small_sizes(experiment())))) {
        if (!point.unavailable.empty()) continue;
        SCOPED_TRACE(point.name);
        const auto verification = point.prepare()->verify();
        EXPECT_TRUE(verification.passed()) << verification.error << " " << verification.tolerance;
        EXPECT_TRUE(verification.can_fail());
        ++verified;
    }
    EXPECT_GT(verified, 0);
}

TEST_P(OwnSizes, RefuseAKeyAndAVariantThatTheStudyHasNot) {
    EXPECT_THROW(planned_axes(experiment(), {{{"colour", {"1"}}}, {}}), harness::UsageError);
    EXPECT_THROW(planned_axes(experiment(), {{}, {"gpu_miracle"}}), harness::UsageError);
    EXPECT_THROW(planned_axes(experiment(), {{{"precision", {"half"}}}, {}}), harness::UsageError);
}

TEST_P(OwnSizes, SayWhyMoreThreadsThanThereAreCannotRun) {
    int refused = 0;
    for (const Point& point : points_of(planned_axes(experiment(), {{{"threads", {"17"}}}, {}})))
        if (harness::value_of<std::int64_t>(point.parameters, "threads", 1) == 17) {
            EXPECT_FALSE(point.unavailable.empty()) << point.name;
            ++refused;
        }
    EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Studies, OwnSizes, testing::ValuesIn(ids()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace gridmark::studies_tests
