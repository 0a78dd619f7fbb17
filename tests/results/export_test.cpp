// A set as CSV, read back; units of time; what is to stay private.

#include "harness/export/export.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::message_of;

ResultSet set_holding(const json& rows, const json& context = json::object()) {
    json document = tests::document(rows);
    document["context"].update(context);
    return {"results/mine", "Some GPU", true, {{"jacobi", document.get<ResultFile>()}}};
}

/// The records of a CSV, each a map from the first record's names, by the rules of RFC 4180.
std::vector<std::map<std::string, std::string>> records_of(const std::string& text) {
    std::vector<std::vector<std::string>> lines{{""}};
    bool quoted = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"' && quoted && text[at + 1] == '"')
            lines.back().back() += text[++at];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            lines.back().emplace_back();
        else if ((c == '\n' || c == '\r') && !quoted)
            lines.push_back({""});
        else
            lines.back().back() += c;
    }
    lines.pop_back();  // behind the last line's end
    std::vector<std::map<std::string, std::string>> records;
    for (std::size_t k = 1; k < lines.size(); ++k) {
        EXPECT_EQ(lines[k].size(), lines[0].size()) << "record " << k;
        auto& record = records.emplace_back();
        for (std::size_t i = 0; i < lines[0].size(); ++i)
            record[lines[0][i]] = lines[k].at(i);
    }
    return records;
}

/// Words that need quotes, each for a reason of its own.
const char* const awkward[] = {"a,b", "a\"b", "a\nb", "a\rb", "\"", ",", "plain"};

TEST(Csv, ReadBackHoldsEveryFieldWhateverIsInIt) {
    for (const std::string word : awkward) {
        json row = tests::timed_row(word + "/name", {3}, {{"variant", word + "/variant"}, {"unit", "ms"}});
        row["parameters"] = {{word, word + "/value"}, {"n", 4096}, {"s", 0.5}, {"on", true}};
        row.update({{"status", "estimate"}, {"reason", word + "/reason"}});
        ResultSet set = set_holding(json::array({row}));
        set.machine = word;
        const auto records = records_of(export_set(set, "csv").text);
        ASSERT_EQ(records.size(), 1U) << word;
        const std::map<std::string, std::string> expected{{"machine", word},
                                                          {"experiment", "jacobi"},
                                                          {"variant", word + "/variant"},
                                                          {"name", word + "/name"},
                                                          {"quantity", "time"},
                                                          {"unit", "ms"},
                                                          {"clock", "kernel"},
                                                          {"process", "0"},
                                                          {"sample", "0"},
                                                          {"value", "3"},
                                                          {"status", "estimate"},
                                                          {"reason", word + "/reason"},
                                                          {"parameter_" + word, word + "/value"},
                                                          {"parameter_n", "4096"},
                                                          {"parameter_s", "0.5"},
                                                          {"parameter_on", "true"}};
        EXPECT_EQ(records[0], expected) << word;
    }
}

TEST(Csv, ReadBackHoldsEverySampleExactlyAtItsPlace) {
    const std::vector<double> samples{1.0 / 3, 5e-324, 1.7976931348623157e308, 2, 0.1};
    const auto records = records_of(
        export_set(set_holding(json::array({tests::timed_row("a", samples, {{"process_samples", {2, 3}}})})),
                   "csv")
            .text);
    ASSERT_EQ(records.size(), samples.size());
    const char* const places[] = {"0/0", "0/1", "1/0", "1/1", "1/2"};
    for (std::size_t k = 0; k < samples.size(); ++k) {
        EXPECT_EQ(std::strtod(records[k].at("value").c_str(), nullptr), samples[k]);
        EXPECT_EQ(records[k].at("process") + "/" + records[k].at("sample"), places[k]);
    }
}

TEST(Csv, HasALineForARowWithoutSamplesAndLeavesOutNone) {
    const Exported csv =
        export_set(set_holding({tests::published_row("a", 41, {{"parameters", {{"n", 1}}}}),
                                tests::row_without_time("b", "skipped", "no GPU",
                                                        {{"parameters", {{"m", 2}}}, {"clock", nullptr}})}),
                   "csv");
    const auto records = records_of(csv.text);
    ASSERT_EQ(records.size(), 2U);
    for (const char* place : {"process", "sample"})
        EXPECT_EQ(records[0].at(place) + records[1].at(place), "");
    EXPECT_EQ(records[0].at("value"), "41");
    EXPECT_EQ(records[1].at("value"), "");
    EXPECT_EQ(records[1].at("clock"), "");
    EXPECT_EQ(records[1].at("reason"), "no GPU");
    EXPECT_EQ(records[0].at("parameter_n") + "/" + records[0].at("parameter_m"), "1/");
    EXPECT_EQ(records[1].at("parameter_n") + "/" + records[1].at("parameter_m"), "/2");
    EXPECT_EQ(csv.without_number + csv.other_than_time, 0U);
}

// --- what cannot be exported

TEST(Export, RefusesAFormatThatThereIsNot) {
    const ResultSet set = set_holding(json::array({tests::timed_row("a", {1})}));
    EXPECT_EQ(message_of<UsageError>([&] { export_set(set, "CSV"); }),
              "CSV: no such format (there are csv, googlebenchmark, bencher, github-action-benchmark)");
    for (const std::string& format : export_formats())
        EXPECT_FALSE(export_set(set, format).text.empty()) << format;
}

