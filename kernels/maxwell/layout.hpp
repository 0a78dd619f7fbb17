#pragma once

#include <cstddef>

#include "kernels/maxwell/grid.hpp"

/// How the arrays of all versions lie in memory. Each is [nx + 1][ny + 1][nz + 1], z fastest: a component
/// that is staggered along an axis has its value between nodes i - 1 and i at index i, so that indices 0 and
/// n are ghosts. Source: paper, section 3 (rows padded, one index macro for all).
namespace gridmark::maxwell {

/// Rows are padded to multiples of this many bytes, and start there.
inline constexpr int row_alignment = 128;

struct Layout {
    int n[3];   ///< nodes along x, y, z
    int pitch;  ///< values from a row to the next

    constexpr int planes() const { return n[0] + 1; }
    constexpr int rows() const { return n[1] + 1; }
    /// Values from a plane to the next.
    constexpr std::size_t plane() const { return static_cast<std::size_t>(rows()) * pitch; }
    constexpr std::size_t size() const { return plane() * planes(); }
};

template <class T>
Layout make_layout(const Grid& grid) {
    constexpr int unit = row_alignment / sizeof(T);
    return {{grid.n(0), grid.n(1), grid.n(2)}, (grid.n(2) + unit) / unit * unit};
}

/// Planes first ... last - 1 of all arrays.
struct Slab {
    int first, last;

    constexpr int depth() const { return last - first; }
};

/// One array for each direction, of the same planes: plane `from` of each stands first.
template <class T>
struct Planes {
    T* data[3] = {};
    int from = 0;

    constexpr T* row(const Layout& layout, int c, int x, int y) const {
        return data[c] + (static_cast<std::size_t>(x - from) * layout.rows() + y) * layout.pitch;
    }
};

/// All that a half step reads and writes, on the host or on a device.
template <class T>
struct Arrays {
    Layout layout;
    Planes<T> e, h;
    Planes<const T> eps, sigma, mu;
    const T *half[3], *node[3];  ///< inverse spacings
    T dct;                       ///< c dt
};

}  // namespace gridmark::maxwell
