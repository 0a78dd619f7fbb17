#include "harness/run/rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "harness/results/ratio.hpp"
#include "harness/results/result_file.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Samples = std::vector<double>;
using Launches = std::vector<std::size_t>;

const Series hot{Series::Clock::kernel}, cold{Series::Clock::kernel, Series::Launch::none, true},
    stream{Series::Clock::step, Series::Launch::stream}, graph{Series::Clock::step, Series::Launch::graph},
    wall{Series::Clock::wall};

Point some_point() {
    return {{.name = "jacobi/a/512x256",
             .variant = "gpu_shared",
             .parameters = {{"nx", 512}, {"precision", "float"}},
             .memory = {5000, 6000}},
            3000,
            700,
            2000,
            {hot}};
}

ProfiledPoint some_profile() {
    return {{.name = "jacobi/a/l1", .variant = "gpu_no_shared", .parameters = {{"nx", 512}}},
            {{"l1_hit_rate", "%", "hits", "loads"}, {"dram", "B", "bytes"}},
            "k"};
}

Row unprofiled(std::size_t metric) {
    const ProfiledPoint point = some_profile();
    return profiled_row("jacobi", point, point.metrics[metric], Status::skipped, "no profiler");
}

const Standards paper{Preset::paper, 3, true};

/// A row after one process: `samples` of the wall clock.
Row row_of(const Samples& samples, double error = 1e-7) {
    Row row = row_without_time("jacobi", some_point(), wall, Status::ok, "");
    row.verification = Verification{"reference", error, 1e-6, 3};
    set_samples(row, samples);
    return row;
}

Row bare(Status status, const std::string& reason) {
    return row_without_time("jacobi", some_point(), wall, status, reason);
}

TEST(RowName, TellsClockAndManner) {
    const Point p = some_point();
    EXPECT_EQ(row_name(p, hot), "jacobi/a/512x256/kernel/hot");
    EXPECT_EQ(row_name(p, cold), "jacobi/a/512x256/kernel/cold");
    EXPECT_EQ(row_name(p, stream), "jacobi/a/512x256/step/stream");
    EXPECT_EQ(row_name(p, graph), "jacobi/a/512x256/step/graph");
    EXPECT_EQ(row_name(p, wall), "jacobi/a/512x256/wall");
    const Series own{Series::Clock::step, Series::Launch::own};
    EXPECT_EQ(row_name(p, own), "jacobi/a/512x256/step/own");
    EXPECT_EQ(row_without_time("jacobi", p, own, Status::ok, "").parameters.at("launch"), Value("own"));
}

TEST(RowWithoutTime, SaysWhatWasNotMeasured) {
    const Row row = row_without_time("jacobi", some_point(), cold, Status::skipped, "no GPU");
    EXPECT_EQ(row.name, "jacobi/a/512x256/kernel/cold");
    EXPECT_EQ(row.clock, "kernel");
    EXPECT_EQ(row.parameters, parameters_from({{"nx", 512}, {"precision", "float"}, {"cache", "cold"}}));
    EXPECT_EQ(row.status, Status::skipped);
    EXPECT_EQ(row.reason, "no GPU");
    EXPECT_EQ(row.bytes, 3000);
    EXPECT_EQ(row.flops, 700);
    EXPECT_EQ(json(row)["memory"], json({{"host", 5000}, {"gpu", 6000}}));
    EXPECT_FALSE(row.median);
    EXPECT_TRUE(row.samples.empty());
    EXPECT_EQ(row_without_time("jacobi", some_point(), graph, Status::failed, "x").parameters.at("launch"),
              Value("graph"));
    EXPECT_EQ(row_without_time("jacobi", some_point(), hot, Status::failed, "x").parameters.at("cache"),
              Value("hot"));
    EXPECT_FALSE(bare(Status::failed, "x").parameters.contains("cache"));
}

TEST(ProfiledRow, IsOfOneMetric) {
    const Row row = unprofiled(1);
    EXPECT_EQ(row.name, "jacobi/a/l1/dram");
    EXPECT_EQ(row.quantity, "dram");
    EXPECT_EQ(row.unit, "B");
    EXPECT_EQ(row.variant, "gpu_no_shared");
    EXPECT_EQ(row.parameters, parameters_from({{"nx", 512}}));
    EXPECT_EQ(row.reason, "no profiler");
}

