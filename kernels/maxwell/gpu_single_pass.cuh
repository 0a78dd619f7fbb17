#pragma once

// One launch for a whole step.
//
// E's half step reads all of H, H's reads all of the new E; in a kernel each, 108 bytes a node move in float,
// although a step need only read six fields and nine coefficients once and write six fields: 84. One kernel
// can do both if it has E at a node and its three neighbours behind it (x - 1, y - 1, z - 1) before it does H
// there. So a block marches along x. Its threads are a tile of packs along z by rows along y; in a plane each
// computes the new E at its place and shows it to the others in shared memory, and behind a barrier H from
// its own E, its neighbours', and its own of the plane before, which it kept in registers.
//
// Blocks do not wait for each other. What a tile lacks at its low edges, E in one more plane, row and pack
// (its rim), it computes again: these threads write nothing, and what they read the neighbours read as well,
// at about the same time, so that it comes from the L2 cache. Nor can a block overwrite what others still
// read: the fields go from one set of arrays to another, and the next step goes back.
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
#include "kernels/maxwell/gpu_tiling.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace single_pass {

/// Component c a step later where `updates`, in the slots of a pack that the scheme updates. Chosen, not
/// branched to: the three components' operations, divisions above all, cover each other's latency.
template <int c, class T>
__device__ inline void advance_e(Pack<T>& e, const Pack<T>& rotation, const PackOfE<T>& material,
                                 bool updates, int z, int nz, T dct) {
    for (int i = 0; i < pack_width<T>; ++i) {
        const T later =
            next_e_over(material.denominator[c].v[i], e.v[i], rotation.v[i], material.eps[c].v[i], dct);
        e.v[i] = updates && z + i >= first_e(c, along_z) && z + i < nz ? later : e.v[i];
    }
}
template <int c, class T>
__device__ inline void advance_h(Pack<T>& h, const Pack<T>& rotation, const PackOfH<T>& material,
                                 bool updates, int z, int nz) {
    for (int i = 0; i < pack_width<T>; ++i) {
        const T later = next_h_by(material.factor[c].v[i], h.v[i], rotation.v[i]);
        h.v[i] = updates && z + i >= first_h(c, along_z) && z + i < nz ? later : h.v[i];
    }
}

template <class T>
__device__ inline void store_streaming(T* to, const Pack<T>& pack) {
    launch::store_streaming(reinterpret_cast<Pack<T>*>(to), pack);
}

/// A thread on its way through the planes.
template <class T, class Materials>
class March {
  public:
    __device__ March(const Pass<T>& pass, const Tiling& tiling, int block, Pack<T>* shared)
        : pass_(pass),
          now_(pass.now),
          materials_(pass, shared + fresh_packs(blockDim.x) + spacing_packs(tiling)),
          column_(column<T>(now_.layout, tiling, pass.planes, block, threadIdx.x)),
          row_back_(column_.row > 0 ? -tiling.packs : 0),
          pack_back_(column_.pack > 0 ? -1 : 0),
          fresh_(shared + threadIdx.x),
          half_x_(reinterpret_cast<T*>(shared + fresh_packs(blockDim.x)) - column_.first_x),
          node_x_(half_x_ + tiling.planes),
          added_(node_x_ + tiling.planes + column_.first_x) {
        for (int x = column_.first_x + threadIdx.x; x < column_.end_x; x += blockDim.x) {
            half_x_[x] = now_.half[0][x];
            node_x_[x] = now_.node[0][x];
        }
        if (threadIdx.x < 2) added_[threadIdx.x] = static_cast<T>(current(*pass.ahead.drive, threadIdx.x));
        const Layout& l = now_.layout;
        plane_ = static_cast<unsigned>(l.plane());
        at_ = {column_.first_x, column_.y, column_.z, 0};
        at_.offset = pass.ring.offset(l, at_.x) + at_.y * l.pitch + at_.z;
        node_ = {0, __ldg(now_.node[1] + at_.y), load_spacings(now_.node[along_z], at_.z, l.n[along_z])};
        half_ = {0, __ldg(now_.half[1] + at_.y), load_spacings(now_.half[along_z], at_.z, l.n[along_z])};
    }

