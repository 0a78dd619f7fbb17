#pragma once

#include <cstddef>

namespace gridmark::pyramid {

/// One level of cyclic reduction: rows -e x[r-1] + b x[r] - e x[r+1] = f[r], the last with a diagonal b' of
/// its own.
template <class T>
struct Level {
    std::size_t rows;
    int number;
    T share, last_share;      ///< e / b and e / b'
    T inverse, last_inverse;  ///< 1 / b and 1 / b'
};

template <class T>
struct Levels {
    static constexpr int most = 48;
    int count, first = 0;
    Level<T> level[most];
};

/// The levels of the matrix of order m (below 2^47) with off-diagonals -s and diagonal 1 + 2 s, down to a
/// single row. Made in double, so that rounding does not add up from level to level.
template <class T>
Levels<T> levels_of(double s, std::size_t m);

}  // namespace gridmark::pyramid