TEST(ProfiledRow, IsNoTime) {
    Row row = unprofiled(0);
    EXPECT_EQ(row.name, "jacobi/a/l1/l1_hit_rate");
    EXPECT_EQ(row.quantity, "l1_hit_rate");
    EXPECT_EQ(row.unit, "%");
    EXPECT_EQ(row.clock, "");
    set_samples(row, tests::samples_from(70, 0.1));
    finish_row(row, paper);
    EXPECT_EQ(row.status, Status::ok) << "one process is enough: " << row.reason;
}

TEST(SetSamples, TakesNoTimeThatIsNotAboveZero) {
    Row row = bare(Status::ok, "");
    for (const double not_a_time : {0.0, -86400e6, std::nan("")}) {
        EXPECT_THROW(set_samples(row, {3.0, not_a_time, 4.0}), std::range_error) << not_a_time;
        EXPECT_TRUE(row.samples.empty());
        EXPECT_FALSE(row.median);
    }
    Row rate = unprofiled(0);
    set_samples(rate, {0.0});
    EXPECT_EQ(rate.median, 0) << "a rate may be nothing";
}

TEST(SetSamples, StoresTimesWithSevenDigits) {
    EXPECT_EQ(row_of({1455.89601993, 0.288123456, 2e6 / 3}).samples,
              (Samples{1455.896, 0.2881235, 666666.7}));
    Row rate = unprofiled(0);
    set_samples(rate, {200.0 / 3});
    EXPECT_EQ(rate.median, 200.0 / 3) << "what is no time stays as it was read";
}

const Computed some_error{
    {.name = "jacobi/a/error", .variant = "gpu_shared", .parameters = {{"nx", 512}}}, "relative_error", "1"};

Row computed(double value) {
    Row row = quantity_row("jacobi", some_error, Status::ok, "");
    set_exact_value(row, value);
    return row;
}

TEST(ComputedRow, IsOfItsQuantity) {
    const Row row = quantity_row("jacobi", some_error, Status::failed, "crash");
    EXPECT_EQ(row.name, "jacobi/a/error");
    EXPECT_EQ(row.variant, "gpu_shared");
    EXPECT_EQ(row.parameters, parameters_from({{"nx", 512}}));
    EXPECT_EQ(row.quantity, "relative_error");
    EXPECT_EQ(row.unit, "1");
    EXPECT_EQ(row.clock, "");
    EXPECT_EQ(row.status, Status::failed);
    EXPECT_EQ(row.reason, "crash");
}

TEST(TimelineRow, IsOfOneActivity) {
    const Timeline timeline{{.name = "jacobi/t", .variant = "gpu_shared", .parameters = {{"nx", 512}}}};
    const Row row = timeline_row("jacobi", timeline, "download", Status::skipped, "no GPU");
    EXPECT_EQ(row.name, "jacobi/t/download");
    EXPECT_EQ(row.variant, "gpu_shared");
    EXPECT_EQ(row.parameters, parameters_from({{"nx", 512}, {"activity", "download"}}));
    EXPECT_EQ(row.quantity, "busy");
    EXPECT_EQ(row.unit, "us");
    EXPECT_EQ(row.clock, "");
    EXPECT_EQ(row.reason, "no GPU");
}

// One value, by a debug build, in a first look: no more of any would change it.
TEST(ComputedRow, IsExactUnderAllStandards) {
    for (const Standards& standards : {paper, Standards{Preset::quick, 1, false}}) {
        Row row = computed(0.25);
        finish_row(row, standards);
        EXPECT_EQ(row.status, Status::ok) << row.reason;
        EXPECT_EQ(row.reason, "");
        EXPECT_EQ(row.samples, (Samples{0.25}));
        EXPECT_EQ(row.process_samples, (Launches{1}));
        EXPECT_EQ(row.median, 0.25);
        EXPECT_EQ(row.interval, (Interval{0.25, 0.25}));
    }
}

