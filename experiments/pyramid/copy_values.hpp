#pragma once

#include <cstddef>
#include <span>

namespace gridmark::pyramid {

/// to = from, of one size, by OpenMP threads.
template <class T>
void copy_values(std::span<const T> from, std::span<T> to, int threads) {
    const auto n = static_cast<std::ptrdiff_t>(from.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        to[i] = from[i];
}

}  // namespace gridmark::pyramid
