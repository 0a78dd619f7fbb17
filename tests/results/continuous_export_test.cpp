// A set in the formats of other programs: Google Benchmark, Bencher, github-action-benchmark.

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/export/export.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::message_of;

ResultSet exportable(const json& rows) {
    return {"r", "Some GPU", true, {{"jacobi", tests::document(rows).get<ResultFile>()}}};
}

json in_format(const std::string& format, const json& rows) {
    return json::parse(export_set(exportable(rows), format).text);
}

/// A skewed time of two processes: its median 2.5 is no sample, and lies nearer to the interval's low end.
json skewed_time(const std::string& name, const json& changes = json::object()) {
    json row = tests::timed_row(name, {2, 9, 1, 3}, {{"process_samples", {1, 3}}, {"interval", {2, 9}}});
    row.update(changes);
    return row;
}

/// What each format leaves out beside one time.
const json mixed{skewed_time("a"), tests::row_without_time("b", "skipped", "x"),
                 tests::row_without_time("c", "failed", "x"),
                 skewed_time("d", {{"quantity", "l1_hit_rate"}, {"unit", "%"}, {"clock", nullptr}})};

TEST(ExportToOthers, CountsWhatItHasNoPlaceFor) {
    for (const std::string& format : export_formats()) {
        const Exported done = export_set(exportable(mixed), format);
        EXPECT_EQ(done.without_number, format == "csv" ? 0U : 2U) << format;
        EXPECT_EQ(done.other_than_time, format == "csv" || format == "bencher" ? 0U : 1U) << format;
    }
}

// --- Google Benchmark

TEST(GoogleBenchmark, HasARepetitionASampleAndTheMedianOfSeveral) {
    const json entries = in_format("googlebenchmark", mixed)["benchmarks"];
    ASSERT_EQ(entries.size(), 5U);
    const double nanoseconds[] = {2000, 9000, 1000, 3000, 2500};
    for (std::size_t k = 0; k < 5; ++k) {
        const json& entry = entries[k];
        EXPECT_EQ(entry["real_time"], nanoseconds[k]);
        EXPECT_EQ(entry["cpu_time"], nanoseconds[k]);
        EXPECT_EQ(entry["time_unit"], "ns");
        EXPECT_EQ(entry["repetitions"], 4);
        EXPECT_EQ(entry["run_name"], "a");
        EXPECT_EQ(entry["run_type"], k < 4 ? "iteration" : "aggregate");
        EXPECT_EQ(entry["iterations"], k < 4 ? 10 : 4) << "of a sample, or samples";
        if (k < 4) {
            EXPECT_EQ(entry["repetition_index"], k);
        }
    }
    EXPECT_EQ(entries[4]["name"], "a_median");
}

TEST(GoogleBenchmark, OfASingleValueHasNoMedianBesides) {
    for (const json& row : {tests::published_row("a", 41), tests::timed_row("a", {41})}) {
        const json entries = in_format("googlebenchmark", json::array({row}))["benchmarks"];
        ASSERT_EQ(entries.size(), 1U);
        EXPECT_EQ(entries[0]["real_time"], 41000);
        EXPECT_EQ(entries[0]["repetitions"], 1);
    }
    const json two = in_format("googlebenchmark", json::array({tests::timed_row("a", {1, 2})}))["benchmarks"];
    EXPECT_EQ(two.size(), 3U);
}

TEST(GoogleBenchmark, NumbersTheFamiliesAndSaysTheirThreadsAndClocks) {
    json on_threads = skewed_time("e", {{"clock", "wall"}, {"status", "estimate"}, {"reason", "quick"}});
    on_threads["parameters"]["threads"] = 6;
    const json rows{skewed_time("a"), mixed[1], mixed[3], on_threads};
    const json entries = in_format("googlebenchmark", rows)["benchmarks"];
    ASSERT_EQ(entries.size(), 10U);
    EXPECT_EQ(entries[0]["family_index"], 0);
    EXPECT_EQ(entries[9]["family_index"], 1) << "of those that it has a place for";
    EXPECT_EQ(entries[0]["threads"], 1);
    EXPECT_EQ(entries[9]["threads"], 6);
    EXPECT_EQ(entries[0]["label"], "kernel clock");
    EXPECT_EQ(entries[9]["label"], "wall clock, estimate: quick");
}

TEST(GoogleBenchmark, LeavesOutATimeInAnotherUnit) {
    const json odd = skewed_time("b", {{"unit", "cycles"}});
    const Exported done = export_set(exportable({skewed_time("a"), odd}), "googlebenchmark");
    EXPECT_EQ(done.other_than_time, 1U);
    EXPECT_EQ(json::parse(done.text)["benchmarks"].size(), 5U);
}

