#include "harness/run/combined.hpp"

#include <gtest/gtest.h>

#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

const Standards three_launches{Preset::paper, 3, true};
const Difference cost{"e/v/cost", "v", {{"n", 7}}, "cost", "e/v/step", "e/v/kernel"};

/// A time measured by several processes.
Row row_of(const std::vector<std::vector<double>>& launches, const Standards& standards = three_launches) {
    Row row = tests::timed_row("e/v/step", launches.front());
    for (std::size_t l = 1; l < launches.size(); ++l)
        row = join_launches(row, tests::timed_row("e/v/step", launches[l]));
    finish_row(row, standards);
    return row;
}
/// The row of the difference of two, null where a run left one out.
json difference_of(const Row* step, const Row* kernel) {
    const auto find = [&](const std::string& name) { return name == cost.minuend ? step : kernel; };
    return difference_row("e", cost, find, three_launches);
}
std::vector<double> nine(double first) {
    return tests::samples_from(first, 0.1);
}

TEST(Difference, IsTakenSampleBySampleWithinEachProcess) {
    const Row step = row_of({{5, 6, 7}, {8, 9}, {4, 4}}), kernel = row_of({{1, 2}, {3, 5, 7}, {1, 2}});
    const json row = difference_of(&step, &kernel);
    EXPECT_EQ(row["name"], "e/v/cost");
    EXPECT_EQ(row["variant"], "v");
    EXPECT_EQ(row["parameters"], cost.parameters);
    EXPECT_EQ(row["quantity"], "cost");
    EXPECT_EQ(row["unit"], "us");
    EXPECT_TRUE(row["clock"].is_null());
    EXPECT_EQ(row["samples"], (std::vector<double>{4, 4, 5, 4, 3, 2}));
    EXPECT_EQ(row["launches"], (std::vector<int>{2, 2, 2}));
    EXPECT_EQ(row["median"], 4);
    EXPECT_TRUE(row["interval"].is_array());
    EXPECT_EQ(row["run_type"], "aggregate");
}

TEST(Difference, MayBeBelowZero) {
    const Row step = row_of({nine(1), nine(1), nine(1)}), kernel = row_of({nine(3), nine(3), nine(3)});
    const json row = difference_of(&step, &kernel);
    EXPECT_EQ(row["status"], "ok");
    EXPECT_NEAR(row["median"].get<double>(), -2, 1e-12);
}

TEST(Difference, IsAnEstimateWhereAPartIs) {
    const Row good = row_of({nine(5), nine(5), nine(5)}), poor = row_of({nine(2)});
    ASSERT_EQ(good.status, Status::ok);
    ASSERT_EQ(poor.status, Status::estimate);
    for (const auto& [step, kernel] : {std::pair(&good, &poor), std::pair(&poor, &good)}) {
        const json row = difference_of(step, kernel);
        EXPECT_EQ(row["status"], "estimate");
        EXPECT_EQ(row["reason"], poor.reason);
    }
}

TEST(Difference, HasNoNumberWithoutBoth) {
    const Row step = row_of({nine(5)}), skipped = tests::row_without_time("e/v/kernel", "skipped", "no GPU");
    const json row = difference_of(&step, &skipped);
    EXPECT_EQ(row["status"], "skipped");
    EXPECT_EQ(row["reason"], "no GPU");
    EXPECT_TRUE(row["median"].is_null());
    const json missing = difference_of(nullptr, &step);
    EXPECT_EQ(missing["status"], "skipped");
    EXPECT_EQ(missing["reason"], "e/v/step was not measured");
    const Row failed = tests::row_without_time("e/v/step", "failed", "crash");
    EXPECT_EQ(difference_of(&failed, &step)["status"], "failed");
}

}  // namespace
}  // namespace gridmark::harness
