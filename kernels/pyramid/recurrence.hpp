#pragma once

namespace gridmark::pyramid {

/// How gpu_local_inverse cuts its work: values a thread, threads a block, values a block.
namespace recurrence {
constexpr int run = 16, threads = 256, tile = run * threads;
/// The farthest that A^-1 may reach: two warps' values. Half of a tile at least is useful then.
constexpr int farthest = 2 * 32 * run;
}  // namespace recurrence

/// How the marching solvers cut theirs: values a lane, and the points that A^-1, or A^-8, may reach, a row of
/// a warp. One step per launch takes 16 bytes of float a lane; eight take more, since they compute more than
/// they load.
namespace marching {
template <int steps>
constexpr int run = steps == 1 ? 4 : 8;
template <int steps>
constexpr int row = 32 * run<steps>;
}  // namespace marching

/// Powers of lambda that recurrences multiply with, over runs of `run` values.
template <class T, int run = recurrence::run>
struct Ratios {
    T point, scale;  ///< lambda and (1 - lambda)^2, so that a constant field keeps its value
    T power[run];    ///< lambda to the powers 1, 2 ... run
    T runs[5];       ///< lambda^run to the powers 1, 2, 4, 8, 16
    T warp;          ///< lambda^run to the power 32
};
template <class T, int run = recurrence::run>
Ratios<T, run> ratios_of(double s);

/// Points beyond which A^-1 counts less than rounding to T: lambda^reach is at most an eighth of it. A
/// multiple of four, so that a tile begins at a whole vector.
template <class T>
int reach_of(double s);

}  // namespace gridmark::pyramid