TEST(GoogleBenchmark, SaysOfTheMachineWhatAllFilesAgreeOn) {
    const auto context = [](const json& first, const json& second) {
        ResultSet set = exportable(json::array({skewed_time("a")}));
        set.files["heat"] = tests::document(json::array(), "heat").get<ResultFile>();
        set.files["jacobi"].context.update(first);
        set.files["heat"].context.update(second);
        return json::parse(export_set(set, "googlebenchmark").text)["context"];
    };
    const auto build = [](const char* type) { return json{{"build", {{"build_type", type}}}}; };
    const json same = context({{"date", "2026-01-02"}}, {{"date", "2026-01-02"}});
    EXPECT_EQ(same["date"], "2026-01-02");
    EXPECT_EQ(same["gpu_name"], "Some GPU");
    EXPECT_FALSE(same.contains("library_build_type"));
    EXPECT_FALSE(context({{"date", "2026-01-02"}}, {{"date", "2026-01-03"}}).contains("date"));
    EXPECT_EQ(context(build("Release"), build("Release"))["library_build_type"], "release");
    EXPECT_EQ(context(build("Debug"), build("Debug"))["library_build_type"], "debug");
    EXPECT_FALSE(context(build("Release"), build("Debug")).contains("library_build_type"));
}

// --- Bencher

TEST(Bencher, HasALatencyInNanosecondsWithItsBounds) {
    for (const auto& [unit, factor] :
         {std::pair{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"cycles", 0.0}}) {
        const json found = in_format("bencher", json::array({skewed_time("a", {{"unit", unit}})}))["a"];
        const double scale = factor > 0 ? factor : 1;
        const json metric{{"value", 2.5 * scale}, {"lower_value", 2 * scale}, {"upper_value", 9 * scale}};
        EXPECT_EQ(found, (json{{factor > 0 ? "latency" : "time (cycles)", metric}})) << unit;
    }
}

TEST(Bencher, NamesOtherMeasuresByTheirUnit) {
    const auto measure = [](const char* unit) {
        const json row = skewed_time("a", {{"quantity", "q"}, {"unit", unit}, {"interval", nullptr}});
        return in_format("bencher", json::array({row}))["a"];
    };
    EXPECT_EQ(measure("%"), (json{{"q (%)", {{"value", 2.5}}}}));
    EXPECT_EQ(measure("1"), (json{{"q", {{"value", 2.5}}}}));
    EXPECT_EQ(measure(""), (json{{"q", {{"value", 2.5}}}}));
    EXPECT_EQ(measure("us"), (json{{"q (us)", {{"value", 2.5}}}})) << "no time, so its unit stays";
}

TEST(Bencher, RefusesLongerNamesThanItTakes) {
    const auto message = [](const std::string& name, const std::string& quantity) {
        const json row = skewed_time(name, {{"quantity", quantity}, {"unit", "1"}});
        return message_of<UsageError>([&] { export_set(exportable(json::array({row})), "bencher"); });
    };
    const std::string longest(1024, 'n'), widest(64, 'q');
    EXPECT_EQ(message(longest, widest), "nothing was thrown");
    EXPECT_EQ(message(longest + 'n', "q"), longest + "n: its name has 1025 bytes, and Bencher takes 1024");
    EXPECT_EQ(message("a", widest + 'q'), "a: its quantity with its unit has 65 bytes, and Bencher takes 64");
}

// --- github-action-benchmark

TEST(GithubActionBenchmark, HasTheLongerSideOfTheIntervalForItsRange) {
    const auto point = [](const json& changes) {
        return in_format("github-action-benchmark", json::array({skewed_time("a", changes)}))[0];
    };
    const json above = point(json::object()), below = point({{"interval", {0.25, 3}}});
    EXPECT_EQ(above["range"], "± 6.5");
    EXPECT_EQ(below["range"], "± 2.25");
    EXPECT_EQ(above["value"], 2.5);
    EXPECT_EQ(above["unit"], "us") << "as it was measured";
    EXPECT_FALSE(point({{"interval", nullptr}}).contains("range"));
}

TEST(GithubActionBenchmark, SaysBesidesHowItWasMeasured) {
    const auto extra = [](const json& row) {
        return in_format("github-action-benchmark", json::array({row}))[0]["extra"].get<std::string>();
    };
    EXPECT_EQ(extra(skewed_time("a")), "kernel clock\n90 % interval [2, 9] us\n4 samples, 2 processes");
    EXPECT_EQ(extra(skewed_time("a", {{"status", "estimate"}, {"reason", "quick"}, {"clock", nullptr}})),
              "no clock\n90 % interval [2, 9] us\n4 samples, 2 processes\nestimate: quick");
    EXPECT_EQ(extra(tests::published_row("a", 41)), "kernel clock");
}

}  // namespace
}  // namespace gridmark::harness
