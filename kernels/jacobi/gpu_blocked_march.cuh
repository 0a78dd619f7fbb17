#pragma once

#include "kernels/jacobi/gpu_blocked_points.cuh"
#include "kernels/launch/async_copy.hpp"
#include "kernels/launch/streaming.hpp"

/// Optimised, for grids far larger than the L2: k sweeps in one pass through the memory, so that the twelve
/// bytes a point (psi and omega read, psi' written) are paid once for all of them (temporal blocking by
/// registers).
///
/// A warp takes a strip 32 vectors wide (a vector is 16 bytes: four floats or two doubles) and marches down
/// it, a row a turn. In turn m row m of psi and omega comes from memory, and
///
///     sweep 1 completes row m - 1,   sweep 2 row m - 2,   ...   sweep k row m - k, which is stored.
///
/// Where things are:
/// - A sweep keeps two rows in registers: the last one that came to it, and what that one's new values are
///   without their south. The next row that comes is the south: one operation completes the row for the next
///   sweep. All else (two shuffles for west and east, three operations) lies beside this chain.
/// - The source c omega of a row is needed by every sweep, a turn later each. It lies in shared memory, in a
///   ring of k rows; each lane reads what it wrote itself, so there is no barrier. It lies there twice, k
///   rows apart, so that the last k rows always stand in one run and no index wraps.
/// - psi and omega of the next rows are under way to shared memory by asynchronous copies.
///
/// Strips ask nobody: a sweep spoils one more point at either side of a strip and one more row at the start
/// of a march. So strips overlap by k points at each side, and a march begins k rows early. All warps march
/// down side by side, and the overlap comes from the L2 cache.
///
/// Body, walls and outflow are weights (gpu_blocked_points.cuh), so that these points take no more time than
/// others. As long as all rows under way are of one kind the weights stay; where a march meets a wall or the
/// body, for k rows, each sweep has its own.
namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace blocked {

constexpr int warp = 32, warps = 2;
constexpr unsigned all_lanes = 0xFFFFFFFFu;

/// Places for rows on their way from memory, and turns by which the march is unrolled.
constexpr int places = 4;

template <class T, int k>
struct Strip {
    static constexpr int width = Vector<T>::width;
    static constexpr int halo = (k + width - 1) / width * width;
    static constexpr int own = warp * width - 2 * halo;  ///< columns that it completes
    // Of a lane's vectors in shared memory: sources, rows on their way.
    static constexpr int coming = 2 * k, vectors = coming + 2 * places;
    static constexpr std::size_t shared_bytes = warps * vectors * warp * sizeof(Vector<T>);
};

/// One sweep of a march: takes a row a turn and gives the row of the turn before.
template <class T>
struct Stage {
    Vector<T> begun;  ///< the new values of the row of the turn before, but for what comes from the south
    Vector<T> north;  ///< the row of the turn before

    /// `before` are the weights of the row of the turn before, `weights` and `source` are this one's.
    __device__ Vector<T> turn(const Vector<T>& row, const Vector<T>& source, const Weights<T>& before,
                              const Weights<T>& weights) {
        constexpr int width = Vector<T>::width;
        const T west = __shfl_up_sync(all_lanes, row.at[width - 1], 1),
                east = __shfl_down_sync(all_lanes, row.at[0], 1);
        Vector<T> complete;
#pragma unroll
        for (int v = 0; v < width; ++v) {
            const T sides = (v == 0 ? west : row.at[v - 1]) + (v == width - 1 ? east : row.at[v + 1]);
            // std::fma, or the compiler finds that across times a row stands here and a turn later too, keeps
            // the product and adds it twice: five operations.
            complete.at[v] = std::fma(before.across.at[v], row.at[v], begun.at[v]);
            begun.at[v] = std::fma(weights.along.at[v], sides,
                                   std::fma(weights.across.at[v], north.at[v], source.at[v]));
        }
        north = row;
        return complete;
    }
};

/// How a lane reaches its columns of the grid. `whole`: rows start on 16 bytes.
template <class T, bool whole>
struct Place {
    int x, nx;

    __device__ bool inside(int v) const { return x + v >= 0 && x + v < nx; }
    /// Starts copying the lane's points of a row; zeros where there is no grid.
    __device__ void copy(Vector<T>* to, const T* row) const {
        if constexpr (whole) {
            launch::copy_async_if(inside(0), to,
                                  reinterpret_cast<const Vector<T>*>(row + (inside(0) ? x : 0)));
        } else {
            for (int v = 0; v < Vector<T>::width; ++v)
                launch::copy_async_if(inside(v), &to->at[v], row + (inside(v) ? x + v : 0));
        }
    }
    __device__ void store(T* row, const Vector<T>& values) const {
        if constexpr (whole) {
            if (inside(0)) launch::store_streaming(reinterpret_cast<Vector<T>*>(row + x), values);
        } else {
            for (int v = 0; v < Vector<T>::width; ++v)
                if (inside(v)) row[x + v] = values.at[v];
        }
    }
};

/// A warp's march. Vectors in shared memory are a lane's own, `warp` apart.
template <class T, int k, bool whole>
struct March {
    using S = Strip<T, k>;
    using V = Vector<T>;
    Place<T, whole> place;
    const T *psi, *omega;
    int last_row;
    V *sources, *coming;
    Stage<T> stages[k]{};
    int ring = 0;  ///< where in the ring the next row's source goes

    __device__ void load(int slot, int row) const {
        const int at = min(row, last_row) * place.nx;
        place.copy(coming + 2 * slot * warp, psi + at);
        place.copy(coming + (2 * slot + 1) * warp, omega + at);
        launch::close_copies();
    }
    __device__ void start(int row) {
        for (int slot = 0; slot < places - 1; ++slot)
            load(slot, row + slot);
        // Of rows before the first; what comes of them is spoilt, but no NaN may reach a wall.
        for (int r = 0; r < 2 * k; ++r)
            sources[r * warp] = V{};
    }
    /// Row m comes; returns what sweep k makes of row m - k. `points` knows the weights of every row.
    template <class Points>
    __device__ V turn(int m, int slot, const Points& points) {
        launch::wait_for_copies<places - 2>();
        V row = coming[2 * slot * warp];
        V source = points.source(m, coming[(2 * slot + 1) * warp], row);
        load((slot + places - 1) % places, m + places - 1);
        V* const here = sources + ring * warp;
        here[0] = here[k * warp] = source;
        ring = ring == k - 1 ? 0 : ring + 1;
        Weights<T> weights = points.weights(m);
#pragma unroll
        for (int s = 0; s < k; ++s) {
            if (s > 0) source = here[(k - s) * warp];
            const Weights<T> before = points.weights(m - s - 1);
            row = stages[s].turn(row, source, before, weights);
            weights = before;
        }
        return row;
    }
};

}  // namespace blocked
}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
