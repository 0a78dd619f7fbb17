#pragma once

#include "kernels/heat/gpu_blocked_tile.cuh"

/// Optimised: several steps in one pass through the memory, so that the twelve bytes a point are paid once
/// for all of them (temporal blocking in 2.5 dimensions).
///
/// A block takes a tile of 16 x 32 vectors and marches up through the layers. In the pass for layer z it
/// makes
///
///     step 1 at layer z,   step 2 at layer z - 2,   step 3 at layer z - 4, ...
///
/// each two layers behind the one before, whose values two layers above it has just been made. The last
/// step's values go to memory. A step reaches two points to each side, so step 1 is computed on a rim around
/// the tile that shrinks by two points with every step, and the loads reach two points farther: blocks repeat
/// the rims of their neighbours and never wait for them.
///
/// Where things are:
/// - In registers, for the two rows of vectors that a thread owns: of every step the last four layers of its
///   input. A thread so needs its own column from nowhere else.
/// - In shared memory, for the neighbours in x and y: a ring of planes of the temperature as it was, and of
///   each step two planes in turns: what a thread made in one pass its neighbours read in the next, so that
///   one barrier a pass is enough. And beta, which every step needs, two passes later each.
/// - Under way, by asynchronous copies: the next planes of temperature and beta.
///
/// All blocks are on the GPU at once and march in step, as near as they come; so the rims that tiles share
/// come from the L2 cache. (Giving every block the same number of layers, at different heights of different
/// tiles, balances better and loses more: then the rims come from memory.)
///
/// Outside the grid the temperature is the boundary's at all times: what a step computes there is replaced.
namespace gridmark::heat::GRIDMARK_EXECUTOR {

/// The last four layers of a column.
template <class T>
struct Queue {
    Own<T> layer[4];
    __device__ void push(const Own<T>& next) {
        layer[0] = layer[1], layer[1] = layer[2], layer[2] = layer[3], layer[3] = next;
    }
};

/// One step for a thread's two vectors. `at` is where the first is stored among its neighbours, the column's
/// third layer is theirs, `above` the second above; `beta` is the first's, the second's is `threads` further.
template <class Plane, class T>
__device__ inline Own<T> update_pair(const Coefficients<T>& k, const Vector<T>* at, const Queue<T>& column,
                                     const Own<T>& above, const Vector<T>* beta, int threads) {
    constexpr int width = Vector<T>::width;
    const Own<T>& centre = column.layer[2];
    const Vector<T> rows[6] = {at[Plane::row(-2)], at[Plane::row(-1)], centre.row[0],
                               centre.row[1],      at[Plane::row(2)],  at[Plane::row(3)]};
    Own<T> result;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const Vector<T> left = at[Plane::row(r) - 1], right = at[Plane::row(r) + 1];
        const Sides<T> sides{left.at[width - 2], left.at[width - 1], right.at[0], right.at[1]};
        result.row[r] = update_vector(
            k, centre.row[r], sides, {rows[r], rows[r + 1], rows[r + 3], rows[r + 4]},
            {column.layer[0].row[r], column.layer[1].row[r], column.layer[3].row[r], above.row[r]},
            beta[r * threads], width);
    }
    return result;
}

/// What of a thread's two vectors lies in the grid: points of each row, and which rows.
struct Inside {
    int count;
    bool row[2];
};

/// Puts the boundary's temperature where a point is not in the grid.
template <class T, bool whole>
__device__ inline void keep_boundary(Own<T>& made, const Inside& inside, bool layer_inside, T boundary) {
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        const int count = layer_inside && inside.row[r] ? inside.count : 0;
#pragma unroll
        for (int v = 0; v < Vector<T>::width; ++v)
            if (whole ? count == 0 : v >= count) made.row[r].at[v] = boundary;
    }
}

