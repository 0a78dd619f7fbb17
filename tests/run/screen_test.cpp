#include "harness/run/screen.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

TEST(Cut, LeavesWhatFitsAndEndsWhatDoesNot) {
    EXPECT_EQ(cut("abcdef", 6), "abcdef");
    EXPECT_EQ(cut("abcdefg", 6), "abc...");
    EXPECT_EQ(cut("abcdefg", 4), "a...");
    EXPECT_EQ(cut("abcdefg", 3), "abc") << "no room for more than dots";
    EXPECT_EQ(cut("abcdefg", 2), "ab");
    EXPECT_EQ(cut("abcdefg", 0), "");
    EXPECT_EQ(cut_middle("abcdefghij", 8), "abc...ij");
    EXPECT_EQ(cut_middle("abcdefghij", 10), "abcdefghij");
    EXPECT_EQ(cut_middle("abcdefghij", 6), "ab...j");
    EXPECT_EQ(cut_middle("abcdefghij", 5), "ab...") << "where its end would be too short";
    EXPECT_EQ(cut_middle("abcdefghij", 4), "a...");
}

TEST(Cut, NeverDividesACharacter) {
    const std::string text = "256³ Größen für λ = 0,382";
    EXPECT_EQ(columns(text), 25U);
    EXPECT_EQ(cut(text, 7), "256³...");
    EXPECT_EQ(cut_middle(text, 12), "256³ ...,382");
    EXPECT_EQ(cut_middle("λλλλλλλλ", 7), "λλ...λλ");
    EXPECT_EQ(pad("λ", 3), "λ  ");
    EXPECT_EQ(pad("λλλλλ", 4), "λ...");
}

TEST(Cut, ShowsNoControlCharacters) {
    EXPECT_EQ(cut("a\nb\x1b[31m\x7f", 20), "a?b?[31m?");
    EXPECT_EQ(wrap("a\rb", 20, 0), "a?b\n");
}

TEST(Wrap, BreaksBetweenWords) {
    EXPECT_EQ(wrap("one two three", 13, 4), "one two three\n");
    EXPECT_EQ(wrap("one two three", 12, 4), "one two\n    three\n");
    EXPECT_EQ(wrap("four five six", 10, 4), "four five\n    six\n");
    EXPECT_EQ(wrap("  one two", 6, 2), "  one\n  two\n");
    EXPECT_EQ(wrap("a /a/path/that/stays/whole b", 10, 2), "a\n  /a/path/that/stays/whole\n  b\n");
    EXPECT_EQ(wrap("größer λ", 8, 0), "größer λ\n");
    EXPECT_EQ(wrap("", 8, 0), "\n");
}

TEST(Limited, KeepsTheBeginningAndCountsTheRest) {
    const std::string text = "1\n2\n3\n4\n";
    EXPECT_EQ(lines_of(text), 4U);
    EXPECT_EQ(limited(text, 4, "the file"), text);
    EXPECT_EQ(limited(text, 3, "the file"), "1\n2\n  ... 2 lines more: the file\n");
    EXPECT_EQ(limited(text, 1, "the file"), "  ... 4 lines more: the file\n");
    EXPECT_EQ(limited("", 0, "the file"), "");
}

TEST(Paint, ColoursWhereColourIs) {
    Screen screen;
    EXPECT_EQ(paint(screen, Colour::red, "failed"), "failed");
    screen.colour = true;
    EXPECT_EQ(paint(screen, Colour::red, "failed"), "\x1b[31mfailed\x1b[0m");
    EXPECT_EQ(paint(screen, Colour::green, "a"), "\x1b[32ma\x1b[0m");
    EXPECT_EQ(paint(screen, Colour::yellow, "a"), "\x1b[33ma\x1b[0m");
}

TEST(UnitFor, KeepsNumbersBelowAThousand) {
    EXPECT_STREQ(unit_for(999).name, "us");
    EXPECT_STREQ(unit_for(1000).name, "ms");
    EXPECT_STREQ(unit_for(-1000).name, "ms");
    EXPECT_STREQ(unit_for(2e6).name, "s");
    EXPECT_DOUBLE_EQ(unit_for(2e6).factor * 2e6, 2);
}

}  // namespace
}  // namespace gridmark::harness
