// The published kernel with shared memory: a block copies its tile and the cross-shaped halo (no corners) to
// dynamic shared memory, meets at one barrier, and updates the tile from there. Source: paper, section 2.2.1.
#include "kernels/jacobi/gpu_common.cuh"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace shared {

/// Tile and halo from global to shared memory. Thread rows 0 and last load the rows above and below their
/// points, rows 1 and 2 the columns left and right (lane x takes tile row x). A side load that leaves the
/// grid sideways wraps into the neighbouring row, harmless because edges are never updated from it; one that
/// leaves it altogether is skipped.
template <class T>
__device__ inline void load_cross(T* cross, const T* psi, int at, int k, const Tile& tile, int i, int j) {
    if (threadIdx.y == 0 && i < tile.nx && !outside_grid(k - tile.nx, tile))
        cross[at - tile.stride] = psi[k - tile.nx];
    const int lane = threadIdx.x;
    const int side = tile.nx * (blockIdx.y * tile.y + lane) + blockIdx.x * tile_x;
    if (lane < tile.y) {
        if (threadIdx.y == 1 && !outside_grid(side - 1, tile))
            cross[(lane + 1) * tile.stride] = psi[side - 1];
        if (threadIdx.y == 2 && !outside_grid(side + tile_x, tile))
            cross[(lane + 2) * tile.stride - 1] = psi[side + tile_x];
    }
    const int below = k + tile.ratio * tile.nx;
    if (threadIdx.y == blockDim.y - 1 && i < tile.nx && !outside_grid(below, tile))
        cross[at + tile.thread_stride] = psi[below];
    for (int row = 0; row < tile.ratio; ++row, k += tile.nx, at += tile.stride)
        if (i < tile.nx && j + row < tile.ny) cross[at] = psi[k];
}

template <class T>
__global__ void sweep_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega) {
    GRIDMARK_DYNAMIC_SHARED(T, cross);
    const Constants<T>& c = constants(T{});
    const Tile& tile = c.tile;
    const int i = blockIdx.x * tile_x + threadIdx.x;
    const int j = blockIdx.y * tile.y + threadIdx.y * tile.ratio;
    int k = i + j * tile.nx;
    int at = threadIdx.x + tile.stride + 1 + tile.thread_stride * threadIdx.y;

    load_cross(cross, psi, at, k, tile, i, j);
    __syncthreads();

    if (i >= tile.nx) return;
    for (int row = 0; row < tile.ratio && j + row < tile.ny; ++row, k += tile.nx, at += tile.stride) {
        const Kind kind = classify(k, c.body, tile);
        if (kind == Kind::inside)
            next[k] = update(c.jacobi, cross[at + 1], cross[at - 1], cross[at + tile.stride],
                             cross[at - tile.stride], omega[k]);
        else if (kind == Kind::outflow)
            next[k] = cross[at - 1];
    }
}

template <class T>
std::size_t shared_bytes(const Tiling& t) {
    return static_cast<std::size_t>(tile_x + 2) * (t.tile_y + 2) * sizeof(T);
}

template <class T>
void prepare(launch::Stream stream, const Problem& p, const Tiling& t, launch::Carveout carveout) {
    upload_constants<T>(stream, p, t);
    launch::set_carveout(sweep_kernel<T>, carveout);
}

template <class T>
void sweep(launch::Stream stream, const Problem& p, const Tiling& t, int, const Fields<T>& f) {
    launch::launch(stream, tile_shape(p, t, shared_bytes<T>(t)), sweep_kernel<T>, f.next, f.psi, f.omega);
}

template <class T>
std::optional<launch::KernelInfo> info(const Tiling& t) {
    return launch::kernel_info(sweep_kernel<T>, tile_x * t.block_y, shared_bytes<T>(t));
}

}  // namespace shared

template <class T>
GpuVariant<T> gpu_shared() {
    return {.name = "gpu_shared",
            .origin = launch::Origin::published,
            .carveout = launch::Carveout::prefer_shared,
            .tiled = true,
            .check = [](const Problem&, const Tiling& t) { check_shared_tiling(t); },
            .prepare = shared::prepare<T>,
            .sweep = shared::sweep<T>,
            .info = shared::info<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_shared);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
