// Eight and twelve sweeps in one pass through the memory; see gpu_blocked_march.cuh for how.
#include <algorithm>

#include "kernels/jacobi/chains.hpp"
#include "kernels/jacobi/gpu.hpp"
#include "kernels/jacobi/gpu_blocked_march.cuh"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace blocked {

/// Blocks for each one that the GPU holds at once: with two, those that end late wait for less. And rows of a
/// march at least.
constexpr int waves = 2, shortest_march = 8;

/// Blocks a multiprocessor that registers must allow.
template <class T, int k>
constexpr int blocks = k > 8 && sizeof(T) == 8 ? 4 : 6;

/// Blocks number the strips first, `warps` each, then the parts of `rows` rows.
template <class T, int k, bool whole>
__global__ void __launch_bounds__(warp* warps, blocks<T, k>)
    sweeps_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega,
                  Coefficients<T> coefficients, Body body, int nx, int ny, int rows) {
    using S = Strip<T, k>;
    using V = Vector<T>;
    GRIDMARK_DYNAMIC_SHARED(V, shared);
    const int w = threadIdx.x / warp, lane = threadIdx.x % warp;
    V* const mine = shared + w * S::vectors * warp + lane;
    const int block_begin = blockIdx.x * warps * S::own - S::halo,
              block_end = block_begin + warps * S::own + 2 * S::halo;
    const int column = lane * S::width - S::halo;  // of its own ones
    const bool completes = column >= 0 && column < S::own;
    const int x = (blockIdx.x * warps + w) * S::own + column;
    const int own_begin = blockIdx.y * rows, own_end = min(own_begin + rows, ny);

    const Columns<T> columns(coefficients, body, x, nx);
    const Rows kinds(body, block_begin <= body.x2 && block_end > body.x1, ny);
    const bool by_edge = block_begin <= 0 || block_end >= nx;
    March<T, k, whole> march{{x, nx}, psi, omega, ny - 1, mine, mine + S::coming * warp};

    const auto turns = [&](int m, int slot, const auto& points) {
        const V made = march.turn(m, slot, points);
        if (completes && m - k >= own_begin && m - k < own_end) march.place.store(next + (m - k) * nx, made);
    };
    const int begin = max(own_begin - k, 0);
    march.start(begin);
    for (int m = begin; m < own_end + k; m += places) {
        const int low = m - k, high = m + places - 1;  // rows under way in these turns
        const bool alike = kinds.alike(low, high);
        if (alike && !by_edge && kinds.kind(low) == RowKind::open) {
#pragma unroll
            for (int slot = 0; slot < places; ++slot)
                turns(m + slot, slot, Inside<T>{coefficients});
        } else if (alike) {
            const Alike<T> points(columns, kinds.kind(low));
#pragma unroll
            for (int slot = 0; slot < places; ++slot)
                turns(m + slot, slot, points);
        } else {
#pragma unroll 1
            for (int slot = 0; slot < places; ++slot)
                turns(m + slot, slot, Mixed<T>{columns, kinds});
        }
    }
    launch::wait_for_copies<0>();
}

/// Cuts the rows into parts such that the GPU holds all blocks in `waves` turns.
template <class T, int k, bool whole>
void advance(launch::Stream stream, const Problem& p, const T* psi, const T* omega, T* next) {
    using S = Strip<T, k>;
    const auto kernel = sweeps_kernel<T, k, whole>;
    launch::allow_dynamic_shared(kernel, S::shared_bytes);
    const int strips = (p.nx + S::own * warps - 1) / (S::own * warps);
    const int resident = launch::resident_blocks(kernel, warp * warps, S::shared_bytes);
    const int parts = std::max(1, waves * resident / strips);
    const int rows = std::max((p.ny + parts - 1) / parts, shortest_march);
    const launch::Shape shape{
        {static_cast<unsigned>(strips), static_cast<unsigned>((p.ny + rows - 1) / rows)},
        {warp * warps},
        S::shared_bytes};
    launch::launch(stream, shape, kernel, next, psi, omega, coefficients<T>(p), p.body, p.nx, p.ny, rows);
}

template <class T, int k>
void advance_rows(launch::Stream stream, const Problem& p, const Fields<T>& f) {
    if (p.nx % Vector<T>::width == 0)
        advance<T, k, true>(stream, p, f.psi, f.omega, f.next);
    else
        advance<T, k, false>(stream, p, f.psi, f.omega, f.next);
}

template <class T, int k>
void sweeps(launch::Stream stream, const Problem& p, const Tiling&, int count, const Fields<T>& f) {
    if (count == k)
        advance_rows<T, k>(stream, p, f);
    else
        advance_rows<T, 1>(stream, p, f);
}

/// A march takes 2 k rows more than it completes. In a turn each of the k sweeps needs the row of the one
/// before: a shuffle's time apart at least, and so many instructions.
template <class T, int k>
launch::Demand demand(const Problem& p, const Tiling&, int, const launch::Chip& chip) {
    using S = Strip<T, k>;
    const int resident =
        chip.multiprocessors * (chip.resident_blocks > 0 ? chip.resident_blocks : blocks<T, k>);
    const double strips = launch::pieces(p.nx, S::own * warps);
    const int parts = std::max(1, static_cast<int>(waves * resident / strips)),
              rows = std::max((p.ny + parts - 1) / parts, shortest_march);
    const double marches = strips * launch::pieces(p.ny, rows), turns = rows + 2 * k;
    return {.blocks = marches,
            .block_threads = warp * warps,
            .shared_bytes = S::shared_bytes,
            .units = {marches * turns, marches * rows, static_cast<double>(p.nx) * p.ny},
            .kernel = launch::instance(p.nx % Vector<T>::width == 0),
            .code_share = std::min(1.0, places / turns),
            .loads_ahead = true,
            .chain = chains::gpu_blocked(turns, k)};
}

template <class T, int k>
GpuVariant<T> entry(std::string_view name) {
    return {.name = name,
            .shared_memory = true,
            .steps_per_launch = {k},
            .sweep = sweeps<T, k>,
            .info =
                [](const Tiling&) {
                    return launch::kernel_info(sweeps_kernel<T, k, true>, warp * warps,
                                               Strip<T, k>::shared_bytes);
                },
            .demand = demand<T, k>};
}

}  // namespace blocked

template <class T>
GpuVariant<T> gpu_blocked_8() {
    return blocked::entry<T, 8>("gpu_blocked_8");
}

template <class T>
GpuVariant<T> gpu_blocked_12() {
    return blocked::entry<T, 12>("gpu_blocked_12");
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_blocked_8);
GRIDMARK_INSTANTIATE_VARIANT(gpu_blocked_12);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