    __device__ void run() {
        __syncthreads();  // behind what the constructor wrote to shared memory
        h_.y_plane = load(now_.h.data[1] + at_.offset);
        h_.z_plane = load(now_.h.data[2] + at_.offset);
        load_for_e(at_.offset);
        h_ = load_for_h(at_.offset);
        for (; at_.x < column_.end_x; ++at_.x) {
            const unsigned next = at_.x + 1 < column_.end_x ? behind(at_.offset) : at_.offset;
            ForH coming;
            if constexpr (Materials::is_small) coming = load_for_h(next);
            advance_e();
            load_for_e(next);
            __syncthreads();
            if (column_.writes && at_.x >= column_.own_x) advance_h_and_store();
            ey_before_ = e_[1];
            ez_before_ = e_[2];
            if constexpr (!Materials::is_small) coming = load_for_h(next);
            h_ = coming;
            at_.offset = next;
        }
    }

    /// Packs of shared memory for new E: of two planes in turns, three components.
    __host__ __device__ static std::size_t fresh_packs(unsigned threads) { return 6 * threads; }

    /// For the inverse spacings along x, since a load in each plane would have to be waited for, and the
    /// current.
    __host__ __device__ static std::size_t spacing_packs(const Tiling& t) {
        return (2 * t.planes + 2 + pack_width<T> - 1) / pack_width<T>;
    }

  private:
    /// What a thread knows of old H in a plane: its own pack, those further along y, and in the next plane
    /// those at its own place; and of the material there.
    struct ForH {
        Pack<T> x, y, z;
        Pack<T> x_row, z_row, y_plane, z_plane;
        T x_behind, y_behind;  ///< the values behind the pack
        typename Materials::LoadedH material;
    };

    __device__ void load_for_e(unsigned at) {
        for (int c = 0; c < 3; ++c)
            old_e_[c] = load(now_.e.data[c] + at);
        of_e_ = materials_.load_e(at);
    }
    __device__ ForH load_for_h(unsigned at) const {
        const Layout& l = now_.layout;
        const T *const x = now_.h.data[0] + at, *const y = now_.h.data[1] + at,
                       *const z = now_.h.data[2] + at;
        const unsigned further = behind(at);
        return {load(x),
                h_.y_plane,
                h_.z_plane,
                load(x + l.pitch),
                load(z + l.pitch),
                load(now_.h.data[1] + further),
                load(now_.h.data[2] + further),
                x[pack_width<T>],
                y[pack_width<T>],
                materials_.load_h(at)};
    }
    /// The same place in the plane behind.
    __device__ unsigned behind(unsigned at) const { return pass_.ring.behind(at, plane_); }

    /// New E, for this thread and the others.
    __device__ void advance_e() {
        const int z = at_.z, nz = now_.layout.n[along_z];
        const bool in_x = at_.x > 0, in_y = at_.y > 0;
        const PackOfE<T> material = materials_.of_e(of_e_);
        half_.x = half_x_[at_.x];
        for (int c = 0; c < 3; ++c)
            e_[c] = old_e_[c];
        e_[0].v[0] = in_x && z == 0 ? e_[0].v[0] + added_[0] : e_[0].v[0];
        e_[1].v[0] = in_y && z == 0 ? e_[1].v[0] + added_[1] : e_[1].v[0];
        const Pack<T> hx_z = further(h_.x, h_.x_behind), hy_z = further(h_.y, h_.y_behind);
        single_pass::advance_e<0>(e_[0], rotations<0>(half_, h_.z, h_.z_row, h_.y, hy_z), material, in_x, z,
                                  nz, now_.dct);
        single_pass::advance_e<1>(e_[1], rotations<1>(half_, h_.x, hx_z, h_.z, h_.z_plane), material, in_y, z,
                                  nz, now_.dct);
        single_pass::advance_e<2>(e_[2], rotations<2>(half_, h_.y, h_.y_plane, h_.x, h_.x_row), material,
                                  true, z, nz, now_.dct);
        for (int c = 0; c < 3; ++c)
            *fresh(c) = e_[c];
    }

