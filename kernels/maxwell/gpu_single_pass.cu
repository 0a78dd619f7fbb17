// A whole step in one launch.
//
// E's half step reads all of H, and H's reads all of the new E. In a kernel each, 108 bytes a node move in
// float. Yet a step need only read six fields and nine coefficients once and write six fields: 84 bytes. One
// kernel can do both if it has the new E at a node and at its neighbours at x - 1, y - 1 and z - 1 before H.
//
// So a block marches along x. Its threads are a tile of packs along z by rows along y. In each plane a thread
// computes the new E at its place and shows it to the others in shared memory. Behind a barrier it computes H
// from its own E, its neighbours', and its own of the plane before, which it kept in registers.
//
// Blocks do not wait for each other. A tile lacks E in one plane, row and pack at its low edges (its rim) and
// computes it again. These threads write nothing. Their neighbours read the same values at about the same
// time, so that these come from the L2 cache. Nor may a block overwrite what others still read: the fields go
// from one set of arrays to another, and the next step goes back.
//
// The memory is the limit, so loads must be on their way at all times. A thread asks for the next plane's
// values as soon as it has used this plane's, into the registers that have become free. It asks for E, eps
// and sigma before the barrier, for H and mu behind it.
//
// Where coefficients come by index and a block has 384 threads, registers suffice to ask for H a whole plane
// ahead. Then nothing may touch the loaded values before they are needed, neither a spill nor a move from
// "next" to "now". So planes come in pairs that change places. E is loaded later and from the L2 cache: one
// thread has it fetched there two planes ahead. Divisions take the tables' reciprocals, since a subroutine
// would need registers of its own and hold up the loads.
//
// What else the paper's step does comes along. The current is added where E is loaded at z_min. Each thread
// with E at a face sets the ghosts there. One more block advances the incident wave. It is a step ahead, so
// that nobody waits for it. A small grid gains most: there seven launches take longer than their work.
#include "kernels/launch/prefetch.hpp"
#include "kernels/maxwell/chains.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/gpu_edges.cuh"
#include "kernels/maxwell/gpu_materials.cuh"
#include "kernels/maxwell/gpu_tiling.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace single_pass {

template <class T>
__device__ inline void store_streaming(T* to, const Pack<T>& pack) {
    launch::store_streaming(reinterpret_cast<Pack<T>*>(to), pack);
}

constexpr int planes_ahead = 2;  ///< that the L2 cache is to fetch

