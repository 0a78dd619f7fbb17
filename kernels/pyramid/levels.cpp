#include "kernels/pyramid/levels.hpp"

namespace gridmark::pyramid {

template <class T>
Levels<T> levels_of(double s, std::size_t m) {
    Levels<T> levels{};
    double e = s, b = 1 + 2 * s, last = b;
    for (std::size_t rows = m; rows > 0; rows /= 2) {
        levels.level[levels.count] = {rows,
                                      levels.count,
                                      static_cast<T>(e / b),
                                      static_cast<T>(e / last),
                                      static_cast<T>(1 / b),
                                      static_cast<T>(1 / last)};
        ++levels.count;
        // The last row of the next level is the last of this one, or, where that is left out, the one before
        // it.
        const double taken = e * e / b;
        last = rows % 2 == 0 ? last - taken : b - taken - e * e / last;
        b -= 2 * taken;
        e = taken;
    }
    return levels;
}

template Levels<float> levels_of(double, std::size_t);
template Levels<double> levels_of(double, std::size_t);

}  // namespace gridmark::pyramid
