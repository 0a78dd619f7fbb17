// The constant-coefficient solver without shared memory or barriers, with one or eight steps per launch. It
// reads f once and writes A^-1 f or A^-8 f once. As in gpu_local_inverse.cu, A^-1 is two recurrences of first
// order and a constant scale: y[i] = f[i] + lambda y[i-1] and x[i] = y[i] + lambda x[i+1].
//
// A warp marches over a stripe of the rod, row by row. A row is 32 runs of consecutive values, and lane l
// holds run l. Forwards is easy: the row before has left its last value. Backwards, a row needs what comes
// from the next one, so it waits for a turn. When the next row has done its part, the first value of that
// row's backward sum completes the row that waits. The sum is over that row alone: rows beyond it count less
// than rounding.
//
// So a step costs a turn's delay and a run of registers. Steps can be chained: stage k takes the row that
// stage k - 1 completed. With eight stages a row leaves complete eight turns after it was loaded.
//
// Stripes wait for no other stripe. Each begins a row early, with nothing carried in, and ends `steps` rows
// late. By then what was missing has decayed: a row is as long as A^-steps reaches, or longer. At the ends of
// the rod f goes on with its sign turned, odd about the zeros outside, which makes x zero there.
//
// Within a row the sum over lanes is a scan. Its last levels would add what is farther than A^-1 reaches, so
// they are left out (`levels`). Source: this project.
#include <cmath>
#include <limits>

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/streaming.hpp"
#include "kernels/pyramid/chains.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/gpu_rod.cuh"
#include "kernels/pyramid/pieces.hpp"
#include "kernels/pyramid/recurrence.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace march {

constexpr int warp = 32;
constexpr unsigned all = 0xffffffffu;

/// Threads a block, and blocks a multiprocessor that registers must allow.
template <int steps>
constexpr int threads = steps == 1 ? 256 : 128;
template <class T, int steps>
constexpr int blocks = steps > 1 && sizeof(T) == 8 ? 2 : 4;
constexpr int longest_stripe = 64;
/// Rows on their way from memory.
template <int steps>
constexpr int ahead = steps == 1 ? 2 : 1;

/// One step: takes a row a turn and gives the row of the turn before, complete but for the scale.
template <class T, int run, int levels>
struct Stage {
    T waiting[run];  ///< the row of the turn before, less what comes from the rows after it
    T beyond;        ///< the sum over the lanes after this one of that row
    T carry;         ///< forward sum of the row before, where it ends

    __device__ void clear() {
        for (int k = 0; k < run; ++k)
            waiting[k] = 0;
        beyond = carry = 0;
    }

    /// `before` and `after`: lambda^run to the number of lanes before and after this one.
    __device__ void turn(T (&x)[run], const Ratios<T, run>& ratios, T before, T after, int lane) {
#pragma unroll
        for (int k = 1; k < run; ++k)
            x[k] += ratios.point * x[k - 1];
        T sum = x[run - 1];
#pragma unroll
        for (int level = 0; level < levels; ++level) {
            const T other = __shfl_up_sync(all, sum, 1 << level);
            sum += lane >= 1 << level ? ratios.runs[level] * other : T{0};
        }
        T given = __shfl_up_sync(all, sum, 1);
        given = (lane > 0 ? given : T{0}) + before * carry;
        carry = __shfl_sync(all, sum, warp - 1);
#pragma unroll
        for (int k = 0; k < run; ++k)
            x[k] += ratios.power[k] * given;

#pragma unroll
        for (int k = run - 1; k-- > 0;)
            x[k] += ratios.point * x[k + 1];
        sum = x[0];
#pragma unroll
        for (int level = 0; level < levels; ++level) {
            const T other = __shfl_down_sync(all, sum, 1 << level);
            sum += lane < warp - (1 << level) ? ratios.runs[level] * other : T{0};
        }
        const T first = __shfl_sync(all, sum, 0), later = __shfl_down_sync(all, sum, 1);
        given = beyond + after * first;
        beyond = lane < warp - 1 ? later : T{0};
#pragma unroll
        for (int k = 0; k < run; ++k) {
            const T complete = waiting[k] + ratios.power[run - 1 - k] * given;
            waiting[k] = x[k];
            x[k] = complete;
        }
    }
};