/// Blocks number the tiles of a row first, then the rows, then the parts of `layers` layers.
template <class T, int steps, bool whole>
__global__ void __launch_bounds__((Tile<T, steps>::threads))
    step_kernel(T* __restrict__ next, const T* __restrict__ now, const T* __restrict__ beta,
                Coefficients<T> k, Grid g, T boundary, int layers) {
    using S = Tile<T, steps>;
    using V = Vector<T>;
    constexpr int width = V::width, area = S::Computed::size, margin = halo * (steps - 1);
    GRIDMARK_DYNAMIC_SHARED(V, shared);
    V* const loaded = shared;
    V* const made = loaded + S::loaded_planes * S::Loaded::size;
    V* const betas = made + S::made_planes * area;

    const int thread = threadIdx.x, lane = thread % S::Computed::lanes, pair = thread / S::Computed::lanes;
    const int tile_x = blockIdx.x * S::columns * width, tile_y = blockIdx.y * S::rows;
    const int x = tile_x + (lane - S::side) * width, y = tile_y + 2 * pair - margin;
    const int begin = blockIdx.z * layers, end = min(begin + layers, g.nz);
    const Inside inside{x < 0 ? 0 : points_inside<T, whole>(x, g.nx),
                        {y >= 0 && y < g.ny, y + 1 >= 0 && y + 1 < g.ny}};
    const bool in_tile = lane >= S::side && lane < S::side + S::columns && pair >= steps - 1 &&
                         pair < S::pairs - (steps - 1) && inside.count > 0;
    // Where the thread's first vector is in a loaded plane.
    const int own = S::Loaded::row(halo) + pair * S::Loaded::lanes + lane + S::loaded_side - S::side;

    const Loader<T, steps, whole> loader(now, beta, g, tile_x, tile_y, x, y);
    Turn<S::loaded_planes> turn;
    Turn<S::beta_planes> beta_turn;
    Queue<T> columns[steps]{};
    const int first = begin - margin, last = end + margin;  // of step 1
    for (int z = first - 2; z < first + 2; ++z)
        columns[0].push(loader.own(g, x, y, z));
    for (int ahead = 0; ahead < 2 + S::ahead; ++ahead)
        loader.temperature(loaded + ahead * S::Loaded::size, g, first + ahead);
    for (int ahead = 0; ahead < S::ahead; ++ahead)
        loader.beta(betas + ahead * area, g, first + ahead);
    launch::close_copies();
    for (int ahead = 1; ahead < S::ahead; ++ahead)
        launch::close_copies();

#pragma unroll(S::unrolled)
    for (int z = first; z < last; ++z) {
        launch::wait_for_copies<S::ahead - 1>();
        __syncthreads();
        loader.temperature(loaded + turn.at(2 + S::ahead) * S::Loaded::size, g, z + 2 + S::ahead);
        loader.beta(betas + beta_turn.at(S::ahead) * area, g, z + S::ahead);
        launch::close_copies();

        const V* const here = loaded + turn.at(0) * S::Loaded::size + own;
        const V* const top = loaded + turn.at(2) * S::Loaded::size + own;
        const Own<T> above{{top[S::Loaded::row(0)], top[S::Loaded::row(1)]}};
        Own<T> fresh = update_pair<typename S::Loaded>(k, here, columns[0], above,
                                                       betas + beta_turn.at(0) * area + thread, S::threads);
        columns[0].push(above);
#pragma unroll
        for (int s = 1; s < steps; ++s) {
            const int layer = z - 2 * s;
            keep_boundary<T, whole>(fresh, inside, layer + 2 >= 0 && layer + 2 < g.nz, boundary);
            V* const planes = made + 2 * (s - 1) * area + thread;
            const V* const neighbours = planes + (layer & 1) * area;
            V* const turned = planes + (~layer & 1) * area;
            turned[S::Computed::row(0)] = columns[s].layer[3].row[0];
            turned[S::Computed::row(1)] = columns[s].layer[3].row[1];
            Own<T> later{};
            if (s < steps - 1 ? pair >= s && pair < S::pairs - s : in_tile)
                later = update_pair<typename S::Computed>(k, neighbours, columns[s], fresh,
                                                          betas + beta_turn.at(-2 * s) * area + thread,
                                                          S::threads);
            columns[s].push(fresh);
            fresh = later;
        }
        const int layer = z - margin;
        if (in_tile && layer >= begin) {
#pragma unroll
            for (int r = 0; r < 2; ++r)
                if (inside.row[r])
                    store_points<T, whole>(next + g.at(x, y + r, layer), fresh.row[r], inside.count);
        }
        turn.advance();
        beta_turn.advance();
    }
}

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
