#pragma once

#include "kernels/ginzburg_landau/update.hpp"
#include "kernels/launch/kernel.hpp"

/// A tile of the rod in the registers of one warp.
namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {

constexpr int warp = 32;
constexpr unsigned all_lanes = 0xFFFFFFFFu;

/// Points at either end of a tile that a step leaves wrong: each stage misses one neighbour more.
constexpr int halo_width = 4;

/// The point that stands for point i of a rod of n points which goes on beyond its ends as in a mirror
/// between the outermost point and the next. A mirror image moves as its original does, to the last bit,
/// since a rate takes its two neighbours alike; so it gives an end the neighbour that Neumann's condition
/// asks for, and no stage has to know where the rod ends.
__device__ inline int mirrored(int i, int n) {
    const int turn = 2 * n, at = (i % turn + turn) % turn;
    return at < n ? at : turn - 1 - at;
}

template <class T>
__device__ inline Pair<T> from_lane_before(const Pair<T>& s) {
    return {__shfl_up_sync(all_lanes, s.u, 1), __shfl_up_sync(all_lanes, s.v, 1)};
}
template <class T>
__device__ inline Pair<T> from_lane_after(const Pair<T>& s) {
    return {__shfl_down_sync(all_lanes, s.u, 1), __shfl_down_sync(all_lanes, s.v, 1)};
}

/// 32 P points, P consecutive ones a lane: only a lane's outer points have their neighbours elsewhere, in the
/// lanes beside it. No shared memory, and so no barrier: a warp's own order is enough.
template <class T, int P>
struct RegisterTile {
    Pair<T> y[P];

    /// A Runge-Kutta step. The outermost `halo_width` points at either end come out wrong.
    __device__ void step(const Coefficients<T>& c, const Weights<T>& w) {
        Pair<T> stage[P], sum[P];
#pragma unroll
        for (int p = 0; p < P; ++p)
            stage[p] = sum[p] = y[p];
        add_stage(stage, sum, c, w.sixth, w.half);
        add_stage(stage, sum, c, w.third, w.half);
        add_stage(stage, sum, c, w.third, w.whole);
        add_stage(stage, sum, c, w.sixth, T{0});
#pragma unroll
        for (int p = 0; p < P; ++p)
            y[p] = sum[p];
    }

  private:
    /// sum += weight k and stage = y + step k, k being the rates of `stage`.
    __device__ void add_stage(Pair<T> (&stage)[P], Pair<T> (&sum)[P], const Coefficients<T>& c, T weight,
                              T step) const {
        const Pair<T> left = from_lane_before(stage[P - 1]), right = from_lane_after(stage[0]);
        Pair<T> k[P];
#pragma unroll
        for (int p = 0; p < P; ++p)
            k[p] = rate(c, p > 0 ? stage[p - 1] : left, stage[p], p < P - 1 ? stage[p + 1] : right);
#pragma unroll
        for (int p = 0; p < P; ++p) {
            sum[p] = plus(sum[p], weight, k[p]);
            stage[p] = plus(y[p], step, k[p]);
        }
    }
};

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
