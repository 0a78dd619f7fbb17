#pragma once

#include "kernels/maxwell/grid.hpp"
#include "kernels/maxwell/source.hpp"

/// The current and the "radiation of energy" conditions on six faces, as formulas for all versions and as
/// loops for the CPU. A ghost of H lies half a cell outside the outermost nodes and follows from E there. On
/// the faces that the incident wave grazes, the wave itself is left out. Source: paper, section 2 and
/// listing; impedance 1, since the object keeps off the boundary.
namespace gridmark::maxwell {

/// Ghosts of a face across x from E along y and z at its nodes and the wave there (E along y, H along y).
/// `side` is -1 at the low end, 1 at the high end.
template <class T>
constexpr T ghost_hz_at_x(T side, T ey, T wave_ey) {
    return side * (ey - wave_ey);
}
template <class T>
constexpr T ghost_hy_at_x(T side, T ez, T wave_hy) {
    return wave_hy - side * ez;
}
/// The same across y.
template <class T>
constexpr T ghost_hz_at_y(T side, T ex, T wave_ex) {
    return -side * (ex - wave_ex);
}
template <class T>
constexpr T ghost_hx_at_y(T side, T ez, T wave_hx) {
    return wave_hx + side * ez;
}
/// Across z nothing is left out: below, the current stands behind the boundary; above, the wave leaves.
template <class T>
constexpr T ghost_hy_at_z(T side, T ex) {
    return side * ex;
}
template <class T>
constexpr T ghost_hx_at_z(T side, T ey) {
    return -side * ey;
}

/// Adds what the current adds in a step, along x and y, to E at z_min in planes x0 ... x1 - 1.
template <class T>
void add_current(const Arrays<T>& arrays, const Drive& drive, int x0, int x1, int threads);

/// Sets the ghosts of H in planes x0 ... x1 - 1, and with plane nx - 1 those in plane nx.
template <class T>
void set_ghosts(const Arrays<T>& arrays, const Wave<T>& wave, int x0, int x1, int threads);

// Faces as they go between a device and the CPU. A face across an axis is a plane of `slow` by `fast` nodes
// with two components: E along the two other axes, or H there as a ghost. Planes of one face follow another:
// x low, x high, y low ... z high.

/// Nodes of a face across an axis.
constexpr int face_slow(const Layout& l, int axis) {
    return axis == 0 ? l.n[1] : l.n[0];
}
constexpr int face_fast(const Layout& l, int axis) {
    return axis == 2 ? l.n[1] : l.n[2];
}
/// Values before a face in the buffer: faces of lower axes, and the low one of this axis.
constexpr std::size_t face_offset(const Layout& l, int axis, int high) {
    std::size_t values = 0;
    for (int k = 0; k <= axis; ++k)
        values += std::size_t{2} * (k < axis ? 2 : high) * face_slow(l, k) * face_fast(l, k);
    return values;
}
/// Values of all six.
constexpr std::size_t face_values(const Layout& l) {
    return face_offset(l, 2, 2);
}

/// The two ghosts at a node of a face across an axis, from E there. E and ghosts are in the order of the
/// other axes: along y and z for x, along x and z for y, along x and y for z.
template <class T>
struct TwoGhosts {
    T first, second;
};
template <class T>
constexpr TwoGhosts<T> face_ghosts(int axis, T side, T first, T second, const Wave<T>& wave, int z) {
    if (axis == 0)
        return {ghost_hy_at_x(side, second, wave.h[0][z]), ghost_hz_at_x(side, first, wave.e[1][z])};
    if (axis == 1)
        return {ghost_hx_at_y(side, second, wave.h[1][z]), ghost_hz_at_y(side, first, wave.e[0][z])};
    return {ghost_hx_at_z(side, second), ghost_hy_at_z(side, first)};
}

/// Turns E in such a buffer into the ghosts, in place.
template <class T>
void ghosts_of_faces(const Layout& layout, const Wave<T>& wave, T* packed, int threads);

}  // namespace gridmark::maxwell
