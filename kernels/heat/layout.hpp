#pragma once

#include <cstddef>
#include <span>

#include "kernels/heat/problem.hpp"
#include "kernels/storage.hpp"

namespace gridmark::heat {

/// How a version stores the temperature: the interior inside a larger box of `sx * sy * sz` values, x
/// fastest, whose other values hold the boundary temperature. Some versions pad their rows so that they start
/// aligned, and some pad the box to whole blocks, so that their loads need no conditions.
struct Layout {
    int sx, sy, sz;  ///< stored values per axis
    int x0, y0, z0;  ///< where the interior starts

    int row() const { return sx; }
    int plane() const { return sx * sy; }
    std::size_t size() const { return static_cast<std::size_t>(sx) * sy * sz; }
    /// Index of interior point (0, 0, 0).
    std::size_t origin() const {
        return x0 + static_cast<std::size_t>(sx) * (y0 + static_cast<std::size_t>(sy) * z0);
    }
};

/// `n`, or the next multiple of `to` above it.
constexpr int round_up(int n, int to) {
    return (n + to - 1) / to * to;
}

/// Layers of fixed temperature on every side.
constexpr int halo = 2;

/// No layout adds more than this to an axis.
constexpr int most_padding = 64;

/// The interior and its halo, nothing else: the thesis's 260^3 for 256^3.
Layout tight_layout(const Problem& problem);

/// The interior alone.
Layout bare_layout(const Problem& problem);

/// The interior rounded up to whole blocks of bx * by * bz, and a halo; `side` values stand on the left and
/// right of a row, at least `halo`.
Layout blocked_layout(const Problem& problem, int bx, int by, int bz, int side = halo);

/// The blocks of the thesis's versions of those names.
Layout four_cubes_layout(const Problem& problem);
Layout tiles_16x16_layout(const Problem& problem);
Layout rectangular_layout(const Problem& problem);

/// A halo, and rows whose interior starts on 64 bytes: for the CPU's vector versions.
Layout aligned_layout(const Problem& problem, std::size_t value_bytes);

/// A halo, and rows whose interior starts on 128 bytes, a line of a GPU's cache: a line of filler stands
/// before each row, and is the right halo of the row before it.
Layout line_layout(const Problem& problem, std::size_t value_bytes);

/// The interior field as a version stores it, first touched by all threads in the order of z.
template <class T>
Storage<T> store(const Problem& problem, const Layout& layout, std::span<const T> interior);

/// The same into memory that is there already: layout.size() values.
template <class T>
void store(const Problem& problem, const Layout& layout, std::span<const T> interior, T* stored);

/// The interior of what a version stores.
template <class T>
void load(const Problem& problem, const Layout& layout, const T* stored, std::span<T> interior);

/// Adds an interior field of nx * ny * nz values to a stored one.
template <class T>
void add(const Problem& problem, const Layout& layout, const T* interior, T* stored, int threads);

}  // namespace gridmark::heat