TEST(Export, RefusesTwoRowsOfOneNameAcrossFiles) {
    ResultSet set = set_holding(json::array({tests::timed_row("a", {1})}));
    set.files["heat"] = set.files.at("jacobi");
    for (const std::string& format : export_formats())
        EXPECT_EQ(message_of<UsageError>([&] { export_set(set, format); }),
                  "results/mine: two rows are called a");
}

TEST(Export, RefusesASetOfWhichAFormatHoldsNothing) {
    const json skipped = tests::row_without_time("a", "skipped", "x");
    for (const std::string& format : export_formats()) {
        const auto message = [&](const json& rows) {
            return message_of<UsageError>([&] { export_set(set_holding(rows), format); });
        };
        const std::string nothing = "results/mine: holds nothing that " + format + " has a place for";
        EXPECT_EQ(message(json::array()), nothing);
        EXPECT_EQ(message(json::array({skipped})), format == "csv" ? "nothing was thrown" : nothing);
    }
}

// --- units

TEST(NanosecondsInAUnit, GoUpByThousands) {
    const char* const units[] = {"ns", "us", "ms", "s"};
    double nanoseconds = 1;
    for (const char* unit : units) {
        EXPECT_EQ(nanoseconds_in(unit), nanoseconds) << unit;
        nanoseconds *= 1000;
    }
    for (const char* other : {"", "%", "GB/s", "S", "min"})
        EXPECT_FALSE(nanoseconds_in(other)) << other;
}

TEST(ScaledNumber, ThereAndBackIsItselfToTwelveDigits) {
    const Row row = tests::timed_row("a", {1}).get<Row>();
    for (const char* unit : {"ns", "us", "ms", "s"})
        for (const double value : {2.345678, 1.0, 123456.789012, 3e-9, -0.125, 0.0}) {
            const double factor = nanoseconds_in(unit).value();
            EXPECT_EQ(scaled(scaled(value, factor, row), 1 / factor, row), value) << unit;
        }
    EXPECT_EQ(scaled(2.345678, 1000, row), 2345.678) << "and not 2345.6779999999999";
    EXPECT_EQ(scaled(1.23456789012, 1, row), 1.23456789012) << "no fewer digits";
    EXPECT_EQ(scaled(1.0 / 3, 1, row), 0.333333333333) << "nor more";
}

TEST(ScaledNumber, IsNamedWhereItIsTooLarge) {
    const Row row = tests::timed_row("jacobi/x", {1}, {{"unit", "s"}}).get<Row>();
    EXPECT_EQ(message_of<UsageError>([&] { scaled(1e300, 1e9, row); }),
              "jacobi/x: 1e+300 s is too large for this format");
}

// --- what stays private

using Texts = std::vector<std::string>;

TEST(PrivateTexts, AreThoseUnderKeysThatSpeakOfAnIdentity) {
    const json context{{"gpu", {{"name", "Some GPU"}, {"UUID", "GPU-0a1b"}, {"serial_number", "1654"}}},
                       {"hostNames", {{{"short", "node-17"}}, "node-17.cluster"}},
                       {"user", "al"},
                       {"userland", "abcd"},
                       {"reasons", {{"host", "not permitted"}}}};
    EXPECT_EQ(private_texts(set_holding(json::array(), context), {"me"}),
              (Texts{"node-17.cluster", "GPU-0a1b", "node-17", "1654", "abcd", "me"}))
        << "the longest first; of three letters, a name or a reason none";
    EXPECT_EQ(private_texts(set_holding(json::array(), {{"host", "jacobi"}}), {}), Texts{})
        << "an experiment's name";
}

TEST(WithoutPrivateTexts, NothingOfThemIsLeftAnywhere) {
    json row = tests::timed_row("jacobi/node-17/x", {1}, {{"variant", "node-17"}});
    row["parameters"] = {{"node-17", "on node-17"}, {"n", 4}};
    ResultSet set = set_holding(json::array({row}), {{"note", {{"node-17", {"node-17 node-17"}}}}});
    set.machine = "card of node-17";
    const ResultSet left = without(set, {"node-17"});
    EXPECT_EQ(left.machine, "card of (left out)");
    const json document = left.files.at("jacobi");
    EXPECT_EQ(document.dump().find("node-17"), std::string::npos) << document.dump(1);
    EXPECT_EQ(document["context"]["note"], (json{{"(left out)", {"(left out) (left out)"}}}));
    EXPECT_EQ(left.files.at("jacobi").rows[0].name, "jacobi/(left out)/x");
    EXPECT_EQ(document["rows"][0]["parameters"], (json{{"(left out)", "on (left out)"}, {"n", 4}}));
    EXPECT_EQ(json(without(set, {}).files.at("jacobi")), json(set.files.at("jacobi")));
}

// The words that stand in place of a text hold that text themselves.
TEST(WithoutPrivateTexts, EndsWhereTheTextIsAPartOfWhatReplacesIt) {
    const ResultSet set = set_holding(json::array(), {{"note", "left left"}});
    EXPECT_EQ(without(set, {"left"}).files.at("jacobi").context["note"].get<std::string>(),
              "(left out) (left out)");
}

}  // namespace
}  // namespace gridmark::harness
