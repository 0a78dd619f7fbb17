#pragma once

#include <algorithm>

#include "kernels/jacobi/gpu.hpp"
#include "kernels/jacobi/update.hpp"
#include "kernels/launch/kernel.hpp"

/// What the two published kernels share: the constants and the tests that classify a point by its index.
/// Tile sizes are run-time values and the tests divide by nx, as published: the paper blames exactly this
/// index arithmetic for shared memory's loss. The ablations `*_no_division` are the same kernels without it.
namespace gridmark::jacobi::GRIDMARK_EXECUTOR {

/// The paper's blocks are 32 threads wide. Kernels read blockDim.x, as the listing does.
constexpr int tile_x = 32;

/// How a kernel knows a point's column and row: from its index by division, as published, or from the thread.
enum class Indexing { divided, tracked };

/// The listing's `tile_s`, whose names the comments give.
struct Tile {
    int y, ratio;  // rows of a tile; rows of a thread
    int nx, ny;
    int stride;         // xp2: of a row in shared memory, the tile and one halo column each side
    int first;          // xp3: the tile's first point in shared memory
    int thread_stride;  // distance_b: between the first points of two thread rows in shared memory
};

template <class T>
struct Constants {
    Coefficients<T> jacobi;
    Tile tile;
    Body body;
};

template <class T>
Constants<T> make_constants(const Problem& p, const Tiling& t) {
    const int ratio = t.tile_y / t.block_y, stride = tile_x + 2;
    return {coefficients<T>(p), {t.tile_y, ratio, p.nx, p.ny, stride, stride + 1, stride * ratio}, p.body};
}

// Copies for each kernel file, and there for each way of indexing, so that two versions measured in turns
// never overwrite each other's constants.
namespace {
GRIDMARK_CONSTANT(Constants<float>, divided_float);
GRIDMARK_CONSTANT(Constants<double>, divided_double);
GRIDMARK_CONSTANT(Constants<float>, tracked_float);
GRIDMARK_CONSTANT(Constants<double>, tracked_double);

template <class T, Indexing indexing>
__device__ inline const Constants<T>& constants() {
    if constexpr (sizeof(T) == sizeof(float)) {
        if constexpr (indexing == Indexing::divided)
            return divided_float;
        else
            return tracked_float;
    } else {
        if constexpr (indexing == Indexing::divided)
            return divided_double;
        else
            return tracked_double;
    }
}

template <class T, Indexing indexing>
void upload_constants(launch::Stream stream, const Problem& p, const Tiling& t) {
    const Constants<T> made = make_constants<T>(p, t);
    if constexpr (sizeof(T) == sizeof(float)) {
        if constexpr (indexing == Indexing::divided)
            launch::set_constant(stream, divided_float, made);
        else
            launch::set_constant(stream, tracked_float, made);
    } else {
        if constexpr (indexing == Indexing::divided)
            launch::set_constant(stream, divided_double, made);
        else
            launch::set_constant(stream, tracked_double, made);
    }
}
}  // namespace

inline launch::Shape tile_shape(const Problem& p, const Tiling& t, std::size_t shared_bytes) {
    const auto blocks = [](int n, int size) { return static_cast<unsigned>((n + size - 1) / size); };
    return {{blocks(p.nx, tile_x), blocks(p.ny, t.tile_y)},
            {tile_x, static_cast<unsigned>(t.block_y)},
            shared_bytes};
}

/// Whether the tiles fill the grid, as the paper's do: then no loop of a kernel needs a test for its end.
inline bool tiles_fit(const Problem& p, const Tiling& t) {
    return p.nx % tile_x == 0 && p.ny % t.tile_y == 0;
}

/// What a sweep by tiles asks of a machine. Rows of 32 points, warps and tiles cost something each: a tile
/// loads the row above and below, too.
inline launch::Demand tile_demand(const Problem& p, const Tiling& t, const launch::Chain& chain) {
    constexpr double unrolled = 4;
    const double tiles = launch::pieces(p.nx, tile_x) * launch::pieces(p.ny, t.tile_y),
                 ratio = static_cast<double>(t.tile_y) / t.block_y;
    return {.blocks = tiles,
            .block_threads = static_cast<double>(tile_x * t.block_y),
            .by_tiles = true,
            .units = {launch::pieces(p.nx, tile_x) * p.ny, tiles * t.block_y, tiles},
            .kernel = launch::instance(tiles_fit(p, t)),
            .code_share = std::min(1.0, unrolled / ratio),
            .chain = chain};
}

/// A point by its index, and its column and row, of which one that leaves the grid has others than its index.
struct Point {
    int index, i, j;
};

/// The column and row that tests use.
template <Indexing indexing>
__device__ inline Point place(const Point& point, const Tile& tile) {
    if constexpr (indexing == Indexing::tracked) return point;
    return {point.index, point.index % tile.nx, point.index / tile.nx};
}

template <Indexing indexing>
__device__ inline bool outside_grid(const Point& point, const Tile& tile) {
    const auto [index, i, j] = place<indexing>(point, tile);
    return i < 0 || j < 0 || i > tile.nx - 1 || j > tile.ny - 1;
}

template <Indexing indexing>
__device__ inline Kind classify(const Point& point, const Body& body, const Tile& tile) {
    const auto [index, i, j] = place<indexing>(point, tile);
    const bool on_body = i >= body.x1 && i <= body.x2 && j >= body.y1 && j <= body.y2;
    if (i == 0 || j == 0 || j == tile.ny - 1 || on_body) return Kind::fixed;
    return i == tile.nx - 1 ? Kind::outflow : Kind::inside;
}

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
