// What the reader of results refuses beyond the schema, and what keeps a set from being
// contributed.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <functional>
#include <limits>

#include "harness/results/contribution.hpp"
#include "harness/results/json_file.hpp"
#include "harness/results/result_file.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::message_of;

json with_rows() {
    return tests::document({tests::timed_row("a", {1, 2, 3}), tests::timed_row("b", {4, 5, 6})});
}

TEST(RulesOfAResult, ANumberOfTheContextIsFinite) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
        json document = with_rows();
        document["context"]["software"] = {{"deep", {1.0, bad}}};
        EXPECT_EQ(message_of<UsageError>([&] { check_result(document, "f"); }),
                  "f: key context: a number is NaN or infinite");
    }
}

TEST(RulesOfAResult, AnIntervalMayHaveNoWidth) {
    json document = with_rows();
    document["rows"][1]["interval"] = {5, 5};
    EXPECT_NO_THROW(check_result(document, "f"));
    document["rows"][1]["interval"] = {5, 4.999};
    EXPECT_EQ(message_of<UsageError>([&] { check_result(document, "f"); }),
              "f: key rows.1.interval: its ends are reversed");
}

TEST(RulesOfAResult, ARowAloneIsCheckedAlike) {
    json row = with_rows()["rows"][0];
    EXPECT_NO_THROW(check_row(row, "child"));
    row["process_samples"] = {4};
    EXPECT_EQ(message_of<UsageError>([&] { check_row(row, "child"); }),
              "child: key rows.0.process_samples: they add up to more than the 3 samples");
}

TEST(SetOfForecasts, IsNoSetOfMeasurementsButItsRowsHaveNames) {
    const tests::TemporaryFolder folder;
    json document = with_rows();
    document["context"]["preset"] = forecast_preset;
    for (json& row : document["rows"]) {
        row.update({{"status", "forecast"}, {"reason", "by its sheet"}, {"samples", json::array()}});
        row.erase("process_samples");
    }
    write_result_file(folder / "jacobi.json", document);
    EXPECT_EQ(message_of<UsageError>([&] { load_result_set(folder.path()); }),
              (folder / "jacobi.json").string() + ": holds forecasts, which are no measurements");
}

TEST(NamedRow, IsTheOneOfThatNameAndNoOther) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "jacobi.json", with_rows());
    EXPECT_EQ(row_named(folder.path(), "jacobi", "b").median, 5);
    EXPECT_EQ(row_named(folder.path(), "jacobi", "a").median, 2);
    EXPECT_EQ(message_of<UsageError>([&] { row_named(folder.path(), "jacobi", "c"); }),
              "--row c: " + folder.path().string() + " has no such row of jacobi");
    EXPECT_EQ(message_of<UsageError>([&] { row_named(folder.path(), "heat", "a"); }),
              "--row a: " + folder.path().string() + " has no such row of heat");
}

TEST(JsonFile, IsARegularOne) {
    const tests::TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const std::filesystem::path& path :
         {folder / "pipe", std::filesystem::path("/dev/null"), folder / "none"})
        EXPECT_EQ(message_of<UsageError>([&] { read_json_file(path); }), path.string() + ": cannot be read");
}

// A byte order mark is refused before anything is parsed, which would take seconds.
TEST(JsonFile, MayBeAsLargeAsTheLargest) {
    const tests::TemporaryFolder folder;
    const std::string text = "\xef\xbb\xbf" + std::string(largest_json_file - 3, ' ');
    const auto refusal_of = [&](const std::string& written) {
        tests::write_text(folder / "f.json", written);
        return message_of<UsageError>([&] { read_json_file(folder / "f.json"); })
            .substr((folder / "f.json").string().size());
    };
    EXPECT_EQ(refusal_of(text), ": not valid JSON: it begins with a byte order mark");
    EXPECT_EQ(refusal_of(text + ' '), ": 16777217 bytes are too many: a result file has at most 16777216");
}

TEST(JsonFile, SaysAtWhichByteANullStands) {
    EXPECT_EQ(message_of<UsageError>([] { parse_json(std::string_view("[]\0", 3), "f"); }),
              "f: not valid JSON at byte 3: a null byte");
}

// --- contributions

/// What keeps a set of one experiment from being contributed, after `change` to its document.
std::vector<std::string> kept_out(const std::function<void(json&)>& change) {
    json document = tests::document({tests::timed_row("a", {1, 2, 30}), tests::timed_row("b", {4, 5, 6})});
    document["context"]["processes"] = 3;
    document["context"]["build"] = {{"build_type", "Release"}, {"commit", "abc"}, {"dirty", false}};
    change(document);
    const ResultSet set{"r", "m", true, {{"jacobi", document.get<ResultFile>()}}};
    return shortcomings(set, {"jacobi"}, {});
}

using Reasons = std::vector<std::string>;

TEST(ContributedRows, HaveTheMedianOfTheirSamples) {
    EXPECT_EQ(kept_out([](json&) {}), Reasons{});
    EXPECT_EQ(kept_out([](json& d) { d["rows"][0]["median"] = 2 * (1 + 1e-12); }), Reasons{}) << "rounded";
    for (const double other : {2 * (1 + 1e-8), 2.0001, 11.0})  // the last is the mean
        EXPECT_EQ(kept_out([&](json& d) { d["rows"][0]["median"] = other; }),
                  Reasons{"jacobi.json: 1 rows whose median is not that of their samples, first a"});
}

TEST(ContributedRows, WereNotDisturbedEvenWhereThatIsAllowed) {
    for (const bool allowed : {false, true})
        EXPECT_EQ(kept_out([&](json& d) {
                      d["rows"][1]["disturbed"] = {{"by", {"x", "y"}}, {"allowed", allowed}};
                  }),
                  Reasons{"jacobi.json: 1 disturbed rows, first b (x, y); measure it again"});
}

TEST(ContributedRows, AreCountedAndTheFirstIsNamed) {
    EXPECT_EQ(kept_out([](json& d) {
                  for (json& row : d["rows"])
                      row["disturbed"] = {{"by", {"x"}}, {"allowed", false}};
              }),
              Reasons{"jacobi.json: 2 disturbed rows, first a (x); measure it again"});
}

TEST(ContributedFiles, OfAQuickRunAreAskedForOneThing) {
    EXPECT_EQ(kept_out([](json& d) {
                  d["context"]["preset"] = "quick";
                  d["context"]["processes"] = 1;
              }),
              Reasons{"jacobi.json: preset quick gives estimates; measure with paper or full"});
}

TEST(ContributedFiles, HoldNoPathOfAHome) {
    for (const std::string home : {"/home/", "/root/", "/Users/"})
        EXPECT_EQ(kept_out([&](json& d) {
                      d["context"]["software"] = {{"cuda", home + "me/cuda"}};
                  }),
                  Reasons{"jacobi.json: holds \"" + home + "\": host, user and paths stay out"});
}

}  // namespace
}  // namespace gridmark::harness
