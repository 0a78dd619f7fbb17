// Optimised, for grids far larger than the L2: as near to "read psi and omega once, write psi' once" as one
// sweep allows.
//
// A warp takes a strip 32 vectors wide (a vector is 16 bytes: four floats or two doubles) and marches down
// it. Each thread keeps the vectors above, at and below its row in registers, so that a row of psi is loaded
// once per strip; the points left and right of its vector come from the neighbouring lanes by shuffle, and
// only the two outer lanes load one value each. omega and psi' are streamed past the caches: nobody reads
// them again in this sweep. Points are classified by their column and row, without the division of the
// published kernels.
#include "kernels/jacobi/chains.hpp"
#include "kernels/jacobi/gpu_common.cuh"
#include "kernels/launch/streaming.hpp"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace rows {

constexpr int warp = 32;
constexpr unsigned all_lanes = 0xFFFFFFFFu;

template <class T, int width>
struct alignas(width * sizeof(T)) Vector {
    T at[width];
};

template <class T, int width>
__device__ inline Vector<T, width> load_row(const T* psi, int i, int j, const Tile& tile) {
    if (i < tile.nx && j < tile.ny) return *reinterpret_cast<const Vector<T, width>*>(psi + i + j * tile.nx);
    return {};
}

/// One row of a thread's vector: its new values, fixed points keeping what `next` must hold anyway.
template <class T, int width>
__device__ inline Vector<T, width> update_row(const Constants<T>& c, const Vector<T, width>& north,
                                              const Vector<T, width>& here, const Vector<T, width>& south,
                                              const Vector<T, width>& omega, T west_edge, T east_edge, int i,
                                              int j) {
    Vector<T, width> result = here;
    const bool body_row = j >= c.body.y1 && j <= c.body.y2;
    for (int v = 0; v < width; ++v) {
        const int x = i + v;
        const T west = v == 0 ? west_edge : here.at[v - 1];
        const T east = v == width - 1 ? east_edge : here.at[v + 1];
        const bool fixed = x == 0 || (body_row && x >= c.body.x1 && x <= c.body.x2);
        const T inside = update(c.jacobi, east, west, south.at[v], north.at[v], omega.at[v]);
        result.at[v] = fixed ? here.at[v] : x == c.tile.nx - 1 ? west : inside;
    }
    return result;
}

template <class T, int width>
__global__ void sweep_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega) {
    using Row = Vector<T, width>;
    const Constants<T>& c = constants<T, Indexing::tracked>();
    const Tile& tile = c.tile;
    const int i = (blockIdx.x * warp + threadIdx.x) * width;
    const int first = blockIdx.y * tile.y + threadIdx.y * tile.ratio;
    const int begin = first > 1 ? first : 1;
    const int end = first + tile.ratio < tile.ny - 1 ? first + tile.ratio : tile.ny - 1;
    const bool mine = i < tile.nx;

    Row north = load_row<T, width>(psi, i, begin - 1, tile);
    Row here = load_row<T, width>(psi, i, begin, tile);
#pragma unroll 4
    for (int j = begin; j < end; ++j) {
        const int k = i + j * tile.nx;
        const Row south = load_row<T, width>(psi, i, j + 1, tile);
        const Row source = mine ? launch::load_streaming(reinterpret_cast<const Row*>(omega + k)) : Row{};
        T west = __shfl_up_sync(all_lanes, here.at[width - 1], 1);
        T east = __shfl_down_sync(all_lanes, here.at[0], 1);
        if (threadIdx.x == 0 && i > 0 && mine) west = psi[k - 1];
        if (threadIdx.x == warp - 1 && i + width < tile.nx) east = psi[k + width];
        if (mine)
            launch::store_streaming(reinterpret_cast<Row*>(next + k),
                                    update_row<T, width>(c, north, here, south, source, west, east, i, j));
        north = here;
        here = south;
    }
}

/// 16-byte vectors need rows that start on 16 bytes; other widths go point by point.
template <class T>
bool vectorises(const Problem& p) {
    return p.nx % static_cast<int>(16 / sizeof(T)) == 0;
}

template <class T, int width>
void sweep_vectors(launch::Stream stream, const Problem& p, const Tiling& t, const Fields<T>& f) {
    const auto blocks = [](int n, int size) { return static_cast<unsigned>((n + size - 1) / size); };
    const launch::Shape shape{{blocks(p.nx, warp * width), blocks(p.ny, t.tile_y)},
                              {warp, static_cast<unsigned>(t.block_y)}};
    launch::launch(stream, shape, sweep_kernel<T, width>, f.next, f.psi, f.omega);
}

template <class T>
void sweep(launch::Stream stream, const Problem& p, const Tiling& t, int, const Fields<T>& f) {
    if (vectorises<T>(p))
        sweep_vectors<T, 16 / sizeof(T)>(stream, p, t, f);
    else
        sweep_vectors<T, 1>(stream, p, t, f);
}

template <class T>
void prepare(launch::Stream stream, const Problem& p, const Tiling& t, launch::Carveout carveout) {
    upload_constants<T, Indexing::tracked>(stream, p, t);
    launch::set_carveout(sweep_kernel<T, 16 / sizeof(T)>, carveout);
    launch::set_carveout(sweep_kernel<T, 1>, carveout);
}

template <class T>
std::optional<launch::KernelInfo> info(const Tiling& t) {
    return launch::kernel_info(sweep_kernel<T, 16 / sizeof(T)>, warp * t.block_y, 0);
}

/// A warp loads two rows more than it updates, and a sector at either side of each. Four rows at a time are
/// under way together.
template <class T>
launch::Demand demand(const Problem& p, const Tiling& t, int, const launch::Chip&) {
    constexpr double vector = 16, together = 4;
    const double width = vectorises<T>(p) ? vector / sizeof(T) : 1,
                 rows = static_cast<double>(t.tile_y) / t.block_y,
                 blocks = launch::pieces(p.nx, warp * width) * launch::pieces(p.ny, t.tile_y),
                 warps = blocks * t.block_y;
    return {.blocks = blocks,
            .block_threads = static_cast<double>(warp * t.block_y),
            .units = {warps * rows, warps, static_cast<double>(p.nx) * p.ny},
            .kernel = width > 1 ? ", [24]>" : ", 1>",
            .code_share = std::min(1.0, together / rows),
            .loads_ahead = true,
            .chain = chains::gpu_rows(rows, launch::pieces(rows, together))};
}

}  // namespace rows

template <class T>
GpuVariant<T> gpu_rows() {
    return {.name = "gpu_rows",
            .tiled = true,
            .check = [](const Problem&, const Tiling& t) { check_tiling(t); },
            .prepare = rows::prepare<T>,
            .sweep = rows::sweep<T>,
            .info = rows::info<T>,
            .demand = rows::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_rows);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
