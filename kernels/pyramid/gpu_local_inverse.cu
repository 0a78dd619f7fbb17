// The constant-coefficient solver: f is read once, x written once. On a rod without ends
//   A^-1 = (1 - lambda)^2 (1 - lambda S)^-1 (1 - lambda S^T)^-1,  S the shift by a point.
// These are two recurrences of first order, y[i] = f[i] + lambda y[i-1] and x[i] = y[i] + lambda x[i+1].
//
// What is farther than `reach` points counts less than rounding (lambda^reach). So a block takes a tile with
// that many points more at either side and waits for no other block. At the ends of the piece f goes on with
// its sign turned, odd about the zeros outside. That makes x zero there exactly as the ends do.
//
// A thread does both recurrences over its `run` consecutive values, first with nothing carried in. What
// should have been carried in follows from a scan over the warp with the ratio lambda^run and from the two
// warps before. It reaches each value by a power of lambda. Warps read and write whole lines of memory;
// shared memory turns lines into runs and back. Source: this project.
#include "kernels/launch/kernel.hpp"
#include "kernels/pyramid/chains.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/gpu_rod.cuh"
#include "kernels/pyramid/recurrence.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace local_inverse {

using recurrence::run;
using recurrence::threads;
using recurrence::tile;
constexpr int warp = 32, warps = threads / warp;

template <class T>
constexpr int vectors = run / Vector<T>::width;

/// Place of a tile's vector in shared memory. One vector is left out after each run; else all lanes of a warp
/// would meet in one bank when each takes its own run.
template <class T>
__device__ inline int place(int vector) {
    return vector + vector / vectors<T>;
}

/// What is carried into this thread, when every thread ends its own run with `end`; `is_forward` says which
/// way the recurrence goes. `ends` is room for a value a warp.
template <class T, bool is_forward>
__device__ T carried(const Ratios<T>& ratios, T end, T* ends) {
    const int t = threadIdx.x, lane = is_forward ? t % warp : warp - 1 - t % warp,
              own = is_forward ? t / warp : warps - 1 - t / warp;
    T sum = end, ratio = 1;  // ratio: lambda^run to the power lane
    for (int step = 0, width = 1; width < warp; ++step, width *= 2) {
        const T other =
            is_forward ? __shfl_up_sync(0xffffffffu, sum, width) : __shfl_down_sync(0xffffffffu, sum, width);
        if (lane >= width) sum += ratios.runs[step] * other;
        if (lane & width) ratio *= ratios.runs[step];
    }
    if (lane == warp - 1) ends[own] = sum;
    const T before = is_forward ? __shfl_up_sync(0xffffffffu, sum, 1) : __shfl_down_sync(0xffffffffu, sum, 1);
    __syncthreads();
    static_assert(recurrence::farthest <= 2 * warp * run, "two warps before are far enough");
    const T nearest = own > 0 ? ends[own - 1] : T{0}, second = own > 1 ? ends[own - 2] : T{0};
    return (lane > 0 ? before : T{0}) + ratio * (nearest + ratios.warp * second);
}

template <class T>
__global__ void __launch_bounds__(threads)
    solve_kernel(T* __restrict__ x, const T* __restrict__ f, Ratios<T> ratios, long long m, int reach) {
    constexpr int width = Vector<T>::width;
    GRIDMARK_SHARED(Vector<T>, values, (threads * (vectors<T> + 1)));
    GRIDMARK_SHARED(T, forward_ends, warps);
    GRIDMARK_SHARED(T, backward_ends, warps);
    const int t = threadIdx.x, lane = t % warp, first = (t - lane) * vectors<T> + lane;
    const long long begin = static_cast<long long>(blockIdx.x) * (tile - 2 * reach) - reach;
    const bool inside = begin >= 0 && begin + tile <= m;

    T own[run];
    for (int k = 0; k < vectors<T>; ++k) {
        const int vector = first + k * warp;
        Vector<T> loaded;
        if (inside)
            loaded = reinterpret_cast<const Vector<T>*>(f + begin)[vector];
        else
            for (int j = 0; j < width; ++j)
                loaded.at[j] = extended(f, begin + vector * width + j, m);
        values[place<T>(vector)] = loaded;
    }
    __syncwarp();
    for (int k = 0; k < vectors<T>; ++k)
        for (int j = 0; j < width; ++j)
            own[k * width + j] = values[t * (vectors<T> + 1) + k].at[j];

    for (int k = 1; k < run; ++k)
        own[k] += ratios.point * own[k - 1];
    T carry = carried<T, true>(ratios, own[run - 1], forward_ends);
    for (int k = 0; k < run; ++k)
        own[k] += ratios.power[k] * carry;
    for (int k = run - 1; k-- > 0;)
        own[k] += ratios.point * own[k + 1];
    carry = carried<T, false>(ratios, own[0], backward_ends);
    for (int k = 0; k < run; ++k)
        own[k] = ratios.scale * (own[k] + ratios.power[run - 1 - k] * carry);

    for (int k = 0; k < vectors<T>; ++k)
        for (int j = 0; j < width; ++j)
            values[t * (vectors<T> + 1) + k].at[j] = own[k * width + j];
    __syncwarp();
    for (int k = 0; k < vectors<T>; ++k) {
        const int vector = first + k * warp, at = vector * width;
        if (at < reach || at >= tile - reach) continue;
        const Vector<T> stored = values[place<T>(vector)];
        if (begin + at + width <= m)
            reinterpret_cast<Vector<T>*>(x + begin)[vector] = stored;
        else
            for (int j = 0; begin + at + j < m; ++j)
                x[begin + at + j] = stored.at[j];
    }
}

template <class T>
void solve(launch::Stream stream, double s, std::size_t m, int, T* f, T* x, T*) {
    const int reach = reach_of<T>(s);
    const auto useful = static_cast<std::size_t>(tile - 2 * reach);
    const launch::Shape shape{{static_cast<unsigned>((m + useful - 1) / useful), 1, 1}, {threads, 1, 1}};
    launch::launch(stream, shape, solve_kernel<T>, x, f, ratios_of<T>(s), static_cast<long long>(m), reach);
}

/// By tiles, of which the ends are of no use.
template <class T>
std::vector<launch::Demand> demand(double s, std::size_t m, int, const launch::Chip&) {
    const double blocks = launch::pieces(static_cast<double>(m), tile - 2 * reach_of<T>(s));
    return {{.blocks = blocks,
             .block_threads = threads,
             .shared_bytes = threads * (vectors<T> + 1.0) * sizeof(Vector<T>),
             .units = {blocks, static_cast<double>(m)},
             .code_share = 1,
             .chain = chains::gpu_local_inverse(run)}};
}

template <class T>
std::string unavailable_reason(double s) {
    const int reach = reach_of<T>(s);
    if (reach <= recurrence::farthest) return {};
    return "A^-1 reaches " + std::to_string(reach) + " points with this s, farther than " +
           std::to_string(recurrence::farthest) + ", half of a tile's warps";
}

}  // namespace local_inverse

template <class T>
GpuVariant<T> gpu_local_inverse() {
    using namespace local_inverse;
    return {.name = "gpu_local_inverse",
            .unavailable_reason = unavailable_reason<T>,
            .solve = solve<T>,
            .info = [] { return std::optional(launch::kernel_info(solve_kernel<T>, threads)); },
            .demand = demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_local_inverse);

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
