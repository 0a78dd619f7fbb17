// What a user types: settings, sizes, presets.

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <system_error>

#include "harness/preset.hpp"
#include "harness/read_number.hpp"
#include "harness/settings.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

const std::set<std::string> known{"nx", "dt", "precision"};

template <class Run>
std::string refusal(Run run) {
    const std::string message = tests::message_of<UsageError>(run);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
}

TEST(Settings, GiveDefaultsForWhatIsNotSet) {
    const Settings none({}, known);
    EXPECT_EQ(none.integer("nx", 512, 3, 1000), 512);
    EXPECT_EQ(none.number("dt", 0.25), 0.25);
    EXPECT_EQ(none.word("precision", "float", {"float", "double"}), "float");
}

TEST(Settings, ReadTheirTypes) {
    const Settings s({{"nx", "64"}, {"dt", "-2.5e-3"}, {"precision", "double"}}, known);
    EXPECT_EQ(s.integer("nx", 512, 3, 1000), 64);
    EXPECT_EQ(s.number("dt", 0), -2.5e-3);
    EXPECT_EQ(s.word("precision", "float", {"float", "double"}), "double");
}

TEST(Settings, KnowWhatWasGiven) {
    const Settings s({{"nx", ""}}, known);
    EXPECT_TRUE(s.has("nx"));
    EXPECT_FALSE(s.has("dt"));
    EXPECT_EQ(s.text("nx", "otherwise"), "");
    EXPECT_EQ(s.text("dt", "otherwise"), "otherwise");
}

TEST(Settings, ArePairsOfWords) {
    using Pairs = std::map<std::string, std::string>;
    EXPECT_EQ(parse_settings({}), Pairs());
    EXPECT_EQ(parse_settings({"nx=5", "dt=", "title=a=b"}),
              (Pairs{{"nx", "5"}, {"dt", ""}, {"title", "a=b"}}));
    for (const char* word : {"", "nx", "=5", "="})
        EXPECT_EQ(refusal([&] {
                      parse_settings({"dt=1", word});
                  }),
                  std::string("--set ") + word + ": not of the form KEY=VALUE");
}

TEST(Settings, NameTheOptionThatTheyCameBy) {
    const Settings s({{"nx", "x"}, {"dt", "x"}, {"precision", "x"}}, known, "--axis");
    EXPECT_EQ(s.option(), "--axis");
    EXPECT_EQ(Settings({}, known).option(), "--set");
    EXPECT_EQ(refusal([&] { s.integer("nx", 1, 0, 9); }), "--axis nx=x: not a whole number");
    EXPECT_EQ(refusal([&] { s.number("dt", 1); }), "--axis dt=x: not a finite number");
    EXPECT_EQ(refusal([&] {
                  s.word("precision", "a", {"a", "b"});
              }),
              "--axis precision=x: must be one of a, b");
    EXPECT_EQ(refusal([] {
                  Settings({{"a", "1"}}, {}, "--axis");
              }),
              "--axis a: no such key; this study has none here");
}

TEST(Settings, RefuseKeysThatAnotherLeavesWithoutAMeaning) {
    const Settings s({{"nx", "5"}}, known);
    EXPECT_NO_THROW(s.refuse({"dt", "precision"}, "--input"));
    EXPECT_EQ(refusal([&] { s.refuse({"dt", "nx"}, "--input"); }), "--set nx: has no meaning beside --input");
}

std::size_t device_values(const std::map<std::string, std::string>& set, std::size_t value_bytes = 4) {
    return device_values_of(Settings(set, {"device_values", "budget_mib"}), value_bytes, 1000);
}

TEST(DeviceValues, AreANumberOrWhatABudgetHolds) {
    EXPECT_EQ(device_values({}), 1000U);
    EXPECT_EQ(device_values({{"device_values", "1"}}), 1U);
    EXPECT_EQ(device_values({{"device_values", "1099511627776"}}), std::size_t{1} << 40);
    EXPECT_EQ(device_values({{"budget_mib", "3"}}), 3U << 18);
    EXPECT_EQ(device_values({{"budget_mib", "3"}}, 8), 3U << 17);
    EXPECT_EQ(device_values({{"budget_mib", "1e-5"}}), 2U) << "whole ones: of 10.5 bytes two";
    EXPECT_EQ(device_values({{"budget_mib", "1"}}, 1 << 20), 1U);
    EXPECT_EQ(device_values({{"budget_mib", "4194304"}}), std::size_t{1} << 40);
}

TEST(DeviceValues, RefuseBothAtOnceAndWhatIsNone) {
    for (const char* values : {"0", "1099511627777", "1.5"})
        EXPECT_THROW(device_values({{"device_values", values}}), UsageError) << values;
    for (const char* budget : {"0", "-1", "1e-9", "4194305", "x"})
        EXPECT_THROW(device_values({{"budget_mib", budget}}), UsageError) << budget;
    EXPECT_EQ(refusal([] {
                  device_values({{"budget_mib", "1"}, {"device_values", "5"}});
              }),
              "--set device_values: has no meaning beside budget_mib");
}