    /// New H, and what is to be stored of both. What lies before the first node is not used; row_back_ and
    /// pack_back_ only keep off it.
    __device__ void advance_h_and_store() {
        const int z = at_.z, nz = now_.layout.n[along_z];
        const Pack<T>&ex = e_[0], &ey = e_[1], &ez = e_[2];
        const PackOfH<T> material = materials_.of_h(h_.material);
        node_.x = node_x_[at_.x];
        const bool in_x = at_.x > 0, in_y = at_.y > 0;
        const Pack<T> ex_z = back(ex, fresh(0)[pack_back_].v[pack_width<T> - 1]);
        const Pack<T> ey_z = back(ey, fresh(1)[pack_back_].v[pack_width<T> - 1]);
        Pack<T> h[3] = {h_.x, h_.y, h_.z};
        advance_h<0>(h[0], rotations<0>(node_, fresh(2)[row_back_], ez, ey_z, ey), material, in_y, z, nz);
        advance_h<1>(h[1], rotations<1>(node_, ex_z, ex, ez_before_, ez), material, in_x, z, nz);
        advance_h<2>(h[2], rotations<2>(node_, ey_before_, ey, fresh(0)[row_back_], ex), material,
                     in_x && in_y, z, nz);
        set_first_ghosts(at_, e_, h);
        for (int c = 0; c < 3; ++c) {
            store_streaming(pass_.e.data[c] + at_.offset, e_[c]);
            store_streaming(pass_.h.data[c] + at_.offset, h[c]);
        }
        set_last_ghosts(pass_, at_, e_);
        if (is_on_side(now_.layout, at_)) set_side_ghosts(pass_, at_, behind(at_.offset));
    }

    /// This thread's pack of new E in the plane.
    __device__ Pack<T>* fresh(int c) const { return fresh_ + (at_.x % 2 * 3 + c) * blockDim.x; }

    const Pass<T>& pass_;
    const Arrays<T>& now_;
    const Materials materials_;
    const Column column_;
    const int row_back_, pack_back_;
    Pack<T>* const fresh_;
    T *const half_x_, *const node_x_, *const added_;

    unsigned plane_;
    Node at_;
    Inverse<T> half_, node_;
    Pack<T> e_[3];                             ///< new E of this plane
    Pack<T> ey_before_ = {}, ez_before_ = {};  ///< and of the one before
    Pack<T> old_e_[3];                         ///< of this plane or, after advance_e(), the next
    ForH h_;
    typename Materials::LoadedE of_e_;
};

constexpr int most_threads = 512;

template <class T, class Materials>
__global__ void __launch_bounds__(most_threads) step_kernel(Pass<T> pass, Tiling tiling) {
    GRIDMARK_DYNAMIC_SHARED(Pack<T>, shared);
    if (blockIdx.x > 0)
        March<T, Materials>(pass, tiling, blockIdx.x - 1, shared).run();
    else if (pass.planes.first == 0)
        advance_wave(pass);
}

/// Tiles of whole rows where a block can have them, else of equal parts: each part costs a rim. As many rows
/// and then planes as a block may have, unless that leaves too few blocks for a large GPU.
template <class T>
Tiling tiling(const Layout& l, Slab planes) {
    constexpr int most_packs = most_threads / 4, least_rows = 8, least_planes = 2, most_planes = 32,
                  enough_blocks = 250;
    const int packs = (l.n[2] + pack_width<T> - 1) / pack_width<T>,
              parts = (packs + most_packs - 1) / most_packs;
    const int wide = parts == 1 ? packs : (packs + parts - 1) / parts + 1;
    int rows = min(l.n[1], most_threads / wide);
    while (rows > least_rows &&
           make_tiling<T>(l, planes, wide, rows, least_planes + 1).blocks() < enough_blocks)
        rows /= 2;
    const int columns = make_tiling<T>(l, planes, wide, rows, planes.depth() + 1).blocks();
    const int thick = max(least_planes, min(most_planes, planes.depth() * columns / enough_blocks));
    return make_tiling<T>(l, planes, wide, rows, thick + 1);
}

template <class T, class Materials>
std::size_t shared_bytes(const Pass<T>& pass, const Tiling& t) {
    return (March<T, Materials>::fresh_packs(t.threads()) + March<T, Materials>::spacing_packs(t)) *
               sizeof(Pack<T>) +
           Materials::shared_bytes(pass.index);
}

template <class T, class Materials>
void step(launch::Stream stream, const Pass<T>& pass, const Tiling& t) {
    const std::size_t shared = shared_bytes<T, Materials>(pass, t);
    launch::allow_dynamic_shared(step_kernel<T, Materials>, shared);
    launch::launch(stream, {{static_cast<unsigned>(1 + t.blocks()), 1, 1}, {t.threads(), 1, 1}, shared},
                   step_kernel<T, Materials>, pass, t);
}

template <class T, class Materials>
std::optional<launch::KernelInfo> info(const Layout& layout) {
    const Tiling t = tiling<T>(layout, {0, layout.n[0]});
    return launch::kernel_info(step_kernel<T, Materials>, t.threads(),
                               shared_bytes<T, Materials>(Pass<T>{}, t));
}

}  // namespace single_pass
}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
