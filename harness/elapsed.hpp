#pragma once

#include <chrono>
#include <stdexcept>
#include <string>

/// Times as numbers. A steady clock may yet go back (a virtual machine that is moved, a broken timer), and
/// what it then says is no time.
namespace gridmark::harness {

/// `seconds` itself. Throws std::range_error when it is not above 0.
inline double positive_time(double seconds) {
    if (!(seconds > 0))
        throw std::range_error("its clock went back or stood still: " + std::to_string(seconds) +
                               " s passed");
    return seconds;
}

/// Seconds since `start`. Throws std::range_error when the clock went back.
inline double seconds_since(std::chrono::steady_clock::time_point start) {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return seconds == 0 ? 0 : positive_time(seconds);
}

}  // namespace gridmark::harness