TEST(BlankRows, AreAllOfAPlanInOrder) {
    Point absent = some_point();
    absent.unavailable = "no GPU";
    Plan plan;
    plan.groups = {{"group", {some_point(), absent}}};
    plan.groups[0].points[1].name = "jacobi/b";
    plan.differences = {{{.name = "jacobi/a/cost", .variant = "gpu_shared"}, "cost", "a", "b"}};
    plan.computed = {some_error};
    plan.derived = {{{.name = "jacobi/fit", .variant = "gpu_shared"}, "slope", "us", {"a"}}};
    plan.timelines = {{{.name = "jacobi/t", .variant = "gpu_shared", .unavailable = "no driver"}}};
    plan.profiled = {some_profile()};
    const std::vector<std::string> names{"jacobi/a/512x256/kernel/hot",
                                         "jacobi/b/kernel/hot",
                                         "jacobi/a/cost",
                                         "jacobi/a/error",
                                         "jacobi/fit",
                                         "jacobi/t/upload",
                                         "jacobi/t/kernels",
                                         "jacobi/t/download",
                                         "jacobi/a/l1/l1_hit_rate",
                                         "jacobi/a/l1/dram"};
    EXPECT_EQ(row_names(plan), names);
    const auto rows = blank_rows("jacobi", plan);
    ASSERT_EQ(rows.size(), names.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
        EXPECT_EQ(rows[k].name, names[k]);
        EXPECT_EQ(rows[k].status, Status::skipped);
        EXPECT_EQ(rows[k].reason, k == 1                              ? "no GPU"
                                  : names[k].starts_with("jacobi/t/") ? "no driver"
                                                                      : "")
            << names[k];
    }
}

// Whatever these functions make must be fit for a file.
TEST(Rows, AreValidInEveryState) {
    Row ok = row_of(tests::samples_from(1, 0.1));
    finish_row(ok, paper);
    Row joined = join_processes(row_of(tests::samples_from(1, 0.1)), row_of(tests::samples_from(2, 0.1)));
    finish_row(joined, paper);
    for (const Row& row : {ok, joined, bare(Status::skipped, "no GPU"), bare(Status::failed, "crash"),
                           unprofiled(0), computed(0)})
        EXPECT_NO_THROW(check_result(tests::document(json::array({row})), "rows"));
}

TEST(SetSamples, MakesATime) {
    const Row row = row_of({3, 1, 2});
    EXPECT_EQ(row.samples, (Samples{3.0, 1.0, 2.0}));
    EXPECT_EQ(row.process_samples, (Launches{3}));
    EXPECT_EQ(row.median, 2.0);
    EXPECT_EQ(row.status, Status::ok);
    EXPECT_EQ(row.reason, "");
}

TEST(JoinProcesses, AppendsSamplesAndCountsLaunches) {
    Row first = row_of({1, 2, 3}), second = row_of({4, 5});
    const Row two = join_processes(first, second);
    EXPECT_EQ(two.samples, (Samples{1.0, 2.0, 3.0, 4.0, 5.0}));
    EXPECT_EQ(two.process_samples, (Launches{3, 2}));
    EXPECT_EQ(join_processes(two, row_of({6})).process_samples, (Launches{3, 2, 1}));
    EXPECT_EQ(join_processes(two, row_of({6})).samples, (Samples{1, 2, 3, 4, 5, 6}));
}

TEST(JoinProcesses, KeepsTheWorseVerification) {
    const auto error = [](double a, double b) {
        return join_processes(row_of({1}, a), row_of({1}, b)).verification->error;
    };
    EXPECT_EQ(error(3e-7, 1e-7), 3e-7);
    EXPECT_EQ(error(1e-7, 3e-7), 3e-7);
}

TEST(JoinProcesses, KeepsCountersThatOnlyOneProcessRead) {
    Row first = row_of({1});
    first.counters = Counters{{{"cycles", 5}}, {}};
    EXPECT_EQ(join_processes(first, row_of({2})).counters->counts.at("cycles"), 5);
    EXPECT_EQ(join_processes(row_of({2}), first).counters->counts.at("cycles"), 5);
}

TEST(JoinProcesses, ARowWithoutNumbersIsTheAnswer) {
    const Row measured = row_of({1, 2}), failed = bare(Status::failed, "crash"),
              skipped = bare(Status::skipped, "no GPU");
    EXPECT_EQ(json(join_processes(measured, failed)), json(failed));
    EXPECT_EQ(json(join_processes(failed, measured)), json(failed));
    EXPECT_EQ(json(join_processes(measured, skipped)), json(skipped));
    EXPECT_EQ(json(join_processes(skipped, measured)), json(skipped));
    EXPECT_EQ(json(join_processes(skipped, failed)), json(failed));
    EXPECT_EQ(json(join_processes(failed, skipped)), json(failed));
    EXPECT_EQ(join_processes(failed, failed).status, Status::failed);
}

