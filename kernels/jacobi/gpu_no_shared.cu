// The published kernel without shared memory: neighbours come straight from global memory, L1 is left to
// cache them. Source: paper, section 2.2.2.
#include "kernels/jacobi/gpu_common.cuh"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace no_shared {

template <class T>
__global__ void sweep_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega) {
    const Constants<T>& c = constants(T{});
    const Tile& tile = c.tile;
    const int i = blockIdx.x * tile_x + threadIdx.x;
    const int j = blockIdx.y * tile.y + threadIdx.y * tile.ratio;
    if (i >= tile.nx) return;  // the paper's sizes divide evenly; ours need not
    int k = i + j * tile.nx;
    for (int row = 0; row < tile.ratio && j + row < tile.ny; ++row, k += tile.nx) {
        const Kind kind = classify(k, c.body, tile);
        if (kind == Kind::inside)
            next[k] = update(c.jacobi, psi[k + 1], psi[k - 1], psi[k + tile.nx], psi[k - tile.nx], omega[k]);
        else if (kind == Kind::outflow)
            next[k] = psi[k - 1];
    }
}

template <class T>
void prepare(launch::Stream stream, const Problem& p, const Tiling& t, launch::Carveout carveout) {
    upload_constants<T>(stream, p, t);
    launch::set_carveout(sweep_kernel<T>, carveout);
}

template <class T>
void sweep(launch::Stream stream, const Problem& p, const Tiling& t, int, const Fields<T>& f) {
    launch::launch(stream, tile_shape(p, t, 0), sweep_kernel<T>, f.next, f.psi, f.omega);
}

template <class T>
std::optional<launch::KernelInfo> info(const Tiling& t) {
    return launch::kernel_info(sweep_kernel<T>, tile_x * t.block_y, 0);
}

}  // namespace no_shared

template <class T>
GpuVariant<T> gpu_no_shared() {
    return {.name = "gpu_no_shared",
            .origin = launch::Origin::published,
            .carveout = launch::Carveout::prefer_l1,
            .tiled = true,
            .check = [](const Problem&, const Tiling& t) { check_tiling(t); },
            .prepare = no_shared::prepare<T>,
            .sweep = no_shared::sweep<T>,
            .info = no_shared::info<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_no_shared);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
