// A thread works on tile_y / block_y rows of one column, by one load each.
#include "kernels/jacobi/gpu_common.cuh"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace wide {

template <class T>
__global__ void sweep_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega) {
    const Constants<T>& c = constants<T, Indexing::tracked>();
    const Tile& tile = c.tile;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j0 = blockIdx.y * tile.y + threadIdx.y * tile.ratio;
    if (i >= tile.nx) return;
    for (int j = j0; j < j0 + tile.ratio && j < tile.ny; ++j) {
        const int k = i + j * tile.nx;
        const Kind kind = classify<Indexing::tracked>({k, i, j}, c.body, tile);
        if (kind == Kind::inside)
            next[k] = update(c.jacobi, psi[k + 1], psi[k - 1], psi[k + tile.nx], psi[k - tile.nx], omega[k]);
        else if (kind == Kind::outflow)
            next[k] = psi[k - 1];
    }
}

template <class T>
void prepare(launch::Stream stream, const Problem& p, const Tiling& t, launch::Carveout carveout) {
    upload_constants<T, Indexing::tracked>(stream, p, t);
    launch::set_carveout(sweep_kernel<T>, carveout);
}

template <class T>
void sweep(launch::Stream stream, const Problem& p, const Tiling& t, int, const Fields<T>& f) {
    launch::launch(stream, tile_shape(p, t, 0), sweep_kernel<T>, f.next, f.psi, f.omega);
}

}  // namespace wide

template <class T>
GpuVariant<T> gpu_wide() {
    return {.name = "gpu_wide",
            .tiled = true,
            .check = [](const Problem&, const Tiling& t) { check_tiling(t); },
            .prepare = wide::prepare<T>,
            .sweep = wide::sweep<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_wide);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
