#include "harness/run/screen.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gridmark::harness {
namespace {

bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// Bytes of the text's first `width` columns.
std::size_t bytes_of(std::string_view text, std::size_t width) {
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if (!continues(text[at]) && width-- == 0) break;
    return at;
}

bool is_set(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
}

/// A width in columns; 0 where the variable holds none.
std::size_t columns_variable() {
    const char* text = std::getenv("COLUMNS");
    return text == nullptr ? 0 : static_cast<std::size_t>(std::clamp(std::atoi(text), 0, 10'000));
}

}  // namespace

Screen standard_output() {
    Screen screen;
    const bool terminal = ::isatty(STDOUT_FILENO) == 1;
    screen.moving = terminal && is_set("TERM") && std::string_view(std::getenv("TERM")) != "dumb";
    screen.colour = screen.moving && !is_set("NO_COLOR");
    winsize window{};
    std::size_t width = 0;
    if (terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) width = window.ws_col;
    if (const std::size_t wanted = columns_variable(); wanted > 0)
        width = width == 0 ? wanted : std::min(width, wanted);
    if (width > 0) screen.width = width;
    return screen;
}

std::size_t columns(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

std::string without_control_characters(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return result;
}

std::string cut(std::string_view text, std::size_t width) {
    std::string whole = without_control_characters(text);
    if (columns(whole) <= width) return whole;
    if (width <= 3) return whole.substr(0, bytes_of(whole, width));
    return whole.substr(0, bytes_of(whole, width - 3)) + "...";
}

std::string cut_middle(std::string_view text, std::size_t width) {
    const std::string whole = without_control_characters(text);
    const std::size_t all = columns(whole);
    if (all <= width || width <= 5) return cut(whole, width);
    const std::size_t end = (width - 3) / 2, begin = width - 3 - end;
    return whole.substr(0, bytes_of(whole, begin)) + "..." + whole.substr(bytes_of(whole, all - end));
}

std::string pad(std::string_view text, std::size_t width) {
    const std::string result = cut(text, width);
    return result + std::string(width - columns(result), ' ');
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
    const std::string whole = without_control_characters(text);
    std::size_t used = std::min(whole.find_first_not_of(' '), whole.size());  // columns of the present line
    std::string result(used, ' ');
    bool first = true;
    for (std::size_t at = used; at < whole.size();) {
        const std::size_t end = std::min(whole.find(' ', at), whole.size());
        const std::string word = whole.substr(at, end - at);
        if (!first && used + 1 + columns(word) > width) {
            result += '\n' + std::string(indent, ' ');
            used = indent;
        } else if (!first) {
            result += ' ';
            ++used;
        }
        result += word;
        used += columns(word);
        first = false;
        at = end + 1;
    }
    return result + '\n';
}

std::size_t lines_of(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::string limited(const std::string& text, std::size_t most, const std::string& where) {
    const std::size_t lines = lines_of(text);
    if (lines <= most) return text;
    std::size_t end = 0;
    for (std::size_t line = 1; line < most; ++line)
        end = text.find('\n', end) + 1;
    return text.substr(0, end) + fmt::format("  ... {} lines more: {}\n", lines - (most - 1), where);
}

std::string paint(const Screen& screen, Colour colour, const std::string& text) {
    if (!screen.colour) return text;
    const int number = colour == Colour::red ? 31 : colour == Colour::green ? 32 : 33;
    return fmt::format("\x1b[{}m{}\x1b[0m", number, text);
}

TimeUnit unit_for(double microseconds) {
    const double size = std::abs(microseconds);
    return size < 1e3 ? TimeUnit{1, "us"} : size < 1e6 ? TimeUnit{1e-3, "ms"} : TimeUnit{1e-6, "s"};
}

}  // namespace gridmark::harness
