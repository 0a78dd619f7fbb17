// What becomes of a value that is computed, and of one that cannot be.

#include "harness/run/combined.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/results/result_file.hpp"
#include "kernels/launch/error.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// The row of a value; fit for a file.
json row_of(std::function<double()> value, bool& gpu_lost) {
    const Computed computed{"e/v/moved", "v", {{"n", 7}}, "moved", "B", "", std::move(value)};
    const json row = compute_row("e", computed, gpu_lost);
    EXPECT_NO_THROW(check_result(tests::document(json::array({row})), "row"));
    EXPECT_EQ(row["name"], "e/v/moved");
    EXPECT_EQ(row["quantity"], "moved");
    EXPECT_EQ(row["unit"], "B");
    return row;
}

template <class Thrown>
json row_of_error(const char* reason, bool& gpu_lost) {
    return row_of([reason]() -> double { throw Thrown(reason); }, gpu_lost);
}

TEST(ComputeRow, HoldsTheValue) {
    bool gpu_lost = false;
    const json row = row_of([] { return -96.5; }, gpu_lost);
    EXPECT_EQ(row["status"], "ok");
    EXPECT_EQ(row["median"], -96.5);
    EXPECT_EQ(row["samples"], json::array({-96.5}));
    EXPECT_EQ(row["parameters"], json({{"n", 7}}));
    EXPECT_FALSE(gpu_lost);
}

TEST(ComputeRow, FailsWithoutANumber) {
    bool gpu_lost = false;
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        const json row = row_of([value] { return value; }, gpu_lost);
        EXPECT_EQ(row["status"], "failed");
        EXPECT_TRUE(row["reason"].get<std::string>().starts_with("its value is not finite")) << row["reason"];
        EXPECT_TRUE(row["median"].is_null());
    }
    const json thrown = row_of_error<std::runtime_error>("singular", gpu_lost);
    EXPECT_EQ(thrown["status"], "failed");
    EXPECT_EQ(thrown["reason"], "singular");
    EXPECT_EQ(row_of_error<launch::OutOfMemory>("needs 900 GiB", gpu_lost)["status"], "failed");
    EXPECT_FALSE(gpu_lost);
}

TEST(ComputeRow, IsSkippedWhereSomethingIsUnavailable) {
    bool gpu_lost = false;
    const json row = row_of_error<launch::Unavailable>("no cuSPARSE", gpu_lost);
    EXPECT_EQ(row["status"], "skipped");
    EXPECT_EQ(row["reason"], "no cuSPARSE");
    EXPECT_FALSE(gpu_lost);
}

TEST(ComputeRow, TellsThatTheGpuIsLost) {
    bool gpu_lost = false;
    EXPECT_EQ(row_of_error<launch::Error>("illegal address", gpu_lost)["status"], "failed");
    EXPECT_TRUE(gpu_lost);
}

}  // namespace
}  // namespace gridmark::harness