/// A thread on its way through the planes.
template <class T, class Materials>
class March {
  public:
    __device__ March(const WholeStep<T>& step, const Tiling& tiling, int block, Pack<T>* shared)
        : step_(step),
          now_(step.now),
          tiling_(tiling),
          materials_(step, shared + fresh_packs(blockDim.x) + spacing_packs(tiling)),
          column_(column<T>(now_.layout, tiling, step.planes, block, threadIdx.x)),
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
        if (threadIdx.x < 2) added_[threadIdx.x] = static_cast<T>(current(*step.ahead.drive, threadIdx.x));
        const Layout& l = now_.layout;
        plane_ = static_cast<unsigned>(l.plane());
        at_ = {column_.first_x, column_.y, column_.z, 0};
        at_.offset = step.ring.offset(l, at_.x) + at_.y * l.pitch + at_.z;
        node_ = {0, __ldg(now_.node[1] + at_.y), load_spacings(now_.node[along_z], at_.z, l.n[along_z])};
        half_ = {0, __ldg(now_.half[1] + at_.y), load_spacings(now_.half[along_z], at_.z, l.n[along_z])};
    }

    __device__ void run() {
        __syncthreads();  // behind what the constructor wrote to shared memory
        OldH one;
        one.y_plane = load(now_.h.data[1] + at_.offset);
        one.z_plane = load(now_.h.data[2] + at_.offset);
        load_for_e(at_.offset);
        one = load_for_h(at_.offset, one);
        Pack<T>* const other_fresh = fresh_ + 3 * blockDim.x;
        if constexpr (Materials::is_small) {
            // Planes in pairs, so that what has been loaded early stays where it is: to move it would be to
            // wait for it.
            OldH other;
            for (;;) {
                advance(one, other, fresh_);
                if (++at_.x == column_.end_x) break;
                advance(other, one, other_fresh);
                if (++at_.x == column_.end_x) break;
            }
        } else {
            for (; at_.x < column_.end_x; ++at_.x)
                advance(one, one, at_.x % 2 == 0 ? fresh_ : other_fresh);
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
    /// What a thread has of a plane's old H: its own pack, those further along y, and those at its place in
    /// the next plane. And the material there.
    struct OldH {
        Pack<T> x, y, z;
        Pack<T> x_row, z_row, y_plane, z_plane;
        T x_behind, y_behind;  ///< the values behind the pack
        typename Materials::LoadedH material;
    };

    /// A plane. `coming` becomes what H's next one needs; new E is shown at `fresh`.
    __device__ void advance(const OldH& h, OldH& coming, Pack<T>* fresh) {
        const unsigned next = at_.x + 1 < column_.end_x ? behind(at_.offset) : at_.offset;
        if constexpr (Materials::is_small) coming = load_for_h(next, h);
        make_e(h);
        for (int c = 0; c < 3; ++c)
            fresh[c * blockDim.x] = e_[c];
        load_for_e(next);
        __syncthreads();
        if constexpr (Materials::is_small) prefetch(at_.x + planes_ahead);
        if (column_.writes && at_.x >= column_.own_x) advance_h_and_store(h, fresh);
        ey_before_ = e_[1];
        ez_before_ = e_[2];
        if constexpr (!Materials::is_small) coming = load_for_h(next, h);
        at_.offset = next;
    }

    /// Has the L2 cache fetch a plane of the block's rows: by a thread of the rim, which has time. Only of
    /// whole rows, which lie one behind the other.
    __device__ void prefetch(int x) const {
        if (threadIdx.x != 0 || tiling_.along_z > 1 || x >= column_.end_x) return;
        const Layout& l = now_.layout;
        const unsigned from = step_.ring.offset(l, x) + at_.y * l.pitch,
                       values = min(tiling_.rows, l.rows() - at_.y) * l.pitch;
        for (int c = 0; c < 3; ++c) {
            launch::prefetch_to_l2(now_.e.data[c] + from, values * sizeof(T));
            launch::prefetch_to_l2(now_.h.data[c] + from, values * sizeof(T));
        }
        materials_.prefetch(from, values);
    }

    __device__ void load_for_e(unsigned at) {
        for (int c = 0; c < 3; ++c)
            old_e_[c] = load(now_.e.data[c] + at);
        of_e_ = materials_.load_e(at);
    }
    /// `before` is what is known of the plane before.
    __device__ OldH load_for_h(unsigned at, const OldH& before) const {
        const Layout& l = now_.layout;
        const T *const x = now_.h.data[0] + at, *const y = now_.h.data[1] + at,
                       *const z = now_.h.data[2] + at;
        const unsigned further = behind(at);
        return {load(x),
                before.y_plane,
                before.z_plane,
                load(x + l.pitch),
                load(z + l.pitch),
                load(now_.h.data[1] + further),
                load(now_.h.data[2] + further),
                x[pack_width<T>],
                y[pack_width<T>],
                materials_.load_h(at)};
    }
    /// The same place in the plane behind.
    __device__ unsigned behind(unsigned at) const { return step_.ring.behind(at, plane_); }

    __device__ void make_e(const OldH& h) {
        const PackOfE<T> material = materials_.of_e(of_e_, h.material);
        half_.x = half_x_[at_.x];
        if constexpr (Materials::by_reciprocal) {
            if (!divide_e<Division::by_reciprocal>(h, material)) divide_e<Division::either>(h, material);
        } else {
            divide_e<Division::plain>(h, material);
        }
    }

    /// New E from the old one; whether that is exact.
    template <Division division>
    __device__ bool divide_e(const OldH& h, const PackOfE<T>& material) {
        const bool in_x = at_.x > 0, in_y = at_.y > 0;
        const int nz = now_.layout.n[along_z];
        for (int c = 0; c < 3; ++c)
            e_[c] = old_e_[c];
        e_[0].at[0] = in_x && at_.z == 0 ? e_[0].at[0] + added_[0] : e_[0].at[0];
        e_[1].at[0] = in_y && at_.z == 0 ? e_[1].at[0] + added_[1] : e_[1].at[0];
        const Pack<T> x_z = further(h.x, h.x_behind), y_z = further(h.y, h.y_behind);
        bool is_exact = material.has_reciprocals;
        advance_e<0, division>(e_[0], rotations<0>(half_, h.z, h.z_row, h.y, y_z), material, in_x, at_.z, nz,
                               now_.dct, is_exact);
        advance_e<1, division>(e_[1], rotations<1>(half_, h.x, x_z, h.z, h.z_plane), material, in_y, at_.z,
                               nz, now_.dct, is_exact);
        advance_e<2, division>(e_[2], rotations<2>(half_, h.y, h.y_plane, h.x, h.x_row), material, true,
                               at_.z, nz, now_.dct, is_exact);
        return is_exact;
    }

    /// New H, and what is to be stored of both. What lies before the first node is not used; row_back_ and
    /// pack_back_ only keep off it.
    __device__ void advance_h_and_store(const OldH& h, const Pack<T>* fresh) {
        const int z = at_.z, nz = now_.layout.n[along_z];
        const Pack<T>&ex = e_[0], &ey = e_[1], &ez = e_[2];
        const PackOfH<T> material = materials_.of_h(h.material);
        node_.x = node_x_[at_.x];
        const bool in_x = at_.x > 0, in_y = at_.y > 0;
        const Pack<T>*const x = fresh, *const y = x + blockDim.x, *const z_ = y + blockDim.x;
        const Pack<T> ex_z = back(ex, x[pack_back_].at[pack_width<T> - 1]);
        const Pack<T> ey_z = back(ey, y[pack_back_].at[pack_width<T> - 1]);
        Pack<T> later[3] = {h.x, h.y, h.z};
        advance_h<0>(later[0], rotations<0>(node_, z_[row_back_], ez, ey_z, ey), material, in_y, z, nz);
        advance_h<1>(later[1], rotations<1>(node_, ex_z, ex, ez_before_, ez), material, in_x, z, nz);
        advance_h<2>(later[2], rotations<2>(node_, ey_before_, ey, x[row_back_], ex), material, in_x && in_y,
                     z, nz);
        set_first_ghosts(at_, e_, later);
        set_y_ghosts(step_, at_, e_, later);
        for (int c = 0; c < 3; ++c) {
            store_streaming(step_.e.data[c] + at_.offset, e_[c]);
            store_streaming(step_.h.data[c] + at_.offset, later[c]);
        }
        set_last_ghosts(step_, at_, e_);
        set_x_ghosts(step_, at_, behind(at_.offset));
    }

    const WholeStep<T>& step_;
    const Arrays<T>& now_;
    const Tiling& tiling_;
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
    typename Materials::LoadedE of_e_;
};

template <class T, class Materials>
__global__ void __launch_bounds__(Materials::most_threads) step_kernel(WholeStep<T> step, Tiling tiling) {
    GRIDMARK_DYNAMIC_SHARED(Pack<T>, shared);
    if (blockIdx.x > 0)
        March<T, Materials>(step, tiling, blockIdx.x - 1, shared).run();
    else if (step.planes.first == 0)
        advance_wave(step);
}

template <class T, class Materials>
Tiling tiling(const Layout& l, Slab slab, int multiprocessors = launch::multiprocessors()) {
    return choose_tiling<T>(l, slab, Materials::most_threads, Materials::most_planes, multiprocessors);
}

template <class T, class Materials>
std::size_t shared_bytes(const WholeStep<T>& step, const Tiling& t) {
    return (March<T, Materials>::fresh_packs(t.threads()) + March<T, Materials>::spacing_packs(t)) *
               sizeof(Pack<T>) +
           Materials::shared_bytes(step.index);
}

template <class T, class Materials>
void step(launch::Stream stream, const WholeStep<T>& step) {
    const Tiling t = tiling<T, Materials>(step.now.layout, step.planes);
    const std::size_t shared = shared_bytes<T, Materials>(step, t);
    launch::allow_dynamic_shared(step_kernel<T, Materials>, shared);
    launch::launch(stream, {{static_cast<unsigned>(1 + t.blocks()), 1, 1}, {t.threads(), 1, 1}, shared},
                   step_kernel<T, Materials>, step, t);
}

template <class T, class Materials>
std::optional<launch::KernelInfo> info(const Layout& l) {
    const Tiling t = tiling<T, Materials>(l, {0, l.n[0]});
    return launch::kernel_info(step_kernel<T, Materials>, t.threads(),
                               shared_bytes<T, Materials>(WholeStep<T>{}, t));
}

template <class T, class Materials>
std::vector<launch::Demand> demand(int nx, int ny, int nz, const launch::Chip& chip) {
    const Layout l{{nx, ny, nz}, nz};
    const Tiling t = tiling<T, Materials>(l, {0, nx}, chip.multiprocessors);
    const double planes = t.planes, blocks = t.blocks() + 1, warps = t.threads() / 32.0;
    return {{.blocks = blocks,
             .block_threads = static_cast<double>(t.threads()),
             .units = {blocks * planes * warps, static_cast<double>(nx) * ny * nz},
             .code_share = std::min(1.0, 2 / planes),
             .loads_ahead = true,
             .chain = chains::gpu_single_pass(planes, nx)}};
}

/// By an index of one, two or four bytes, as the body needs it.
template <class T>
void step_by_index(launch::Stream stream, const WholeStep<T>& whole) {
    if (whole.index.width == 1)
        step<T, FromIndex<T, std::uint8_t>>(stream, whole);
    else if (whole.index.width == 2)
        step<T, FromIndex<T, std::uint16_t>>(stream, whole);
    else
        step<T, FromIndex<T, std::uint32_t>>(stream, whole);
}

}  // namespace single_pass

/// Coefficients from the nine arrays: 84 bytes a node in float.
template <class T>
GpuVariant<T> gpu_single_pass() {
    return {.name = "gpu_single_pass",
            .values_per_cell = values_whole,
            .step = single_pass::step<T, FromArrays<T>>,
            .info = single_pass::info<T, FromArrays<T>>,
            .demand = single_pass::demand<T, FromArrays<T>>};
}

/// Coefficients by index: 49 bytes a node in float, where a byte tells all combinations.
template <class T>
GpuVariant<T> gpu_single_pass_indexed() {
    return {.name = "gpu_single_pass_indexed",
            .values_per_cell = values_indexed<T>,
            .by_index = true,
            .step = single_pass::step_by_index<T>,
            .info = single_pass::info<T, FromIndex<T, std::uint8_t>>,
            .demand = single_pass::demand<T, FromIndex<T, std::uint8_t>>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_single_pass);
GRIDMARK_INSTANTIATE_VARIANT(gpu_single_pass_indexed);

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
