#pragma once

// One launch for a whole step.
//
// E's half step reads all of H, H's reads all of the new E; in a kernel each, 108 bytes a node move in float,
// although a step need only read six fields and nine coefficients once and write six fields: 84. One kernel
// can do both if it has E at a node and its three neighbours behind it (x - 1, y - 1, z - 1) before it does H
// there. So a block marches along x. In plane x its threads, a tile of packs along z by rows along y, compute
// the new E each at its place and show it to each other in shared memory; behind a barrier each computes H
// from its own E, its neighbours' and its own of the plane before, which it kept in registers.
//
// Blocks do not wait for each other. What a tile lacks at its low edges, the E of one more plane, row and
// pack, it computes again: these threads write nothing, and what they read the neighbours read as well, at
// about the same time, so that it comes from the L2 cache. Nor can a block overwrite what others still read:
// the fields go from one set of arrays to another, and the next step goes back.
//
// The memory is the limit, so what counts is that loads are on their way at all times. Each thread asks for
// the next plane's values as soon as it has used this plane's: for E, eps and sigma before the barrier, for H
// and mu behind it, into the registers that have just become free.
//
// What the paper's step does besides comes along: the current is added where E is loaded at z_min, each
// thread with E at a face sets the ghosts there, and one more block advances the incident wave, a step ahead
// so that nobody waits for it. A small grid, for which seven launches would take longer than their work,
// gains most.
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/gpu_materials.cuh"
#include "kernels/maxwell/gpu_pass_edges.cuh"
#include "kernels/maxwell/gpu_rotation.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace single_pass {

constexpr int most_threads = 512;

/// A block's extent in threads along z (a pack each) and y and in planes along x, with the rim, and how many
/// blocks there are along each.
struct Tiling {
    int packs, rows, planes, along_z, along_y, along_x;
};

/// Blocks of `extent`, the first value of each (but of the first) being rim, that cover n values.
inline int blocks_for(int n, int extent) {
    return n <= extent ? 1 : 1 + (n - extent + extent - 2) / (extent - 1);
}

template <class T>
Tiling tiling(const Layout& l) {
    const int packs = (l.n[2] + pack_width<T> - 1) / pack_width<T>;
    Tiling t;
    t.packs = packs <= 64 ? packs : 33;
    t.rows = most_threads / t.packs < l.n[1] ? most_threads / t.packs : l.n[1];
    t.planes = 65;
    t.along_z = blocks_for(packs, t.packs);
    t.along_y = blocks_for(l.n[1], t.rows);
    t.along_x = blocks_for(l.n[0], t.planes);
    return t;
}

/// What a thread knows of old H in a plane: its own pack, and those further along y, along z and x.
template <class T>
struct OldH {
    Pack<T> x, y, z;
    Pack<T> x_y, z_y, y_x, z_x;
    T x_z, y_z;  ///< the first values behind the pack
};

template <class T>
__device__ inline void load_next(OldH<T>& h, const Arrays<T>& a, std::size_t at) {
    const Layout& l = a.layout;
    const T *const x = a.h.data[0] + at, *const y = a.h.data[1] + at, *const z = a.h.data[2] + at;
    h = {load(x),
         h.y_x,
         h.z_x,
         load(x + l.pitch),
         load(z + l.pitch),
         load(y + l.plane()),
         load(z + l.plane()),
         x[pack_width<T>],
         y[pack_width<T>]};
}

/// Component c of E a step later, in the slots that the scheme updates.
template <int c, class T>
__device__ inline void advance_e(Pack<T>& e, const Pack<T>& rotation, const PackOfE<T>& material, int z,
                                 int nz, T dct) {
    for (int i = 0; i < pack_width<T>; ++i)
        if (z + i >= first_e(c, along_z) && z + i < nz)
            e.v[i] =
                next_e_over(material.denominator[c].v[i], e.v[i], rotation.v[i], material.eps[c].v[i], dct);
}

template <int c, class T>
__device__ inline void advance_h(Pack<T>& h, const Pack<T>& rotation, const PackOfH<T>& material, int z,
                                 int nz) {
    for (int i = 0; i < pack_width<T>; ++i)
        if (z + i >= first_h(c, along_z) && z + i < nz)
            h.v[i] = next_h_by(material.factor[c].v[i], h.v[i], rotation.v[i]);
}

template <class T>
__device__ inline void store_streaming(T* to, const Pack<T>& pack) {
    launch::store_streaming(reinterpret_cast<Pack<T>*>(to), pack);
}

