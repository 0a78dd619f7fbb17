#include "harness/results/result_file.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <system_error>

#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::document;
using tests::message_of;
using tests::timed_row;

json good() {
    return document({timed_row("jacobi/a/kernel/hot", tests::samples_from(1, 0.1)),
                     tests::row_without_time("jacobi/b/kernel/hot", "skipped", "no GPU"),
                     tests::published_row("jacobi/c/kernel/hot", 41)});
}

/// What check_result says of a good document changed by `change`; expects one line that begins with the
/// label.
std::string complaint(const std::function<void(json&)>& change) {
    json bad = good();
    change(bad);
    const std::string message = message_of<UsageError>([&] { check_result(bad, "file.json"); });
    EXPECT_TRUE(message.starts_with("file.json: key ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
}

/// The same, and that it names the key.
void expect_complaint(const std::string& key, const std::function<void(json&)>& change) {
    const std::string message = complaint(change);
    EXPECT_TRUE(message.starts_with("file.json: key " + key + ": ")) << message;
    EXPECT_GT(message.size(), std::string("file.json: key : ").size() + key.size())
        << "no reason: " << message;
}

TEST(ResultFile, ReadsWhatItWrote) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "jacobi.json", good());
    EXPECT_EQ(json(read_result_file(folder / "jacobi.json")), good());
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.json"});
}

TEST(ResultFile, OfVersion1IsNoLongerRead) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "jacobi.json", R"({"schema_version": 1, "context": {}, "benchmarks": []})");
    EXPECT_EQ(message_of<UsageError>([&] { read_result_file(folder / "jacobi.json"); }),
              (folder / "jacobi.json").string() +
                  ": key schema_version: must be 2; version 1 is no longer read, last by commit d3eefcd");
}