template <class T, int run>
__device__ inline void load(T (&x)[run], const T* __restrict__ f, long long at, long long m) {
    constexpr int width = Vector<T>::width;
    if (at >= 0 && at + run <= m) {
#pragma unroll
        for (int k = 0; k < run; k += width) {
            const auto loaded = launch::load_streaming(reinterpret_cast<const Vector<T>*>(f + at + k));
#pragma unroll
            for (int j = 0; j < width; ++j)
                x[k + j] = loaded.at[j];
        }
    } else {
#pragma unroll
        for (int k = 0; k < run; ++k)
            x[k] = extended(f, at + k, m);
    }
}

template <class T, int run>
__device__ inline void store(T* __restrict__ f, const T (&x)[run], T scale, long long at, long long m) {
    constexpr int width = Vector<T>::width;
    if (at + run <= m) {
#pragma unroll
        for (int k = 0; k < run; k += width) {
            Vector<T> stored;
#pragma unroll
            for (int j = 0; j < width; ++j)
                stored.at[j] = scale * x[k + j];
            launch::store_streaming(reinterpret_cast<Vector<T>*>(f + at + k), stored);
        }
    } else {
#pragma unroll
        for (int k = 0; k < run; ++k)
            if (at + k < m) f[at + k] = scale * x[k];
    }
}

/// `rows`: of a stripe. Values are multiplied by `in` before the first step and by `out` after the last; the
/// product is the scales of all steps.
template <class T, int steps, int levels>
__global__ void __launch_bounds__(threads<steps>, blocks<T, steps>)
    solve_kernel(T* __restrict__ x, const T* __restrict__ f, Ratios<T, marching::run<steps>> ratios, T in,
                 T out, long long m, int rows) {
    constexpr int run = marching::run<steps>, row = marching::row<steps>;
    const int lane = threadIdx.x % warp;
    const long long stripe =
        static_cast<long long>(blockIdx.x) * (threads<steps> / warp) + threadIdx.x / warp;
    // Turn 0 takes the row before the stripe's first.
    const long long begin = (stripe * rows - 1) * row + lane * run;
    if (stripe * rows * row >= m) return;

    T before = 1, after = 1;
#pragma unroll
    for (int bit = 0; bit < 5; ++bit) {
        if (lane >> bit & 1) before *= ratios.runs[bit];
        if ((warp - 1 - lane) >> bit & 1) after *= ratios.runs[bit];
    }
    Stage<T, run, levels> stages[steps];
#pragma unroll
    for (Stage<T, run, levels>& stage : stages)
        stage.clear();
    T loaded[ahead<steps>][run];
#pragma unroll
    for (int p = 0; p < ahead<steps>; ++p)
        load<T, run>(loaded[p], f, begin + static_cast<long long>(p) * row, m);

    for (int turn = 0; turn <= rows + steps;) {
#pragma unroll
        for (int p = 0; p < ahead<steps>; ++p, ++turn) {
            T now[run];
#pragma unroll
            for (int k = 0; k < run; ++k)
                now[k] = steps == 1 ? loaded[p][k] : in * loaded[p][k];
            // Of what comes after the row behind the stripe nothing counts: any values will do.
            if (turn + ahead<steps> <= rows + 1)
                load<T, run>(loaded[p], f, begin + static_cast<long long>(turn + ahead<steps>) * row, m);
#pragma unroll
            for (Stage<T, run, levels>& stage : stages)
                stage.turn(now, ratios, before, after, lane);
            const int complete = turn - steps;
            if (complete >= 1 && complete <= rows)
                store<T, run>(x, now, out, begin + static_cast<long long>(complete) * row, m);
        }
    }
}

/// Rows of a stripe, a power of two: as many as make the last wave of stripes end first. A stripe takes
/// a turn a row, and `steps` + 1 more.
inline int rows_of(long long rows, long long resident, int steps) {
    int best = 1;
    long long fewest = 0;
    for (int length = 1; length <= longest_stripe; length *= 2) {
        const long long stripes = (rows + length - 1) / length, waves = (stripes + resident - 1) / resident,
                        turns = waves * (length + steps + 1);
        if (length > 1 && turns > fewest) continue;
        best = length;
        fewest = turns;
    }
    return best;
}

