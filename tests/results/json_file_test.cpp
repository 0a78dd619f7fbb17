// Files that are read as JSON, with limits.

#include <gtest/gtest.h>

#include "harness/results/json_file.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::message_of;

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

TEST(ReadJsonFile, TakesTheLargestThatItAllows) {
    const tests::TemporaryFolder folder;
    const std::string blanks(largest_json_file - 2, ' ');
    tests::write_text(folder / "f.json", "[]" + blanks);
    EXPECT_EQ(read_json_file(folder / "f.json"), json::array());
    tests::write_text(folder / "f.json", "[]" + blanks + " ");
    EXPECT_THROW(read_json_file(folder / "f.json"), UsageError);
}

}  // namespace
}  // namespace gridmark::harness
