// Files: written as a whole or not at all, and read as JSON with limits.

#include <gtest/gtest.h>

#include <system_error>

#include "harness/os/files.hpp"
#include "harness/results/json_file.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::message_of;
using tests::read_text;

TEST(AtomicFile, WritesAndReplaces) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "a.json";
    write_atomically(path, "first");
    EXPECT_EQ(read_text(path), "first");
    const std::string long_text(300000, 'x');
    write_atomically(path, long_text);
    EXPECT_EQ(read_text(path), long_text);
    write_atomically(path, "");
    EXPECT_EQ(read_text(path), "");
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
}

TEST(AtomicFile, OverwritesWhatACrashLeft) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "a.json.partial", "a half that is longer than the whole");
    write_atomically(folder / "a.json", "whole");
    EXPECT_EQ(read_text(folder / "a.json"), "whole");
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
}

TEST(AtomicFile, NamesAPathThatCannotBe) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", "kept");
    for (const auto& path : {folder / "missing" / "a.json", folder / "file" / "a.json"}) {
        const auto message = tests::message_of<std::system_error>([&] { write_atomically(path, "text"); });
        EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    }
    EXPECT_EQ(read_text(folder / "file"), "kept");
    EXPECT_EQ(folder.names(), std::set<std::string>{"file"});
}

TEST(AtomicFile, LeavesNothingWhenTheRenameFails) {
    const tests::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a.json");  // a folder stands where the file should
    EXPECT_THROW(write_atomically(folder / "a.json", "text"), std::system_error);
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
    EXPECT_TRUE(std::filesystem::is_directory(folder / "a.json"));
}

// --- JSON

/// What parse_json says of a text that it refuses, without the label.
std::string refusal(const std::string& text) {
    const std::string message = message_of<UsageError>([&] { parse_json(text, "f.json"); });
    EXPECT_TRUE(message.starts_with("f.json: ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message.substr(std::string("f.json: ").size());
}

TEST(ParseJson, BuildsWhatTheLibraryWould) {
    for (const char* text :
         {"null", "true", "-0.0", "1e308", "18446744073709551615", "-9223372036854775808", "\"\\u00e9\"",
          "[]", "{}", R"({"a": [1, {"b": [[], {}, "x"]}, 2.5], "c": {"a": null}, "": false})"})
        EXPECT_EQ(parse_json(text, "f.json"), json::parse(text)) << text;
}

TEST(ParseJson, RefusesAKeyThatStandsTwiceInOneObject) {
    EXPECT_EQ(refusal(R"({"a": 1, "a": 1})"), "key a stands twice in one object");
    EXPECT_EQ(refusal(R"({"a": [0, {"b": {}, "c": {"d": 1, "e": [], "d": 2}}]})"),
              "key a.1.c.d stands twice in one object");
    EXPECT_NO_THROW(parse_json(R"([{"a": 1}, {"a": {"a": 1}}])", "f.json"));
}

TEST(ParseJson, RefusesWhatIsNestedTooDeep) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_NO_THROW(parse_json(nested(deepest_json), "f.json"));
    for (const std::string& text : {nested(deepest_json + 1), nested(1'000'000), std::string(1'000'000, '[')})
        EXPECT_EQ(refusal(text), "not a result file: nested more than 32 deep");
}

TEST(ParseJson, RefusesTextsThatAreTooLong) {
    const auto quoted = [](std::size_t length) { return '"' + std::string(length, 'x') + '"'; };
    EXPECT_NO_THROW(parse_json(quoted(longest_json_text), "f.json"));
    EXPECT_EQ(refusal(quoted(longest_json_text + 1)),
              "not a result file: a text of 8193 bytes in it, more than 8192");
    EXPECT_NE(refusal("{" + quoted(longest_json_text + 1) + ": 1}"), "");
}

TEST(ParseJson, RefusesWhatIsNoJson) {
    for (const std::string& text : {std::string(""), std::string("{"), std::string("[1,]"),
                                    std::string("[NaN]"), std::string("\"\xff\""), std::string("\"\\ud800\""),
                                    std::string("1 2"), std::string("\xef\xbb\xbf[]"), std::string("[]\0", 3),
                                    std::string("[]\0garbage", 10), std::string("\"\0\"", 3)})
        EXPECT_TRUE(refusal(text).starts_with("not valid JSON")) << text;
    for (const std::string& text :
         {std::string("1e999999"), std::string("-1e309"), std::string(100'000, '9')})
        EXPECT_EQ(refusal(text), "not valid JSON: it holds a number too large for any double");
}

TEST(ReadJsonFile, RefusesByItsSizeWithoutReading) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "f.json", "[]");
    std::filesystem::resize_file(folder / "f.json", std::uintmax_t{1} << 40);  // a hole: more than any memory
    const auto message = message_of<UsageError>([&] { read_json_file(folder / "f.json"); });
    EXPECT_EQ(message, (folder / "f.json").string() +
                           ": 1099511627776 bytes are too many: a result file has at most 16777216");
}

}  // namespace
}  // namespace gridmark::harness