TEST(FinishRow, FillsInWhatFollowsFromTheSamples) {
    Row row = row_of({1, 2, 3, 4, 5, 6, 7, 8, 90});
    row.limit = Limit{"cpu_triad_one_thread", 2.5, "us", 0};
    row.stepwise_limit = Limit{"cpu_triad_one_thread", 10, "us", 0};
    finish_row(row, {Preset::paper, 1, true});
    EXPECT_EQ(row.median, 5.0);
    EXPECT_EQ(row.interval, (Interval{2.0, 8.0}));
    EXPECT_EQ(row.outliers, 1);
    EXPECT_EQ(row.limit->share, 0.5);
    EXPECT_EQ(row.stepwise_limit->share, 2.0);
    EXPECT_EQ(row.status, Status::ok);
    EXPECT_EQ(row.reason, "");
}

TEST(FinishRow, SetsALimitAsideThatTheRowBeats) {
    const auto finished = [](Row row, double limit) {
        row.limit = Limit{"cpu_triad_one_thread", limit, "us"};
        finish_row(row, paper);
        return row;
    };
    const Row row = row_of(Samples(9, 5.0));
    EXPECT_EQ(finished(row, 5.09).limit->share, 5.09 / 5);
    EXPECT_FALSE(finished(row, 5.09).beaten_limit);
    Row beaten = finished(row, 5.11);
    EXPECT_FALSE(beaten.limit);
    EXPECT_EQ(beaten.beaten_limit->share, 5.11 / 5);
    beaten.samples.assign(9, 5.2);
    finish_row(beaten, paper);
    EXPECT_EQ(beaten.limit->share, 5.11 / 5.2);
    EXPECT_FALSE(beaten.beaten_limit);
}

TEST(FinishRow, HasTheIntervalThatItsProcessesGive) {
    Row row = join_processes(row_of(Samples(20, 5.0)), row_of({9, 9, 9}));
    finish_row(row, paper);
    EXPECT_EQ(row.interval, row_interval(row));
    EXPECT_LT(row.interval->low, 5);
}

TEST(FinishRow, SaysWhatMakesAnEstimate) {
    const auto reason = [](Row row, const Standards& standards) {
        finish_row(row, standards);
        EXPECT_EQ(row.status, row.reason.empty() ? Status::ok : Status::estimate);
        return row.reason;
    };
    const Row nine = row_of(tests::samples_from(1, 0.1));
    EXPECT_EQ(reason(nine, {Preset::paper, 1, true}), "");
    EXPECT_EQ(reason(nine, {Preset::quick, 1, true}), "preset quick");
    EXPECT_EQ(reason(nine, {Preset::paper, 1, false}), "not a release build");
    EXPECT_EQ(reason(nine, {Preset::full, 3, true}), "1 of 3 processes");
    EXPECT_EQ(reason(row_of(tests::samples_from(1, 0.1, 8)), {Preset::paper, 1, true}),
              "8 samples, fewer than 9");
    EXPECT_EQ(reason(row_of({1}), {Preset::quick, 2, false}),
              "preset quick; not a release build; 1 of 2 processes; 1 samples, fewer than 9");
    EXPECT_EQ(reason(join_processes(join_processes(nine, nine), nine), paper), "");
}

// The least that a point may ask of a process.
TEST(FinishRow, IsNoEstimateWithThreeSamplesOfEachOfThreeProcesses) {
    Row row = row_of({1, 2, 3});
    for (const char* reason :
         {"1 of 3 processes; 3 samples, fewer than 9", "2 of 3 processes; 6 samples, fewer than 9"}) {
        finish_row(row, paper);
        EXPECT_EQ(row.reason, reason);
        row = join_processes(row, row_of({1, 2, 3}));
    }
    finish_row(row, paper);
    EXPECT_EQ(row.status, Status::ok) << row.reason;
}

TEST(FinishRow, LiftsAnEstimateWhenTheLaunchesAreThere) {
    Row row = row_of(tests::samples_from(1, 0.1));
    finish_row(row, paper);
    EXPECT_EQ(row.status, Status::estimate);
    for (int launch = 1; launch < 3; ++launch) {
        row = join_processes(row, row_of(tests::samples_from(1, 0.1)));
        finish_row(row, paper);
    }
    EXPECT_EQ(row.status, Status::ok);
    EXPECT_EQ(row.reason, "");
}

TEST(FinishRow, LeavesRowsWithoutNumbersAlone) {
    for (Row row : {bare(Status::failed, "crash"), bare(Status::skipped, "no GPU")}) {
        const json before = row;
        finish_row(row, {Preset::quick, 3, false});
        EXPECT_EQ(json(row), before);
    }
}

}  // namespace
}  // namespace gridmark::harness