template <class T, int steps, int levels>
void launch_solve(launch::Stream stream, double s, std::size_t m, const T* f, T* x) {
    constexpr int stripes = threads<steps> / warp, row = marching::row<steps>;
    static const int resident = launch::resident_blocks(solve_kernel<T, steps, levels>, threads<steps>);
    const auto length = static_cast<long long>(m), all_rows = (length + row - 1) / row;
    const int rows = rows_of(all_rows, static_cast<long long>(resident) * stripes, steps);
    const long long block_rows = static_cast<long long>(rows) * stripes;
    const launch::Shape shape{{static_cast<unsigned>((all_rows + block_rows - 1) / block_rows), 1, 1},
                              {static_cast<unsigned>(threads<steps>), 1, 1}};
    const auto ratios = ratios_of<T, marching::run<steps>>(s);
    // Half of the scales before, half after: all on one side could leave the range of float.
    const double scale = ratios.scale;
    launch::launch(stream, shape, solve_kernel<T, steps, levels>, x, f, ratios,
                   static_cast<T>(std::pow(scale, steps / 2)),
                   static_cast<T>(std::pow(scale, steps - steps / 2)), length, rows);
}

/// The kernel whose scans reach far enough.
template <class T, int steps>
void solve(launch::Stream stream, double s, std::size_t m, const T* f, T* x) {
    const int lanes = (reach_of<T>(s) + marching::run<steps> - 1) / marching::run<steps>;
    if (lanes <= 4)
        launch_solve<T, steps, 2>(stream, s, m, f, x);
    else if (lanes <= 8)
        launch_solve<T, steps, 3>(stream, s, m, f, x);
    else if (lanes <= 16)
        launch_solve<T, steps, 4>(stream, s, m, f, x);
    else
        launch_solve<T, steps, 5>(stream, s, m, f, x);
}

/// Why it cannot run with this s: what `steps` steps lose beyond a row counts more than rounding. Empty where
/// it can.
template <class T, int steps>
std::string unavailable_reason(double s) {
    constexpr std::size_t row = marching::row<steps>, one = marching::row<1>;
    const double rounding = std::numeric_limits<T>::epsilon() / 8;
    if (static_cast<std::size_t>(reach_of<T>(s)) <= one && response_tail(s, steps, row) <= rounding)
        return {};
    return "A^-" + std::to_string(steps) + " reaches farther with this s than the " + std::to_string(row) +
           " points that a warp holds";
}

/// A march takes `steps` rows and one more than it completes, and scans so many levels in each.
template <class T, int steps>
std::vector<launch::Demand> demand(double s, std::size_t m, int, const launch::Chip& chip) {
    constexpr int run = marching::run<steps>, stripes = threads<steps> / warp;
    const int lanes = (reach_of<T>(s) + run - 1) / run, levels = lanes <= 4    ? 2
                                                                 : lanes <= 8  ? 3
                                                                 : lanes <= 16 ? 4
                                                                               : 5;
    const auto all_rows = static_cast<long long>(launch::pieces(static_cast<double>(m), warp * run));
    const int resident = chip.resident_blocks > 0 ? chip.resident_blocks : blocks<T, steps>,
              rows =
                  rows_of(all_rows, static_cast<long long>(resident) * chip.multiprocessors * stripes, steps);
    const double marches = launch::pieces(static_cast<double>(all_rows), rows), turns = rows + steps + 1.0;
    return {{.blocks = launch::pieces(marches, stripes),
             .block_threads = threads<steps>,
             .units = {marches * turns, marches * turns * levels, marches * rows},
             .code_share = std::min(1.0, (ahead<steps> + 1) / turns),
             .loads_ahead = true,
             .chain = chains::gpu_marching(turns, steps, run, levels)}};
}

template <class T, int steps>
std::optional<launch::KernelInfo> info() {
    return launch::kernel_info(solve_kernel<T, steps, 3>, threads<steps>);
}

}  // namespace march

template <class T>
GpuVariant<T> gpu_marching() {
    return {.name = "gpu_marching",
            .unavailable_reason = march::unavailable_reason<T, 1>,
            .solve = [](launch::Stream stream, double s, std::size_t m, int, T* f, T* x,
                        T*) { march::solve<T, 1>(stream, s, m, f, x); },
            .info = march::info<T, 1>,
            .demand = march::demand<T, 1>};
}

template <class T>
GpuVariant<T> gpu_marching_8() {
    return {.name = "gpu_marching_8",
            .steps_per_launch = {.most = 8},
            .unavailable_reason = march::unavailable_reason<T, 8>,
            .solve = [](launch::Stream stream, double s, std::size_t m, int count, T* f, T* x,
                        T*) { (count == 8 ? march::solve<T, 8> : march::solve<T, 1>)(stream, s, m, f, x); },
            .info = march::info<T, 8>,
            .demand = march::demand<T, 8>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_marching);
GRIDMARK_INSTANTIATE_VARIANT(gpu_marching_8);

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