template <class T, class Materials>
__global__ void __launch_bounds__(most_threads) step_kernel(Pass<T> pass, Tiling tiling) {
    GRIDMARK_DYNAMIC_SHARED(Pack<T>, fresh_e);  // of two planes in turns, three components, all threads
    if (blockIdx.x == 0) return advance_wave(pass);
    const Arrays<T>& now = pass.now;
    const Layout& l = now.layout;
    const int nx = l.n[0], ny = l.n[1], nz = l.n[2], threads = blockDim.x, me = threadIdx.x;
    const Materials materials(pass, fresh_e + 6 * threads);
    __syncthreads();

    // The thread's column. Those outside the grid do as those at its edge do, but write nothing.
    const int block = blockIdx.x - 1, row = me / tiling.packs, in_row = me - row * tiling.packs;
    const int first_pack = block % tiling.along_z * (tiling.packs - 1);
    const int first_row = block / tiling.along_z % tiling.along_y * (tiling.rows - 1);
    const int first_x = block / tiling.along_z / tiling.along_y * (tiling.planes - 1);
    const int end_x = min(first_x + tiling.planes, nx);
    const int my_y = first_row + row, my_z = (first_pack + in_row) * pack_width<T>;
    const bool writes =
        my_y < ny && my_z < nz && row < tiling.rows && (row > 0 || my_y == 0) && (in_row > 0 || my_z == 0);
    Node at{first_x, min(my_y, ny - 1), min(my_z, (nz - 1) / pack_width<T> * pack_width<T>), 0};
    at.offset = now.h.row(l, 0, at.x, at.y) + at.z - now.h.data[0];

    const T added[2] = {at.z == 0 ? static_cast<T>(current(*pass.ahead.drive, 0)) : T(0),
                        at.z == 0 ? static_cast<T>(current(*pass.ahead.drive, 1)) : T(0)};
    Inverse<T> half{0, __ldg(now.half[1] + at.y), load_spacings(now.half[along_z], at.z, nz)};
    Inverse<T> node{0, __ldg(now.node[1] + at.y), load_spacings(now.node[along_z], at.z, nz)};

    Pack<T> e[3], e_before[3] = {};  // in this plane and in the one before
    OldH<T> h;
    h.y_x = load(now.h.data[1] + at.offset);
    h.z_x = load(now.h.data[2] + at.offset);
    load_next(h, now, at.offset);
    Pack<T> loaded_e[3];
    for (int c = 0; c < 3; ++c)
        loaded_e[c] = load(now.e.data[c] + at.offset);
    auto of_e = materials.load_e(at.offset);
    auto of_h = materials.load_h(at.offset);
    for (; at.x < end_x; ++at.x) {
        const std::size_t next_offset = at.x + 1 < end_x ? at.offset + l.plane() : at.offset;
        half.x = __ldg(now.half[0] + at.x);
        node.x = __ldg(now.node[0] + at.x);

        for (int c = 0; c < 3; ++c)
            e[c] = loaded_e[c];
        {
            const PackOfE<T> material = materials.of_e(of_e);
            if (at.x > 0) {
                e[0].v[0] += added[0];
                advance_e<0>(e[0], rotations<0>(half, h.z, h.z_y, h.y, further(h.y, h.y_z)), material, at.z,
                             nz, now.dct);
            }
            if (at.y > 0) {
                e[1].v[0] += added[1];
                advance_e<1>(e[1], rotations<1>(half, h.x, further(h.x, h.x_z), h.z, h.z_x), material, at.z,
                             nz, now.dct);
            }
            advance_e<2>(e[2], rotations<2>(half, h.y, h.y_x, h.x, h.x_y), material, at.z, nz, now.dct);
        }
        Pack<T>* const fresh = fresh_e + (at.x % 2 * 3) * threads + me;
        for (int c = 0; c < 3; ++c)
            fresh[c * threads] = e[c];
        for (int c = 0; c < 3; ++c)
            loaded_e[c] = load(now.e.data[c] + next_offset);
        of_e = materials.load_e(next_offset);
        __syncthreads();

        if (writes && (at.x > first_x || at.x == 0)) {
            // What lies before the first node is not used; these indices only keep off it.
            const int row_back = row > 0 ? -tiling.packs : 0, pack_back = in_row > 0 ? -1 : 0;
            const Pack<T> x_y = fresh[row_back], z_y = fresh[2 * threads + row_back];
            const Pack<T> x_z = back(e[0], fresh[pack_back].v[pack_width<T> - 1]);
            const Pack<T> y_z = back(e[1], fresh[threads + pack_back].v[pack_width<T> - 1]);
            const PackOfH<T> material = materials.of_h(of_h);
            Pack<T> later[3] = {h.x, h.y, h.z};
            if (at.y > 0)
                advance_h<0>(later[0], rotations<0>(node, z_y, e[2], y_z, e[1]), material, at.z, nz);
            if (at.x > 0)
                advance_h<1>(later[1], rotations<1>(node, x_z, e[0], e_before[2], e[2]), material, at.z, nz);
            if (at.x > 0 && at.y > 0)
                advance_h<2>(later[2], rotations<2>(node, e_before[1], e[1], x_y, e[0]), material, at.z, nz);
            for (int c = 0; c < 3; ++c) {
                store_streaming(pass.e[c] + at.offset, e[c]);
                store_streaming(pass.h[c] + at.offset, later[c]);
            }
            set_ghosts(pass, at, e);
        }
        for (int c = 1; c < 3; ++c)
            e_before[c] = e[c];
        load_next(h, now, next_offset);
        of_h = materials.load_h(next_offset);
        at.offset = next_offset;
    }
}

template <class T, class Materials>
void step(launch::Stream stream, const Pass<T>& pass) {
    const Tiling t = tiling<T>(pass.now.layout);
    const unsigned threads = static_cast<unsigned>((t.packs * t.rows + 31) / 32 * 32);
    const std::size_t shared = 6 * threads * sizeof(Pack<T>) + Materials::shared_bytes(pass);
    launch::allow_dynamic_shared(step_kernel<T, Materials>, shared);
    launch::launch(
        stream,
        {{static_cast<unsigned>(1 + t.along_z * t.along_y * t.along_x), 1, 1}, {threads, 1, 1}, shared},
        step_kernel<T, Materials>, pass, t);
}

template <class T, class Materials>
std::optional<launch::KernelInfo> info(const Layout& layout) {
    const Tiling t = tiling<T>(layout);
    const unsigned threads = static_cast<unsigned>((t.packs * t.rows + 31) / 32 * 32);
    return launch::kernel_info(step_kernel<T, Materials>, threads, 6 * threads * sizeof(Pack<T>));
}

}  // namespace single_pass
}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
