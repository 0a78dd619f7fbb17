#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/faces.hpp"
#include "kernels/maxwell/gpu_pack.cuh"
#include "kernels/maxwell/pass.hpp"

/// What a whole step does beside E and H: the ghosts, each set by the thread that has just computed E at its
/// face, and the incident wave. What gpu_faces.cu does in kernels of their own.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

/// A thread's pack: the node of its first value, and where that stands in the arrays.
struct Node {
    int x, y, z;
    unsigned offset;
};

/// Sets the ghosts beside a pack on the face across x, which lie at `to`.
template <class T>
__device__ inline void set_x_ghosts(const Pass<T>& pass, const Node& at, const Pack<T> (&e)[3], T side,
                                    unsigned to) {
    const Wave<T>& wave = pass.ahead.wave;
    for (int i = 0; i < pack_width<T>; ++i) {
        const int z = at.z + i;
        if (z >= wave.n) return;
        if (at.y > 0) pass.h.data[2][to + i] = ghost_hz_at_x(side, e[1].v[i], wave.e[1][z]);
        if (z > 0) pass.h.data[1][to + i] = ghost_hy_at_x(side, e[2].v[i], wave.h[0][z]);
    }
}

/// The same across y.
template <class T>
__device__ inline void set_y_ghosts(const Pass<T>& pass, const Node& at, const Pack<T> (&e)[3], T side,
                                    unsigned to) {
    const Wave<T>& wave = pass.ahead.wave;
    for (int i = 0; i < pack_width<T>; ++i) {
        const int z = at.z + i;
        if (z >= wave.n) return;
        if (at.x > 0) pass.h.data[2][to + i] = ghost_hz_at_y(side, e[0].v[i], wave.e[0][z]);
        if (z > 0) pass.h.data[0][to + i] = ghost_hx_at_y(side, e[2].v[i], wave.h[1][z]);
    }
}

/// Across z, beside value i of the pack.
template <class T>
__device__ inline void set_z_ghosts(const Pass<T>& pass, const Node& at, const Pack<T> (&e)[3], int i, T side,
                                    unsigned to) {
    if (at.x > 0) pass.h.data[1][to] = ghost_hy_at_z(side, e[0].v[i]);
    if (at.y > 0) pass.h.data[0][to] = ghost_hx_at_z(side, e[1].v[i]);
}

/// Sets all ghosts beside a pack of new E. Those that lie in the pack's own slots of H have been stored as
/// they were before.
template <class T>
__device__ inline void set_ghosts(const Pass<T>& pass, const Node& at, const Pack<T> (&e)[3]) {
    const Layout& l = pass.now.layout;
    if (at.x == 0) set_x_ghosts(pass, at, e, T(-1), at.offset);
    if (at.x == l.n[0] - 1) set_x_ghosts(pass, at, e, T(1), at.offset + l.plane());
    if (at.y == 0) set_y_ghosts(pass, at, e, T(-1), at.offset);
    if (at.y == l.n[1] - 1) set_y_ghosts(pass, at, e, T(1), at.offset + l.pitch);
    if (at.z == 0) set_z_ghosts(pass, at, e, 0, T(-1), at.offset);
    for (int i = 0; i < pack_width<T>; ++i)
        if (at.z + i == l.n[2] - 1) set_z_ghosts(pass, at, e, i, T(1), at.offset + i + 1);
}

/// By one block: the wave a step later, and its source.
template <class T>
__device__ inline void advance_wave(const Pass<T>& pass) {
    const Wave<T>&w = pass.ahead.wave, &later = pass.further.wave;
    const Arrays<T>& a = pass.now;
    const Drive drive = advanced(*pass.ahead.drive);
    const int first = threadIdx.x, stride = blockDim.x;
    for (int p = 0; p < 2; ++p)
        for (int k = first; k < w.n; k += stride) {
            const T e = k == 0 ? w.e[p][0] + static_cast<T>(current(drive, p)) : w.e[p][k];
            later.e[p][k] = next_wave_e(p, e, w.h[p][k], w.h[p][k + 1], a.half[2][k], a.dct);
        }
    __syncthreads();
    for (int p = 0; p < 2; ++p)
        for (int k = first; k <= w.n; k += stride)
            later.h[p][k] =
                k == 0     ? static_cast<T>(-hand(p)) * later.e[p][0]
                : k == w.n ? static_cast<T>(hand(p)) * later.e[p][w.n - 1]
                           : next_wave_h(p, w.h[p][k], later.e[p][k - 1], later.e[p][k], a.node[2][k], a.dct);
    if (first == 0) *pass.further.drive = drive;
}

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
