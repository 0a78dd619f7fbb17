// Numbers read from text, sizes of memory, and times that a clock gives.

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "harness/elapsed.hpp"
#include "harness/read_number.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// The number that a text begins with and how many characters it has; nothing where there is an error.
template <class Number>
std::optional<std::pair<Number, std::size_t>> number_in(const std::string& text) {
    Number value = 77;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
    if (error == std::errc()) return std::pair(value, static_cast<std::size_t>(end - text.data()));
    EXPECT_EQ(value, 77) << "it changes only where there is no error: " << text;
    return std::nullopt;
}

class FloatingPoint : public testing::TestWithParam<std::pair<std::string, std::pair<double, std::size_t>>> {
};

TEST_P(FloatingPoint, IsReadAsFarAsItGoes) {
    const auto& [text, expected] = GetParam();
    EXPECT_EQ(number_in<double>(text), std::optional(expected)) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, FloatingPoint,
    testing::Values(std::pair{"1.5GiB", std::pair{1.5, 3}}, std::pair{"-2", std::pair{-2.0, 2}},
                    std::pair{"1e3", std::pair{1000.0, 3}}, std::pair{".5", std::pair{0.5, 2}},
                    std::pair{"1-2", std::pair{1.0, 1}}, std::pair{"7 8", std::pair{7.0, 1}},
                    std::pair{"0x10", std::pair{0.0, 1}}, std::pair{"5e-324", std::pair{5e-324, 6}},
                    std::pair{"1.7976931348623157e308", std::pair{1.7976931348623157e308, 22}}));

TEST(ReadNumber, TakesNeitherWhiteSpaceNorAPlusNorNothing) {
    for (const char* text : {"", " 1", "\t1", "+1", "-", "--1", "-+1", "- 1", "x", "e5", "1e999", "-1e999"})
        EXPECT_FALSE(number_in<double>(text)) << text;
    EXPECT_TRUE(std::isinf(number_in<double>("inf").value().first)) << "std::from_chars takes it, too";
}

TEST(ReadNumber, OfWholeNumbersEndsAtThePoint) {
    EXPECT_EQ(number_in<int>("12.9"), std::optional(std::pair(12, std::size_t{2})));
    EXPECT_FALSE(number_in<int>("99999999999"));
    EXPECT_FALSE(number_in<int>("+1"));
}

TEST(MemorySize, IsInPowersOf1024) {
    double power = 1;
    for (const std::string prefix : {"", "K", "M", "G", "T"}) {
        const auto bytes = static_cast<std::size_t>(3 * power);
        EXPECT_EQ(parse_memory_size("3" + prefix), bytes);
        EXPECT_EQ(parse_memory_size("3" + prefix + "B"), bytes);
        if (!prefix.empty()) {
            EXPECT_EQ(parse_memory_size("3" + prefix + "iB"), bytes);
        }
        power *= 1024;
    }
    EXPECT_EQ(parse_memory_size("1.5K"), 1536U);
    EXPECT_EQ(parse_memory_size("1"), 1U);
    EXPECT_EQ(parse_memory_size("1048576T"), std::size_t{1} << 60);
    for (const char* text :
         {"", "8P", "8iB", "0", "0.5", "-1", "8KK", "8k", "8GiBx", "1048577T", "nan", "inf"})
        EXPECT_THROW(parse_memory_size(text), UsageError) << text;
}

TEST(PositiveTime, IsNoneThatStoodStillOrWentBack) {
    EXPECT_EQ(positive_time(5e-324), 5e-324);
    EXPECT_EQ(positive_time(2.5), 2.5);
    for (const double none : {0.0, -1.0, std::nan("")})
        EXPECT_THROW(positive_time(none), std::range_error) << none;
    try {
        positive_time(-1.5);
    } catch (const std::range_error& error) {
        EXPECT_STREQ(error.what(), "its clock went back or stood still: -1.500000 s passed");
    }
}

TEST(SecondsSince, AreSecondsAndNeverOfAStartToCome) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = seconds_since(now - std::chrono::hours(1));
    EXPECT_GE(seconds, 3600);
    EXPECT_LT(seconds, 7200);
    EXPECT_THROW(seconds_since(now + std::chrono::hours(1)), std::range_error);
}

}  // namespace
}  // namespace gridmark::harness
