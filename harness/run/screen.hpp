#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Where a run's text is shown, and text made to fit there. A column is a code point of UTF-8.
namespace gridmark::harness {

struct Screen {
    bool moving = false;     ///< a terminal, whose last line can be drawn anew
    bool colour = false;     ///< a terminal, and neither NO_COLOR nor TERM=dumb speaks against it
    std::size_t width = 80;  ///< columns
};

/// Standard output as it is now. The width is the window's, or COLUMNS where that is less or there is no
/// window.
Screen standard_output();

std::size_t columns(std::string_view text);

/// The text with "?" in the place of control characters.
std::string without_control_characters(std::string_view text);
/// The text, printable, in at most `width` columns; where it is longer, "..." stands for its end, of more
/// than three columns.
std::string cut(std::string_view text, std::size_t width);
/// The same; "..." stands for its middle, of more than five columns.
std::string cut_middle(std::string_view text, std::size_t width);
/// The text cut to `width` columns, and spaces up to them.
std::string pad(std::string_view text, std::size_t width);
/// The text in lines of at most `width` columns, each but the first indented; a longer word stays whole. Ends
/// with a line feed.
std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

std::size_t lines_of(std::string_view text);
/// The text; where it has more than `most` lines, their beginning, how many more there are, and where.
std::string limited(const std::string& text, std::size_t most, const std::string& where);

enum class Colour { red, green, yellow };
std::string paint(const Screen& screen, Colour colour, const std::string& text);

/// The unit that suits a time, and what microseconds are multiplied by for it.
struct TimeUnit {
    double factor;
    const char* name;
};
TimeUnit unit_for(double microseconds);

}  // namespace gridmark::harness
