#pragma once

#include <cmath>
#include <limits>

/// Division by a number whose reciprocal is known: three operations without a branch, and the bits of `/`.
/// A GPU's division is a subroutine of ten instructions and a branch, and a kernel with twelve of them waits
/// for one after the other.
namespace gridmark::maxwell {

/// 1 / b for the functions below; 0 for numbers so small or large that they must do without.
template <class T>
constexpr T reciprocal(T b) {
    constexpr T least = std::numeric_limits<T>::epsilon();
    const T size = b < 0 ? -b : b;
    return size >= least && size <= 1 / least ? 1 / b : 0;
}

/// For dividends of this size and more, quotient() is exact: what its first step leaves is then a number that
/// T can hold.
template <class T>
inline constexpr T least_dividend = 4 * (std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon());

/// a / b for by = reciprocal(b), which is not 0: a first quotient, its remainder, and the correction. The
/// latter two are fused multiply-adds, so that nothing is rounded in between. Exact for large enough
/// dividends and for zeros. (A quotient beyond all numbers comes out as NaN, not as infinity.) Source:
/// Markstein, IBM Journal of Research and Development 34 (1990). With p bits, the first quotient is off by
/// less than 1.5 - 2^(1 - p) units in its last place. A wrong last step would need a / b nearer to the middle
/// between two numbers than any quotient is. That distance is 2^-p / s of a unit, with b = s times a power of
/// two and 1 <= s < 2.
template <class T>
constexpr T quotient(T a, T b, T by) {
    const T first = a * by;
    // The sign stands at a factor: g++ moves one before a fused multiply-add into it, which turns -0 into 0.
    return std::fma(std::fma(first, b, -a), -by, first);
}

/// The same for any dividend and divisor.
template <class T>
constexpr T any_quotient(T a, T b, T by) {
    return by != 0 && (std::abs(a) >= least_dividend<T> || a == 0) ? quotient(a, b, by) : a / b;
}

}  // namespace gridmark::maxwell
