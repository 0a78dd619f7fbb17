#include "harness/run/progress.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

std::string printed(const std::function<void()>& body) {
    testing::internal::CaptureStdout();
    body();
    return testing::internal::GetCapturedStdout();
}

json measured() {
    return tests::timed_row("a", {1.91, 1.92, 1.93, 1.92, 1.92, 1.91, 1.93, 1.92, 1.92},
                            {{"interval", {1.91, 1.93}}});
}

TEST(DescribeRow, GivesTheNumberItsIntervalAndItsLimit) {
    json row = measured();
    EXPECT_EQ(describe_row(row), "a: 1.92 us [1.91, 1.93]");
    row["limit"] = {{"ceiling", "gpu_l2_bandwidth"}, {"value", 0.864}, {"unit", "us"}, {"share", 0.45}};
    EXPECT_EQ(describe_row(row), "a: 1.92 us [1.91, 1.93], 45 % of gpu_l2_bandwidth");
    EXPECT_EQ(describe_row(tests::published_row("a", 41)), "a: 41 us");
}

TEST(DescribeRow, GivesTheReasonWhereThereIsNoNumber) {
    EXPECT_EQ(describe_row(tests::row_without_time("a", "failed", "wrong answer")),
              "a: failed: wrong answer");
    EXPECT_EQ(describe_row(tests::row_without_time("a", "skipped", "no GPU")), "a: skipped: no GPU");
}

TEST(Progress, CountsTheRowsOfAProcessOnATerminal) {
    Progress progress(true, Schedule({600}));
    EXPECT_EQ(printed([&] {
                  progress.experiment("a", 0);
                  progress.process(1, 2, 2);
              }),
              "");
    const std::string first = printed([&] { progress.row(measured()); });
    EXPECT_TRUE(first.starts_with("[1/2 1/2] a: 1.92 us [1.91, 1.93]; ")) << first;
    EXPECT_TRUE(first.ends_with(" left\n")) << first;
    EXPECT_TRUE(printed([&] { progress.row(measured()); }).starts_with("[1/2 2/2] "));
    EXPECT_TRUE(printed([&] { progress.row(measured()); }).starts_with("[1/2 3/3] ")) << "more than expected";
    progress.process(2, 2, 1);
    EXPECT_EQ(printed([&] { progress.row(measured()); }), "[2/2 1/1] a: 1.92 us [1.91, 1.93]; 0:00 left\n");
}

TEST(Progress, CountsDownFromWhatIsDeclared) {
    Progress progress(true, Schedule({6000}));
    progress.experiment("a", 0);
    progress.process(1, 3, 1);
    // No time has passed, and a third is done: the declared pace, which counts as a twentieth seen, is halved
    // and more.
    const std::string line = printed([&] { progress.row(measured()); });
    EXPECT_TRUE(line.ends_with("; 8:42 left\n")) << line;
}

TEST(Progress, ShowsProcessesAndFailuresElsewhere) {
    Progress progress(false, Schedule({600}));
    EXPECT_EQ(printed([&] {
                  progress.experiment("a", 0.5);
                  progress.process(1, 3, 0);
              }),
              "")
        << "nothing is left of the first process";
    EXPECT_EQ(printed([&] { progress.process(2, 3, 3); }), "a: process 2 of 3; 5:00 left\n");
    EXPECT_EQ(printed([&] { progress.row(measured()); }), "");
    EXPECT_EQ(printed([&] { progress.row(tests::row_without_time("a", "skipped", "no GPU")); }), "");
    EXPECT_EQ(printed([&] { progress.row(tests::row_without_time("a", "failed", "crash")); }),
              "a: failed: crash\n");
    EXPECT_EQ(printed([&] { progress.say("a line"); }), "a line\n");
}

}  // namespace
}  // namespace gridmark::harness
