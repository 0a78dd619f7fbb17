// Eight and twelve sweeps in one pass through the memory; see gpu_blocked_march.cuh for how.
#include <algorithm>

#include "kernels/jacobi/gpu_blocked_march.cuh"
#include "kernels/jacobi/gpu_several.hpp"

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
void sweeps(launch::Stream stream, const Problem& p, const T* psi, const T* omega, T* next) {
    if (p.nx % Vector<T>::width == 0)
        advance<T, k, true>(stream, p, psi, omega, next);
    else
        advance<T, k, false>(stream, p, psi, omega, next);
}

}  // namespace blocked

#define GRIDMARK_BLOCKED(K)                                                                            \
    template <class T>                                                                                 \
    void sweeps_blocked_##K(launch::Stream stream, const Problem& p, int count, const T* psi,          \
                            const T* omega, T* next, void*) {                                          \
        const auto sweeps = count == K ? blocked::sweeps<T, K> : blocked::sweeps<T, 1>;                \
        sweeps(stream, p, psi, omega, next);                                                           \
    }                                                                                                  \
    template <class T>                                                                                 \
    std::optional<launch::KernelInfo> info_blocked_##K() {                                             \
        return launch::kernel_info(blocked::sweeps_kernel<T, K, true>, blocked::warp * blocked::warps, \
                                   blocked::Strip<T, K>::shared_bytes);                                \
    }                                                                                                  \
    GRIDMARK_JACOBI_SEVERAL(blocked_##K)

GRIDMARK_BLOCKED(8);
GRIDMARK_BLOCKED(12);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
