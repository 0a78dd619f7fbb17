#include "harness/run/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

TEST(Schedule, BeginsWithWhatIsDeclared) {
    const Schedule schedule({60, 120});
    EXPECT_DOUBLE_EQ(schedule.total(), 180);
    EXPECT_DOUBLE_EQ(schedule.left(0), 180);
    EXPECT_DOUBLE_EQ(schedule.share(0), 0);
    EXPECT_DOUBLE_EQ(Schedule({}).left(0), 0);
    EXPECT_DOUBLE_EQ(Schedule({}).share(0), 0);
}

TEST(Schedule, KeepsToADeclaredPace) {
    Schedule schedule({60, 120});
    schedule.begin(0, 0);
    schedule.reach(30, 0.5, 0.5);
    EXPECT_DOUBLE_EQ(schedule.left(30), 150);
    EXPECT_DOUBLE_EQ(schedule.share(30), 30.0 / 180);
    schedule.begin(60, 0);
    EXPECT_DOUBLE_EQ(schedule.left(60), 120);
    schedule.reach(180, 1, 1);
    EXPECT_DOUBLE_EQ(schedule.left(180), 0);
    EXPECT_DOUBLE_EQ(schedule.share(180), 1);
}

TEST(Schedule, FollowsAMachineThatIsSlower) {
    Schedule schedule({60, 120});
    schedule.begin(0, 0);
    schedule.reach(120, 1, 1);
    // 60 of 180 were done in 120; with the 9 that count as seen: 129 for 69, and 120 to go.
    EXPECT_DOUBLE_EQ(schedule.left(120), 120.0 * 129 / 69);
    EXPECT_GT(schedule.left(120), 2 * 120 * 0.9);
}

TEST(Schedule, LeavesOutWhatAnEarlierRunDid) {
    Schedule schedule({60, 120});
    schedule.begin(0, 0.75);
    EXPECT_DOUBLE_EQ(schedule.total(), 135);
    EXPECT_DOUBLE_EQ(schedule.left(0), 135);
    schedule.reach(15, 1, 1);
    EXPECT_DOUBLE_EQ(schedule.left(15), 120);
}

TEST(Schedule, HoldsWhatComesBeforeAndAfter) {
    Schedule schedule({100}, 6, 20);
    EXPECT_DOUBLE_EQ(schedule.total(), 126);
    EXPECT_DOUBLE_EQ(schedule.left(0), 126);
    EXPECT_DOUBLE_EQ(schedule.left(4), 122);
    EXPECT_DOUBLE_EQ(schedule.share(4), 4.0 / 126);
    EXPECT_DOUBLE_EQ(schedule.left(9), 120) << "it takes longer than declared";
    EXPECT_DOUBLE_EQ(schedule.share(9), 6.0 / 126);
    // Twelve seconds instead of six say nothing of the pace of what follows.
    schedule.begin(12, 0);
    EXPECT_DOUBLE_EQ(schedule.left(12), 120);
    schedule.reach(62, 0.5, 0.5);
    EXPECT_DOUBLE_EQ(schedule.left(62), 70);
    schedule.reach(112, 1, 1);
    EXPECT_DOUBLE_EQ(schedule.left(112), 20);
    EXPECT_DOUBLE_EQ(schedule.share(112), 106.0 / 126);
}

TEST(Schedule, CountsWhatIsMeasuredNowAsItGoesOn) {
    Schedule schedule({100});
    schedule.begin(0, 0);
    schedule.reach(50, 0.5, 0.6);
    EXPECT_DOUBLE_EQ(schedule.left(53), 47);
    EXPECT_DOUBLE_EQ(schedule.share(53), 0.53);
    EXPECT_DOUBLE_EQ(schedule.left(75), 41) << "it takes longer than its share";
    EXPECT_DOUBLE_EQ(schedule.share(75), 0.59);
    EXPECT_DOUBLE_EQ(schedule.left(50), 50);
}

TEST(Minutes, AreWrittenWithSeconds) {
    EXPECT_EQ(minutes(7), "0:07");
    EXPECT_EQ(minutes(59.6), "1:00");
    EXPECT_EQ(minutes(750), "12:30");
}

}  // namespace