// This compiler's library has what the portable folder's lacks.
TEST(ReadNumber, TakesWhatFromCharsTakes) {
    for (const std::string text :
         {"0",    "-0",    "1.5",      ".5",   "5.",    "-2.5e-3", "1e5x",   "1e",     "1e+5",
          "12,5", "",      "-",        "+1",   " 1",    "- 1",     "--1",    "-+1",    "0x10",
          "x1",   "inf",   "-inf",     "nan",  "infxx", "1e400",   "-1e400", "1e-400", "4e-310",
          "5GiB", "1_000", "0.1e-1.5", "1\t2", "1 2",   "e5"}) {
        double expected = 7, found = 7;
        const char *const begin = text.data(), *const end = begin + text.size();
        const auto right = std::from_chars(begin, end, expected);
        const auto is = read_number(begin, end, found);
        EXPECT_EQ(is.ec, right.ec) << text;
        EXPECT_EQ(is.ptr - begin, right.ptr - begin) << text;
        if (std::isnan(expected))
            EXPECT_TRUE(std::isnan(found)) << text;
        else
            EXPECT_EQ(found, expected) << text;
    }
}

TEST(Settings, RefuseAKeyThatNoVariantHas) {
    EXPECT_EQ(refusal([] {
                  Settings({{"nxx", "5"}}, known);
              }),
              "--set nxx: no such key; this study knows dt, nx, precision");
}

TEST(Settings, RefuseWhatIsNoWholeNumber) {
    for (const char* text : {"", "x", "5x", "5.0", " 5", "1e3", "99999999999999999999", "0x10", "+"}) {
        const Settings s({{"nx", text}}, known);
        EXPECT_EQ(refusal([&] { s.integer("nx", 1, 0, 1'000'000); }),
                  std::string("--set nx=") + text + ": not a whole number");
    }
}

TEST(Settings, RefuseWhatLiesOutside) {
    const auto value = [](const char* text) {
        return Settings({{"nx", text}}, known).integer("nx", 5, 3, 10);
    };
    EXPECT_EQ(value("3"), 3);
    EXPECT_EQ(value("10"), 10);
    EXPECT_EQ(refusal([&] { value("2"); }), "--set nx=2: must lie between 3 and 10");
    EXPECT_EQ(refusal([&] { value("11"); }), "--set nx=11: must lie between 3 and 10");
    EXPECT_EQ(refusal([&] { value("-4"); }), "--set nx=-4: must lie between 3 and 10");
}

TEST(Settings, RefuseWhatIsNoFiniteNumber) {
    for (const char* text : {"", "x", "1.5x", "nan", "inf", "-inf", "1e999", "1,5"}) {
        const Settings s({{"dt", text}}, known);
        EXPECT_EQ(refusal([&] { s.number("dt", 1); }),
                  std::string("--set dt=") + text + ": not a finite number");
    }
}

TEST(Settings, RefuseAnotherWord) {
    const Settings s({{"precision", "half"}}, known);
    EXPECT_EQ(refusal([&] {
                  s.word("precision", "float", {"float", "double"});
              }),
              "--set precision=half: must be one of double, float");
}

TEST(MemorySize, ReadsPowersOf1024) {
    EXPECT_EQ(parse_memory_size("4096"), 4096U);
    EXPECT_EQ(parse_memory_size("4096B"), 4096U);
    EXPECT_EQ(parse_memory_size("1K"), 1024U);
    EXPECT_EQ(parse_memory_size("512M"), 512U << 20);
    EXPECT_EQ(parse_memory_size("512MB"), 512U << 20);
    EXPECT_EQ(parse_memory_size("8GiB"), std::size_t{8} << 30);
    EXPECT_EQ(parse_memory_size("1.5G"), std::size_t{3} << 29);
    EXPECT_EQ(parse_memory_size("2T"), std::size_t{2} << 40);
}

TEST(MemorySize, RefusesEverythingElse) {
    for (const char* text : {"", "G", "GiB", "8X", "8GG", "8Gi", "8 G", "-8G", "0", "0.5", "nan", "inf",
                             "8iB", "1e30", "9999999T", "0x10"})
        EXPECT_EQ(refusal([&] { parse_memory_size(text); }),
                  std::string(text) + ": not a size such as 8GiB or 512M");
}

TEST(Presets, AreThreeWords) {
    for (Preset preset : {Preset::quick, Preset::paper, Preset::full})
        EXPECT_EQ(parse_preset(to_string(preset)), preset);
    EXPECT_EQ(to_string(Preset::quick), "quick");
    EXPECT_EQ(to_string(Preset::paper), "paper");
    EXPECT_EQ(to_string(Preset::full), "full");
    for (const char* word : {"", "Quick", "published", "quick "})
        EXPECT_EQ(refusal([&] { parse_preset(word); }),
                  std::string("--preset: ") + word + " is none of quick, paper, full");
}

// The rules of measuring: at least nine samples, and three launches wherever a difference is to be resolved.
TEST(Presets, KeepTheRulesOfMeasuring) {
    for (Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        const Protocol p = protocol(preset);
        EXPECT_GE(p.least_samples, 9);
        EXPECT_GE(p.fewest_samples * p.processes, 9);
        EXPECT_LE(p.fewest_samples, p.least_samples);
        EXPECT_GE(p.most_samples, p.least_samples);
        EXPECT_GT(p.budget_seconds, 0);
        EXPECT_EQ(p.processes, preset == Preset::quick ? 1 : 3);
    }
}

}  // namespace
}  // namespace gridmark::harness
