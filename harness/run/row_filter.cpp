#include "harness/run/row_filter.hpp"

#include <fmt/format.h>

#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// The library reads an expression by recursion, so that a long one overflows the stack.
constexpr std::size_t longest = 200;

/// libstdc++ matches by backtracking unless told so, in time that grows like 2^n for "(a*)*b".
const auto syntax = std::regex::ECMAScript | std::regex_constants::__polynomial;

std::string why(const std::regex_error& error) {
    if (error.code() == std::regex_constants::error_complexity) return "back-references are not offered";
    if (error.code() == std::regex_constants::error_space) return "its counts multiply to too many states";
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
}

}  // namespace

RowFilter::RowFilter(const std::string& expression) {
    if (expression.size() > longest)
        throw UsageError(
            fmt::format("--filter: {} characters are too many, {} are allowed", expression.size(), longest));
    // One within another takes a time of n^depth.
    if (expression.find("(?=") != std::string::npos || expression.find("(?!") != std::string::npos)
        throw UsageError(fmt::format("--filter: {} looks ahead, which is not offered", expression));
    try {
        // By itself first: "a)(b" would be one within the parentheses below.
        const std::regex alone(expression, syntax);
        // One pass over the name, where a search would begin anew at every character.
        whole_.assign("[^]*(?:" + expression + ")[^]*", syntax);
    } catch (const std::regex_error& error) {
        throw UsageError(
            fmt::format("--filter: {} is not a regular expression ({})", expression, why(error)));
    }
}

}  // namespace gridmark::harness