namespace {

using nlohmann::json;
using tests::row_without_time;

json measured(const std::string& name = "a") {
    return tests::timed_row(name, {1.91, 1.92, 1.93, 1.92, 1.92, 1.91, 1.93, 1.92, 1.92},
                            {{"interval", {1.91, 1.93}}});
}

json with_limit(json row, double share = 0.45) {
    row["limit"] = {{"ceiling", "gpu_l2_bandwidth"}, {"value", 0.864}, {"unit", "us"}, {"share", share}};
    return row;
}

TEST(DescribeRow, GivesTheNumberItsIntervalAndItsLimit) {
    json row = measured();
    EXPECT_EQ(describe_row(row), "a: 1.92 us [1.91, 1.93]");
    row = with_limit(row);
    EXPECT_EQ(describe_row(row), "a: 1.92 us [1.91, 1.93], 45 % of gpu_l2_bandwidth");
    row["status"] = "estimate";
    EXPECT_EQ(describe_row(row), "a: 1.92 us [1.91, 1.93], 45 % of gpu_l2_bandwidth (estimate)");
    row = with_limit(measured(), 1.02);
    row["beaten_limit"] = std::exchange(row["limit"], nullptr);
    EXPECT_EQ(describe_row(row), "a: 1.92 us [1.91, 1.93], beats gpu_l2_bandwidth by 2 %");
    EXPECT_EQ(describe_row(tests::published_row("a", 41)), "a: 41 us");
    EXPECT_EQ(describe_row(tests::published_row("a", 41, {{"unit", ""}})), "a: 41");
}

TEST(DescribeRow, ShowsLongTimesInAUnitThatSuitsThem) {
    EXPECT_EQ(describe_row(tests::published_row("a", 12345)), "a: 12.35 ms");
    EXPECT_EQ(describe_row(tests::published_row("a", 2.5e6, {{"interval", {2e6, 3e6}}})), "a: 2.5 s [2, 3]");
    EXPECT_EQ(describe_row(tests::published_row("a", 12345, {{"unit", "values"}})), "a: 1.234e+04 values");
}

TEST(DescribeRow, GivesTheReasonWhereThereIsNoNumber) {
    EXPECT_EQ(describe_row(row_without_time("a", "failed", "wrong answer")), "a: failed: wrong answer");
    EXPECT_EQ(describe_row(row_without_time("a", "skipped", "no GPU")), "a: skipped: no GPU");
}

TEST(DescribeRow, ShortensTheNameFirst) {
    json row = with_limit(measured("jacobi/gpu_no_shared/16384x8192/float/32x16/32x8/l1/kernel/hot"));
    EXPECT_EQ(describe_row(row, 90),
              "jacobi/gpu_no_shared.../32x8/l1/kernel/hot: 1.92 us [1.91, 1.93], 45 % of "
              "gpu_l2_bandwidth");
    EXPECT_EQ(describe_row(row, 44), "jacobi/gpu...ernel/hot: 1.92 us [1.91, 1.93]");
    EXPECT_EQ(describe_row(row, 40), "jacobi/gpu_no_.../l1/kernel/hot: 1.92 us");
    row["status"] = "estimate";
    EXPECT_EQ(describe_row(row, 30), "jaco...hot: 1.92 us (estimate)");
    EXPECT_EQ(describe_row(row, 12), "jac...ot:...");
}

TEST(MomentLine, FitsEveryWidth) {
    const Moment moment{0.425, "jacobi/cpu_openmp/512x256/float/all_threads/wall", 12, 75};
    EXPECT_EQ(moment_line(moment, 120, true),
              "[########............]  42 %  jacobi/cpu_openmp/512x256/float/all_threads/wall  0:12 elapsed, "
              "1:15 left");
    EXPECT_EQ(moment_line(moment, 80, true),
              "[####......]  42 %  jacobi/cpu_openm...all_threads/wall  0:12 elapsed, 1:15 left");
    EXPECT_EQ(moment_line(moment, 50, true), " 42 %  jacobi/cpu_o...hreads/wall  0:12, 1:15 left");
    EXPECT_EQ(moment_line(moment, 40, true), " 42 %  jacobi/...s/wall  0:12, 1:15 left");
    EXPECT_EQ(moment_line(moment, 39, true), " 42 %, 1:15 left");
    for (std::size_t width = 0; width < 150; ++width)
        EXPECT_LE(columns(moment_line({1, moment.now, 36000, 36000}, width, true)), width) << width;
}

/// What is printed on a terminal or elsewhere, at times that the test sets.
class ProgressTest : public testing::Test {
  protected:
    Progress progress(Schedule schedule, bool verbose = false) {
        return {{[this](const std::string& text) { text_ += text; }, [this] { return screen; },
                 [this] { return now; }},
                std::move(schedule),
                verbose};
    }
    void on_a_terminal() { screen.moving = true; }
    /// What was printed since the last call.
    std::string printed() { return std::exchange(text_, ""); }

