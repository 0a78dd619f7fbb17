// A variant that somebody added, with what an entry must have and no more: every study plans, verifies and
// bounds it. Jacobi's is the one that docs/add-a-variant.md shows.

#include <gtest/gtest.h>

#include "harness/model/predict.hpp"
#include "harness/run/limit.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::added_tests {
namespace {

using harness::Axes;
using harness::Point;
using studies_tests::plenty;

/// Sizes that divide by nothing, in both precisions.
Axes small_sizes(const harness::Experiment& experiment) {
    Axes axes{{{"precision", {"float", "double"}}}, {"gpu_wide"}};
    int side = 19;
    for (const char* key : {"nx", "ny", "nz"})
        if (experiment.axes.contains(key)) axes.axes.push_back({key, {std::to_string(side += 4)}});
    if (!experiment.axes.contains("nx") || experiment.axes.contains("dimensions"))
        axes.axes.push_back({"n", {"2053"}});
    return axes;
}

std::vector<Point> points_of(const harness::Experiment& experiment) {
    static const auto device = launch::host_device();
    const auto plan = harness::planned_here(
        experiment,
        {harness::Preset::paper, 2, 1, device.get(), "", plenty, plenty, {}, 0, {}, small_sizes(experiment)});
    std::vector<Point> points;
    for (const harness::Group& group : plan.groups)
        points.insert(points.end(), group.points.begin(), group.points.end());
    return points;
}

class AddedVariant : public testing::TestWithParam<std::string> {
  protected:
    const harness::Experiment& experiment() const { return harness::experiments().at(GetParam()); }
};

TEST_P(AddedVariant, StandsAmongThePresets) {
    for (const auto preset : {harness::Preset::quick, harness::Preset::paper, harness::Preset::full})
        EXPECT_NO_THROW(studies_tests::planned(experiment(), preset));
    EXPECT_TRUE(
        std::ranges::any_of(experiment().variants, [](const auto& v) { return v.name == "gpu_wide"; }));
}

TEST_P(AddedVariant, IsVerifiedAndTellsNothingOfItsKernel) {
    const auto points = points_of(experiment());
    EXPECT_FALSE(points.empty());
    for (const Point& point : points) {
        SCOPED_TRACE(point.name);
        ASSERT_EQ(point.unavailable, "");
        const auto work = point.prepare();
        const auto verification = work->verify();
        EXPECT_TRUE(verification.passed()) << verification.error << " " << verification.tolerance;
        EXPECT_TRUE(verification.can_fail());
        EXPECT_FALSE(work->kernel_info());
    }
}

TEST_P(AddedVariant, HasALimitAndNoModel) {
    harness::MachineLimits machine;
    machine.ceilings = {{"gpu_copy_bandwidth", 1000}, {"gpu_l2_bandwidth", 4000}};
    machine.l2_bytes = 50e6;
    for (const Point& point : points_of(experiment())) {
        SCOPED_TRACE(point.name);
        const harness::Series by_kernel{harness::Series::Clock::kernel};
        EXPECT_FALSE(harness::predict(point, by_kernel, machine));
        const auto limit = harness::limit_of(point, by_kernel, machine);
        ASSERT_TRUE(limit);
        EXPECT_EQ(limit->ceiling, "gpu_l2_bandwidth");
    }
}

INSTANTIATE_TEST_SUITE_P(Studies, AddedVariant, testing::ValuesIn(studies_tests::ids()),
                         [](const auto& id) { return id.param; });

}  // namespace
}  // namespace gridmark::added_tests
