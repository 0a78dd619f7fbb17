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

}  // namespace gridmark::maxwell
