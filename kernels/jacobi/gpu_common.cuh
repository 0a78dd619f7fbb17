#pragma once

#include "kernels/jacobi/gpu.hpp"
#include "kernels/jacobi/update.hpp"
#include "kernels/launch/kernel.hpp"

/// What the two published kernels share: the constants and the tests that classify a point by its index.
/// Tile sizes are run-time values and the tests divide by nx, as published: the paper blames exactly this
/// index arithmetic for shared memory's loss, so taking it out would be another experiment (see gpu_rows.cu).
namespace gridmark::jacobi::GRIDMARK_EXECUTOR {

constexpr int tile_x = 32;

struct Tile {
    int y, ratio;  // rows of a tile; rows of a thread
    int nx, ny;
    int stride;         // of a row in shared memory: the tile and one halo column each side
    int thread_stride;  // between the first points of two thread rows in shared memory
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
    return {coefficients<T>(p), {t.tile_y, ratio, p.nx, p.ny, stride, stride * ratio}, p.body};
}

// One copy per kernel file, so that two versions measured in turns never overwrite each other's constants.
namespace {
GRIDMARK_CONSTANT(Constants<float>, constants_float);
GRIDMARK_CONSTANT(Constants<double>, constants_double);

__device__ inline const Constants<float>& constants(float) {
    return constants_float;
}
__device__ inline const Constants<double>& constants(double) {
    return constants_double;
}

template <class T>
void upload_constants(launch::Stream stream, const Problem& p, const Tiling& t) {
    if constexpr (sizeof(T) == sizeof(float))
        launch::set_constant(stream, constants_float, make_constants<float>(p, t));
    else
        launch::set_constant(stream, constants_double, make_constants<double>(p, t));
}
}  // namespace

inline launch::Shape tile_shape(const Problem& p, const Tiling& t, std::size_t shared_bytes) {
    const auto blocks = [](int n, int size) { return static_cast<unsigned>((n + size - 1) / size); };
    return {{blocks(p.nx, tile_x), blocks(p.ny, t.tile_y)},
            {tile_x, static_cast<unsigned>(t.block_y)},
            shared_bytes};
}

__device__ inline bool outside_grid(int index, const Tile& tile) {
    const int i = index % tile.nx, j = index / tile.nx;
    return i < 0 || j < 0 || i > tile.nx - 1 || j > tile.ny - 1;
}

__device__ inline bool on_body(int index, const Body& body, const Tile& tile) {
    const int i = index % tile.nx, j = index / tile.nx;
    return i >= body.x1 && i <= body.x2 && j >= body.y1 && j <= body.y2;
}

__device__ inline Kind classify(int index, const Body& body, const Tile& tile) {
    const int i = index % tile.nx, j = index / tile.nx;
    if (i == 0 || j == 0 || j == tile.ny - 1 || on_body(index, body, tile)) return Kind::fixed;
    return i == tile.nx - 1 ? Kind::outflow : Kind::inside;
}

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
