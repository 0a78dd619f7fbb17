#pragma once

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <type_traits>

namespace gridmark::harness {

/// std::from_chars, for floating-point numbers too: the standard library of GCC 10, against which the
/// portable folder is built, has them for whole numbers alone. Takes what std::from_chars takes and no more:
/// no white space, no plus sign, no hexadecimal digits. `value` changes only where there is no error.
template <class Number>
std::from_chars_result read_number(const char* begin, const char* end, Number& value) {
    if constexpr (std::is_integral_v<Number>) {
        return std::from_chars(begin, end, value);
    } else {
        std::string text(begin, end);
        text.resize(std::min(text.size(), text.find_first_of("xX")));  // strtod would read hexadecimal digits
        const bool negative = text.starts_with('-');
        const bool other = text.find_first_of(" \t\n\v\f\r+-", negative ? 1 : 0) == (negative ? 1U : 0U);
        char* stopped = text.data();
        errno = 0;
        const double number = other ? 0.0 : std::strtod(text.c_str(), &stopped);
        if (stopped == text.data()) return {begin, std::errc::invalid_argument};
        const char* const after = begin + (stopped - text.data());
        // A subnormal number is one, although strtod complains of it.
        if (errno == ERANGE && (number == 0 || std::isinf(number)))
            return {after, std::errc::result_out_of_range};
        value = static_cast<Number>(number);
        return {after, std::errc()};
    }
}

}  // namespace gridmark::harness