TEST(ResultFile, TruncatedAnywhereIsRefusedInOneLine) {
    const tests::TemporaryFolder folder;
    const std::string text = good().dump(1);
    for (std::size_t length :
         {std::size_t{0}, std::size_t{1}, text.size() / 3, text.size() / 2, text.size() - 1}) {
        tests::write_text(folder / "cut.json", text.substr(0, length));
        const auto message = message_of<UsageError>([&] { read_result_file(folder / "cut.json"); });
        EXPECT_TRUE(message.starts_with((folder / "cut.json").string() + ": ")) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
}

TEST(ResultFile, WhatIsNoJsonIsRefusedInOneLine) {
    const tests::TemporaryFolder folder;
    // Text, a bare NaN, bad UTF-8, and a number that no double can hold.
    for (const std::string text : {"hello\nworld", "{\"schema_version\": NaN}", "\"\xff\xfe\"", "[1e999]"}) {
        tests::write_text(folder / "bad.json", text);
        const auto message = message_of<UsageError>([&] { read_result_file(folder / "bad.json"); });
        EXPECT_TRUE(message.starts_with((folder / "bad.json").string() + ": ")) << message;
        EXPECT_NE(message.find("JSON"), std::string::npos) << message;
        EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
}

TEST(ResultFile, MissingIsRefused) {
    const tests::TemporaryFolder folder;
    for (const auto& path : {folder / "none.json", folder.path()}) {
        const auto message = message_of<UsageError>([&] { read_result_file(path); });
        EXPECT_EQ(message, path.string() + ": cannot be read");
    }
}

TEST(ResultFile, OnlyItsVersionIsKnown) {
    expect_complaint("schema_version", [](json& d) { d["schema_version"] = 3; });
    expect_complaint("schema_version", [](json& d) { d["schema_version"] = "1"; });
    expect_complaint("schema_version", [](json& d) { d.erase("schema_version"); });
    expect_complaint("schema_version", [](json& d) { d = json::array(); });
    expect_complaint("schema_version", [](json& d) { d = 5; });
}

TEST(ResultFile, KeysOfTheDocumentAreChecked) {
    expect_complaint("(whole file)", [](json& d) { d.erase("rows"); });
    EXPECT_NE(complaint([](json& d) { d.erase("rows"); }).find("rows"), std::string::npos);
    EXPECT_NE(complaint([](json& d) { d["surplus"] = 1; }).find("surplus"), std::string::npos);
    expect_complaint("context.complete", [](json& d) { d["context"]["complete"] = "yes"; });
    expect_complaint("context.preset", [](json& d) { d["context"]["preset"] = "slow"; });
    expect_complaint("context.experiment", [](json& d) { d["context"]["experiment"] = "../jacobi"; });
    EXPECT_NE(complaint([](json& d) { d["context"].erase("machine"); }).find("machine"), std::string::npos);
}

TEST(ResultFile, KeysOfARowAreChecked) {
    expect_complaint("rows.1.samples", [](json& d) { d["rows"][1]["samples"] = "none"; });
    expect_complaint("rows.0.samples.2", [](json& d) { d["rows"][0]["samples"][2] = "1.2"; });
    expect_complaint("rows.0.status", [](json& d) { d["rows"][0]["status"] = "fine"; });
    expect_complaint("rows.0.clock", [](json& d) { d["rows"][0]["clock"] = "sun"; });
    expect_complaint("rows.0.parameters.nx", [](json& d) { d["rows"][0]["parameters"]["nx"] = {1}; });
    for (const char* key : {"name", "median", "clock", "samples", "counters", "verification"}) {
        const auto message = complaint([&](json& d) { d["rows"][2].erase(key); });
        EXPECT_TRUE(message.starts_with("file.json: key rows.2: ")) << message;
        EXPECT_NE(message.find(key), std::string::npos) << message;
    }
    const auto surplus = complaint([](json& d) { d["rows"][0]["surplus"] = 1; });
    EXPECT_TRUE(surplus.starts_with("file.json: key rows.0")) << surplus;
    EXPECT_NE(surplus.find("surplus"), std::string::npos) << surplus;
}

TEST(ResultFile, ARowWithoutANumberHasAReasonAndTheOthersHaveANumber) {
    complaint([](json& d) { d["rows"][1]["reason"] = nullptr; });
    complaint([](json& d) { d["rows"][1]["reason"] = ""; });
    complaint([](json& d) { d["rows"][1]["median"] = 3; });
    complaint([](json& d) { d["rows"][0]["status"] = "estimate"; });
    complaint([](json& d) { d["rows"][0]["median"] = nullptr; });
    json estimate = good();
    estimate["rows"][0]["status"] = "estimate";
    estimate["rows"][0]["reason"] = "preset quick";
    EXPECT_NO_THROW(check_result(estimate, "file.json"));
}

TEST(ResultFile, AForecastHasNoSamplesAndStandsAmongForecastsAlone) {
    json forecast = good();
    forecast["context"]["preset"] = forecast_preset;
    json& row = forecast["rows"][0];
    row["status"] = "forecast";
    row["reason"] = "by its data sheet";
    row["samples"] = json::array();
    row.erase("process_samples");
    forecast["rows"].erase(2);
    EXPECT_NO_THROW(check_result(forecast, "file.json"));
    const auto refused = [&](const std::function<void(json&)>& change) {
        json bad = forecast;
        change(bad);
        EXPECT_THROW(check_result(bad, "file.json"), UsageError);
    };
    refused([](json& d) { d["rows"][0]["samples"] = {1.0}; });
    refused([](json& d) { d["rows"][0]["reason"] = nullptr; });
    refused([](json& d) { d["rows"].push_back(good()["rows"][2]); });
    refused([](json& d) { d["context"]["preset"] = "paper"; });
}

TEST(ResultFile, RefusesWhatJsonWouldSilentlyWriteAsNull) {
    for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        complaint([&](json& d) { d["rows"][0]["median"] = bad; });
        complaint([&](json& d) { d["rows"][0]["samples"][4] = bad; });
        complaint([&](json& d) { d["rows"][0]["verification"]["error"] = bad; });
        complaint([&](json& d) { d["rows"][0]["counters"] = {{"cycles", bad}}; });
    }
}

TEST(ResultFile, LaunchesMustAddUp) {
    expect_complaint("rows.0.process_samples", [](json& d) { d["rows"][0]["process_samples"] = {4, 4}; });
    expect_complaint("rows.0.process_samples", [](json& d) { d["rows"][0]["process_samples"] = {9, 1}; });
    complaint([](json& d) { d["rows"][0]["process_samples"] = {9, 0}; });
    json three = good();
    three["rows"][0]["process_samples"] = {2, 3, 4};
    EXPECT_NO_THROW(check_result(three, "file.json"));
}

TEST(ResultFile, LaunchesMustAddUpWithoutOverflow) {
    // Twice 2^63 - 1 and 11 are 9, with 2^64 too many.
    expect_complaint("rows.0.process_samples", [](json& d) {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        d["rows"][0]["process_samples"] = {most, most, 11};
    });
}

TEST(ResultFile, NoTwoRowsHaveOneName) {
    expect_complaint("rows.3.name", [](json& d) { d["rows"].push_back(d["rows"][0]); });
}

TEST(ResultFile, AnIntervalHasItsLowEndFirst) {
    expect_complaint("rows.0.interval", [](json& d) { d["rows"][0]["interval"] = {2, 1}; });
    complaint([](json& d) { d["rows"][0]["interval"] = {1}; });
    complaint([](json& d) { d["rows"][0]["interval"] = {1, 2, 3}; });
}

TEST(ResultFile, TheOldOneStaysWhenTheNewOneIsBad) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "jacobi.json", good());
    json bad = good();
    bad["rows"][0]["median"] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(write_result_file(folder / "jacobi.json", bad), UsageError);
    EXPECT_EQ(json(read_result_file(folder / "jacobi.json")), good());
    EXPECT_EQ(folder.names(), std::set<std::string>{"jacobi.json"});
}

TEST(ResultFile, WhatCannotBeWrittenIsASystemError) {
    const tests::TemporaryFolder folder;
    EXPECT_THROW(write_result_file(folder / "missing" / "jacobi.json", good()), std::system_error);
    EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace gridmark::harness
