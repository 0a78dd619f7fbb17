#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/faces.hpp"
#include "kernels/maxwell/gpu_pack.cuh"
#include "kernels/maxwell/whole_step.hpp"

/// What a whole step does beside E and H: the ghosts and the incident wave, for which gpu_faces.cu has
/// kernels. The thread that has just computed E at a face sets the ghosts there.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

/// A thread's pack: the node of its first value, and where that stands in the arrays.
struct Node {
    int x, y, z;
    unsigned offset;
};

/// Sets the ghosts across x beside a pack whose new fields this thread has just stored. `plane_behind` is the
/// pack's place in the plane behind. Value by value from memory: a block comes here in one plane at most, and
/// all would pay for the registers.
template <class T>
__device__ inline void set_x_ghosts(const WholeStep<T>& step, const Node& at, unsigned plane_behind) {
    const Layout& l = step.now.layout;
    const Wave<T>& wave = step.ahead.wave;
    const bool is_low = at.x == 0;
    if (!is_low && at.x != l.n[0] - 1) return;
    const int behind = min(at.z + pack_width<T>, l.n[2]);
    const T side = is_low ? T(-1) : T(1);
#pragma unroll 1
    for (int z = at.z; z < behind; ++z) {
        const unsigned from = at.offset + z - at.z, to = is_low ? from : plane_behind + z - at.z;
        if (at.y > 0) step.h.data[2][to] = ghost_hz_at_x(side, step.e.data[1][from], wave.e[1][z]);
        if (z > 0) step.h.data[1][to] = ghost_hy_at_x(side, step.e.data[2][from], wave.h[0][z]);
    }
}

/// Sets the ghosts across y. Those at the low face go into the pack of H that is yet to be stored. Those at
/// the high face go to memory, one row behind. From registers: the blocks at these faces do it in every
/// plane.
template <class T>
__device__ inline void set_y_ghosts(const WholeStep<T>& step, const Node& at, const Pack<T> (&e)[3],
                                    Pack<T> (&h)[3]) {
    const Layout& l = step.now.layout;
    const Wave<T>& wave = step.ahead.wave;
    const bool is_low = at.y == 0, is_high = at.y == l.n[1] - 1;
    if (!is_low && !is_high) return;
    for (int i = 0; i < pack_width<T>; ++i) {
        const int z = at.z + i;
        if (z >= l.n[2]) continue;
        const T ex = __ldg(wave.e[0] + z), hx = __ldg(wave.h[1] + z);
        const unsigned to = at.offset + l.pitch + i;
        if (is_low && at.x > 0) h[2].at[i] = ghost_hz_at_y(T(-1), e[0].at[i], ex);
        if (is_low && z > 0) h[0].at[i] = ghost_hx_at_y(T(-1), e[2].at[i], hx);
        if (is_high && at.x > 0) step.h.data[2][to] = ghost_hz_at_y(T(1), e[0].at[i], ex);
        if (is_high && z > 0) step.h.data[0][to] = ghost_hx_at_y(T(1), e[2].at[i], hx);
    }
}

/// Sets those across z_min, in the pack of H that is yet to be stored: every row has them.
template <class T>
__device__ inline void set_first_ghosts(const Node& at, const Pack<T> (&e)[3], Pack<T> (&h)[3]) {
    if (at.x > 0 && at.z == 0) h[1].at[0] = ghost_hy_at_z(T(-1), e[0].at[0]);
    if (at.y > 0 && at.z == 0) h[0].at[0] = ghost_hx_at_z(T(-1), e[1].at[0]);
}
/// And those across z_max, behind the last node, when the pack has been stored.
template <class T>
__device__ inline void set_last_ghosts(const WholeStep<T>& step, const Node& at, const Pack<T> (&e)[3]) {
    if (at.z + pack_width<T> < step.now.layout.n[2]) return;
    for (int i = 0; i < pack_width<T>; ++i) {
        if (at.z + i != step.now.layout.n[2] - 1) continue;
        if (at.x > 0) step.h.data[1][at.offset + i + 1] = ghost_hy_at_z(T(1), e[0].at[i]);
        if (at.y > 0) step.h.data[0][at.offset + i + 1] = ghost_hx_at_z(T(1), e[1].at[i]);
    }
}

/// By one block: the wave a step later, and its source.
template <class T>
__device__ inline void advance_wave(const WholeStep<T>& step) {
    const Wave<T>&w = step.ahead.wave, &later = step.further.wave;
    const Arrays<T>& a = step.now;
    const Drive drive = advanced(*step.ahead.drive);
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
    if (first == 0) *step.further.drive = drive;
}

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
