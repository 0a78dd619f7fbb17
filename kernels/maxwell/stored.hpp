#pragma once

#include <algorithm>

#include "kernels/maxwell/layout.hpp"
#include "kernels/storage.hpp"

/// Planes between tight arrays, as users have them, and a layout's padded rows.
namespace gridmark::maxwell {

/// Values of a plane from which threads pay.
inline constexpr std::size_t worth_threads = 50000;

template <class T>
void store_plane(const Layout& layout, const T* tight, T* padded) {
#pragma omp parallel for schedule(static) if (layout.plane() > worth_threads)
    for (int y = 0; y < layout.rows(); ++y) {
        T* const row = padded + static_cast<std::size_t>(y) * layout.pitch;
        std::copy_n(tight + static_cast<std::size_t>(y) * (layout.n[2] + 1), layout.n[2] + 1, row);
        std::fill(row + layout.n[2] + 1, row + layout.pitch, T(0));
    }
}

template <class T>
void load_plane(const Layout& layout, const T* padded, T* tight) {
#pragma omp parallel for schedule(static) if (layout.plane() > worth_threads)
    for (int y = 0; y < layout.rows(); ++y)
        std::copy_n(padded + static_cast<std::size_t>(y) * layout.pitch, layout.n[2] + 1,
                    tight + static_cast<std::size_t>(y) * (layout.n[2] + 1));
}

/// An array of zeros, each plane first written by the thread that will step it.
template <class T>
Storage<T> zeros(const Layout& layout, int threads) {
    Storage<T> array(layout.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int x = 0; x < layout.planes(); ++x)
        std::fill_n(array.data() + x * layout.plane(), layout.plane(), T(0));
    return array;
}

}  // namespace gridmark::maxwell
