// The published kernel without shared memory: neighbours come straight from global memory, L1 is left to
// cache them. Source: paper, section 2.2.2. gpu_no_shared_no_division is an ablation of ours.
#include "kernels/jacobi/chains.hpp"
#include "kernels/jacobi/gpu_common.cuh"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace no_shared {

/// `fits`: the tiles fill the grid, as the paper's do; else rows and columns beyond it are left out.
template <class T, Indexing indexing, bool fits>
__global__ void sweep_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega) {
    const Constants<T>& c = constants<T, indexing>();
    const Tile& tile = c.tile;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * tile.y + threadIdx.y * tile.ratio;
    if (!fits && i >= tile.nx) return;
    int k = i + j * tile.nx;
    for (int row = 0; row < tile.ratio && (fits || j + row < tile.ny); ++row, k += tile.nx) {
        const Kind kind = classify<indexing>({k, i, j + row}, c.body, tile);
        if (kind == Kind::inside)
            next[k] = update(c.jacobi, psi[k + 1], psi[k - 1], psi[k + tile.nx], psi[k - tile.nx], omega[k]);
        else if (kind == Kind::outflow)
            next[k] = psi[k - 1];
    }
}

template <class T, Indexing indexing>
void prepare(launch::Stream stream, const Problem& p, const Tiling& t, launch::Carveout carveout) {
    upload_constants<T, indexing>(stream, p, t);
    launch::set_carveout(sweep_kernel<T, indexing, true>, carveout);
    launch::set_carveout(sweep_kernel<T, indexing, false>, carveout);
}

template <class T, Indexing indexing>
void sweep(launch::Stream stream, const Problem& p, const Tiling& t, int, const Fields<T>& f) {
    const auto kernel = tiles_fit(p, t) ? sweep_kernel<T, indexing, true> : sweep_kernel<T, indexing, false>;
    launch::launch(stream, tile_shape(p, t, 0), kernel, f.next, f.psi, f.omega);
}

template <class T, Indexing indexing>
std::optional<launch::KernelInfo> info(const Tiling& t) {
    return launch::kernel_info(sweep_kernel<T, indexing, true>, tile_x * t.block_y, 0);
}

/// Rows follow each other: each waits for its loads, its division, and what depends on them.
template <class T, Indexing indexing>
launch::Demand demand(const Problem& p, const Tiling& t, int, const launch::Chip&) {
    constexpr bool divided = indexing == Indexing::divided;
    const double rows = static_cast<double>(t.tile_y) / t.block_y;
    return tile_demand(p, t, chains::gpu_no_shared(rows, divided));
}

template <class T, Indexing indexing>
GpuVariant<T> variant(std::string_view name) {
    return {.name = name,
            .carveout = launch::Carveout::prefer_l1,
            .tiled = true,
            .check = [](const Problem&, const Tiling& t) { check_tiling(t); },
            .prepare = prepare<T, indexing>,
            .sweep = sweep<T, indexing>,
            .info = info<T, indexing>,
            .demand = demand<T, indexing>};
}

}  // namespace no_shared

template <class T>
GpuVariant<T> gpu_no_shared() {
    auto published = no_shared::variant<T, Indexing::divided>("gpu_no_shared");
    published.origin = launch::Origin::published;
    return published;
}

template <class T>
GpuVariant<T> gpu_no_shared_no_division() {
    auto ablation = no_shared::variant<T, Indexing::tracked>("gpu_no_shared_no_division");
    ablation.ablation_of = "gpu_no_shared";
    return ablation;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_no_shared);
GRIDMARK_INSTANTIATE_VARIANT(gpu_no_shared_no_division);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
