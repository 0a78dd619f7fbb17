// The published kernel with shared memory: a block copies its tile and the cross-shaped halo (no corners) to
// dynamic shared memory, meets at one barrier, and updates the tile from there. Source: paper, section 2.2.1.
// gpu_shared_no_division is an ablation of ours.
#include "kernels/jacobi/chains.hpp"
#include "kernels/jacobi/gpu_common.cuh"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace shared {

/// Tile and halo from global to shared memory, in the listing's order (memcpy_cross). Thread rows 0 and last
/// load the rows above and below their points, rows 1 and 2 the columns left and right (lane x takes tile row
/// x). By division, a side load that leaves the grid sideways wraps into the neighbouring row: harmless,
/// because edges are never updated from it. One that leaves the grid altogether is skipped.
template <Indexing indexing, bool fits, class T>
__device__ inline void load_cross(T* cross, const T* psi, int at, const Point& own, const Tile& tile) {
    auto [k, i, j] = own;
    const int lane = threadIdx.x, tile_i = blockIdx.x * blockDim.x, width = blockDim.x;
    // Unsigned, as in the listing: below the last tile of the largest grids it would leave an int.
    const unsigned side_j = blockIdx.y * tile.y + threadIdx.x;
    const auto side = [&](int column) {
        return Point{static_cast<int>(tile.nx * side_j + column), column, static_cast<int>(side_j)};
    };
    const bool mine = fits || i < tile.nx;
    if (threadIdx.y == 0) {
        const Point above{k - tile.nx, i, j - 1};
        if (mine && !outside_grid<indexing>(above, tile)) cross[at - tile.stride] = psi[above.index];
    }
    if (threadIdx.y == 1) {
        const Point left = side(tile_i - 1);
        if (!outside_grid<indexing>(left, tile))
            if (lane < tile.y) cross[(lane + 1) * tile.stride] = psi[left.index];
    }
    if (threadIdx.y == 2) {
        const Point right = side(tile_i + width);
        if (!outside_grid<indexing>(right, tile))
            if (lane < tile.y) cross[(lane + 2) * tile.stride - 1] = psi[right.index];
    }
    if (threadIdx.y == blockDim.y - 1) {
        const Point below{k + tile.ratio * tile.nx, i, j + tile.ratio};
        if (mine && !outside_grid<indexing>(below, tile)) cross[at + tile.thread_stride] = psi[below.index];
    }
    for (int row = 0; row < tile.ratio; ++row, k += tile.nx, at += tile.stride)
        if (fits || (mine && j + row < tile.ny)) cross[at] = psi[k];
}

/// `fits`: the tiles fill the grid, as the paper's do; else rows and columns beyond it are left out.
template <class T, Indexing indexing, bool fits>
__global__ void sweep_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega) {
    GRIDMARK_DYNAMIC_SHARED(T, cross);
    const Constants<T>& c = constants<T, indexing>();
    const Tile& tile = c.tile;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int j = blockIdx.y * tile.y + threadIdx.y * tile.ratio;
    int k = i + j * tile.nx;
    int at = threadIdx.x + tile.first + tile.thread_stride * threadIdx.y;

    load_cross<indexing, fits>(cross, psi, at, {k, i, j}, tile);
    __syncthreads();

    if (!fits && i >= tile.nx) return;
    for (int row = 0; row < tile.ratio && (fits || j + row < tile.ny);
         ++row, k += tile.nx, at += tile.stride) {
        const Kind kind = classify<indexing>({k, i, j + row}, c.body, tile);
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

template <class T, Indexing indexing>
void prepare(launch::Stream stream, const Problem& p, const Tiling& t, launch::Carveout carveout) {
    upload_constants<T, indexing>(stream, p, t);
    launch::set_carveout(sweep_kernel<T, indexing, true>, carveout);
    launch::set_carveout(sweep_kernel<T, indexing, false>, carveout);
}

template <class T, Indexing indexing>
void sweep(launch::Stream stream, const Problem& p, const Tiling& t, int, const Fields<T>& f) {
    const auto kernel = tiles_fit(p, t) ? sweep_kernel<T, indexing, true> : sweep_kernel<T, indexing, false>;
    launch::launch(stream, tile_shape(p, t, shared_bytes<T>(t)), kernel, f.next, f.psi, f.omega);
}

template <class T, Indexing indexing>
std::optional<launch::KernelInfo> info(const Tiling& t) {
    return launch::kernel_info(sweep_kernel<T, indexing, true>, tile_x * t.block_y, shared_bytes<T>(t));
}

/// The tile is loaded at once, behind the division of a side; then rows follow each other, each with its
/// load of omega, its division and its reads of shared memory.
template <class T, Indexing indexing>
launch::Demand demand(const Problem& p, const Tiling& t, int, const launch::Chip&) {
    constexpr bool divided = indexing == Indexing::divided;
    const double rows = static_cast<double>(t.tile_y) / t.block_y;
    launch::Demand demand = tile_demand(p, t, chains::gpu_shared(rows, divided));
    demand.shared_bytes = static_cast<double>(shared_bytes<T>(t));
    return demand;
}

template <class T, Indexing indexing>
GpuVariant<T> variant(std::string_view name) {
    return {.name = name,
            .carveout = launch::Carveout::prefer_shared,
            .shared_memory = true,
            .tiled = true,
            .check = [](const Problem&, const Tiling& t) { check_shared_tiling(t); },
            .prepare = prepare<T, indexing>,
            .sweep = sweep<T, indexing>,
            .info = info<T, indexing>,
            .demand = demand<T, indexing>};
}

}  // namespace shared

template <class T>
GpuVariant<T> gpu_shared() {
    auto published = shared::variant<T, Indexing::divided>("gpu_shared");
    published.origin = launch::Origin::published;
    return published;
}

template <class T>
GpuVariant<T> gpu_shared_no_division() {
    auto ablation = shared::variant<T, Indexing::tracked>("gpu_shared_no_division");
    ablation.ablation_of = "gpu_shared";
    return ablation;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_shared);
GRIDMARK_INSTANTIATE_VARIANT(gpu_shared_no_division);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