    Screen screen;
    double now = 0;

  private:
    std::string text_;
};

const std::string erased = "\r\x1b[K";

TEST_F(ProgressTest, ATerminalHasOneLineThatMoves) {
    on_a_terminal();
    Progress shown = progress(Schedule({100}, 6, 20));
    shown.doing("ceilings");
    EXPECT_EQ(printed(), "[..........]   0 %  ceilings  0:00 elapsed, 2:06 left");
    now = 0.9;
    shown.tick();
    EXPECT_EQ(printed(), "") << "once a second at most";
    now = 3;
    shown.tick();
    EXPECT_EQ(printed(), erased + "[..........]   2 %  ceilings  0:03 elapsed, 2:03 left");
    now = 6;
    shown.experiment("a", 0);
    EXPECT_EQ(printed(), erased + "[..........]   4 %  a  0:06 elapsed, 2:00 left");
    shown.process(1, 1, 4);
    now = 7;
    shown.measuring({"a/1", "a/2"});
    EXPECT_EQ(printed(), erased + "[..........]   4 %  a/1 +1  0:07 elapsed, 2:20 left");
    shown.clear();
    EXPECT_EQ(printed(), erased);
}

TEST_F(ProgressTest, MeasuredRowsStandAboveTheMovingLine) {
    on_a_terminal();
    Progress shown = progress(Schedule({100}));
    shown.experiment("a", 0);
    shown.process(1, 2, 4);
    printed();
    shown.row(row_without_time("a/1", "skipped", "no GPU"), true);
    shown.row(measured("a/2"), false);
    shown.row(measured("a/3"), true);
    EXPECT_EQ(printed(), "") << "once a second at most";
    now = 1;
    shown.row(row_without_time("a/4", "failed", "crash"), true);
    EXPECT_EQ(printed(), erased +
                             "a/3: 1.92 us [1.91, 1.93]\n"
                             "a/4: failed: crash\n"
                             "[#####.....]  50 %  a  0:01 elapsed, 0:05 left");
    shown.say("a word");
    EXPECT_EQ(printed(), erased + "a word\n");
    shown.tick();
    EXPECT_EQ(printed(), "[#####.....]  50 %  a  0:01 elapsed, 0:05 left") << "there is nothing to erase";
    shown.row(measured("a/5"), true);
    shown.clear();
    EXPECT_EQ(printed(), erased + "a/5: 1.92 us [1.91, 1.93]\n") << "nothing that waits is lost";
}

TEST_F(ProgressTest, SkippedRowsShowOnlyWhenAskedFor) {
    for (const bool terminal : {true, false}) {
        screen.moving = terminal;
        for (const bool verbose : {true, false}) {
            Progress shown = progress(Schedule({100}), verbose);
            shown.experiment("a", 0);
            shown.process(1, 1, 4);
            shown.row(row_without_time("a/1", "skipped", "no GPU"), true);
            shown.clear();
            EXPECT_EQ(printed().find("a/1: skipped: no GPU\n") != std::string::npos, verbose);
        }
    }
}

TEST_F(ProgressTest, FailuresAreWholeAndColouredWhereColourIs) {
    on_a_terminal();
    screen.width = 30;
    for (const bool colour : {false, true}) {
        screen.colour = colour;
        Progress shown = progress(Schedule({100}));
        shown.row(row_without_time("a/1", "failed", "it asked for more memory than there is"), true);
        shown.clear();
        const std::string word = colour ? "\x1b[31mfailed\x1b[0m" : "failed";
        EXPECT_TRUE(
            printed().starts_with("a/1: " + word + ": it asked for more\n    memory than there is\n"));
    }
}

TEST_F(ProgressTest, ANewWidthIsDrawnAtOnce) {
    on_a_terminal();
    Progress shown = progress(Schedule({100}));
    shown.doing("the machine");
    printed();
    screen.width = 30;
    shown.tick();
    EXPECT_EQ(printed(), erased + "  0 %, 1:40 left");
    shown.tick();
    EXPECT_EQ(printed(), "");
}

TEST_F(ProgressTest, SkippedRowsAreNoProgress) {
    on_a_terminal();
    Progress shown = progress(Schedule({100}));
    shown.experiment("a", 0);
    shown.process(1, 1, 10);
    for (int k = 0; k < 8; ++k)
        shown.row(row_without_time("a", "skipped", "no GPU"), true);
    shown.row(measured(), true);
    printed();
    now = 1;
    shown.tick();
    EXPECT_NE(printed().find(" 50 %"), std::string::npos);
}

TEST_F(ProgressTest, AnotherProcessBeginsAnew) {
    on_a_terminal();
    Progress shown = progress(Schedule({100}));
    shown.experiment("a", 0);
    shown.process(1, 2, 2);
    shown.row(measured("a/1"), false);
    shown.row(measured("a/2"), false);
    shown.process(2, 2, 2);
    shown.row(measured("a/1"), false);
    printed();
    now = 1;
    shown.tick();
    EXPECT_NE(printed().find(" 75 %"), std::string::npos);
}

TEST_F(ProgressTest, AProcessThatCrashedGoesOnWhereItWas) {
    on_a_terminal();
    Progress shown = progress(Schedule({100}));
    shown.experiment("a", 0);
    shown.process(1, 1, 4);
    shown.row(measured("a/1"), true);
    shown.row(row_without_time("a/2", "failed", "crash"), true);
    shown.process(1, 1, 2);
    printed();
    now = 1;
    shown.tick();
    EXPECT_NE(printed().find(" 50 %"), std::string::npos);
}

TEST_F(ProgressTest, ElsewhereALineComesEveryFewSeconds) {
    Progress shown = progress(Schedule({100}, 6));
    shown.doing("ceilings");
    for (now = 0; now < 4.9; now += 0.2)
        shown.tick();
    EXPECT_EQ(printed(), "");
    now = 5;
    shown.tick();
    EXPECT_EQ(printed(), "  4 %  ceilings  0:05 elapsed, 1:41 left\n");
    now = 6;
    shown.experiment("a", 0);
    shown.process(1, 3, 3);
    shown.row(measured(), true);
    shown.row(row_without_time("a/1", "skipped", "no GPU"), true);
    EXPECT_EQ(printed(), "");
    shown.row(row_without_time("a/2", "failed", "crash"), true);
    EXPECT_EQ(printed(), "a/2: failed: crash\n");
    shown.row(row_without_time("a/3", "failed", "\x1b[2Jgone\n"), true);
    EXPECT_EQ(printed(), "a/3: failed: ?[2Jgone?\n") << "whatever the child said";
    shown.say("a\rline");
    EXPECT_EQ(printed(), "a?line\n");
    shown.clear();
    EXPECT_EQ(printed(), "");
}

TEST_F(ProgressTest, ALongRunHasFewLines) {
    Progress shown = progress(Schedule({5000}));
    shown.experiment("a", 0);
    for (now = 0; now <= 5000; now += 1)
        shown.tick();
    const std::string text = printed();
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 50);
}

TEST_F(ProgressTest, AClockThatGoesBackStandsStill) {
    on_a_terminal();
    Progress shown = progress(Schedule({10}));
    shown.experiment("a", 0);
    now = 7;
    shown.tick();
    printed();
    now = -1e9;
    screen.width = 81;
    shown.tick();
    EXPECT_NE(printed().find("0:07 elapsed"), std::string::npos);
}

}  // namespace

}  // namespace gridmark::harness
