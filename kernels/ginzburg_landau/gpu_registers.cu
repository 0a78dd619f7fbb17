// Optimised, for states far larger than the caches: four steps for every load and store. One step a launch
// reads and writes the whole state each time, and in float that is what it waits for. Here a warp loads 256
// points, eight a lane, advances them four steps in its registers and stores the 224 in the middle;
// neighbouring warps overlap by the 32 that come out wrong (4 a step at either side) and compute those twice.
// A point is then loaded 8/7 times and stored once every four steps, 3.7 times less traffic than before, and
// the arithmetic, 8/7 of the least, is what is left to wait for.
//
// Eight points a lane pay for the shuffles, of which a stage needs four (in double eight) however many points
// a lane has, and share few overlapping points among many; more cost so many registers that too few warps
// are left to hide the latency of the loads.
#include "kernels/ginzburg_landau/chains.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/gpu_warp.cuh"

namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {
namespace registers {

constexpr int points = 8, warps = 4;
constexpr int most_steps = 4;  // of a launch
constexpr int span = warp * points, own = span - 2 * halo_width * most_steps;

template <class T>
__global__ void __launch_bounds__(warp* warps)
    steps_kernel(T* __restrict__ next, const T* __restrict__ now, Coefficients<T> c, Weights<T> w, int n,
                 int steps) {
    const int lane = threadIdx.x % warp;
    const int first = (blockIdx.x * warps + threadIdx.x / warp) * own;
    if (first >= n) return;  // a whole warp
    const int begin = first - halo_width * most_steps + lane * points;

    const bool inside = begin >= 0 && begin + points <= n;  // nearly all are: a division less
    RegisterTile<T, points> tile;
#pragma unroll
    for (int p = 0; p < points; ++p) {
        const int at = inside ? begin + p : mirrored(begin + p, n);
        tile.y[p] = {now[at], now[n + at]};
    }
    for (int s = 0; s < steps; ++s)
        tile.step(c, w);
#pragma unroll
    for (int p = 0; p < points; ++p) {
        const int at = begin + p;
        if (at < first || at >= first + own || at >= n) continue;
        next[at] = tile.y[p].u;
        next[n + at] = tile.y[p].v;
    }
}

template <class T>
void steps(launch::Stream stream, const Problem& p, int, int count, const T* now, T* next, T*) {
    const int a_block = own * warps;
    const launch::Shape shape{{static_cast<unsigned>((p.n + a_block - 1) / a_block)}, {warp * warps}};
    launch::launch(stream, shape, steps_kernel<T>, next, now, coefficients<T>(p), weights<T>(p), p.n, count);
}

template <class T>
std::vector<launch::Demand> demand(const Problem& p, int, int count, const launch::Chip&) {
    const double blocks = launch::pieces(p.n, own * warps), steps = count;
    return {{.blocks = blocks,
             .block_threads = warp * warps,
             .units = {blocks * steps},
             .code_share = 1 / steps,
             .loads_ahead = true,
             .chain = chains::gpu_registers(steps)}};
}

}  // namespace registers

template <class T>
GpuVariant<T> gpu_registers() {
    return {
        .name = "gpu_registers",
        .repeats = true,
        .steps_per_launch = {registers::most_steps, true},
        .step = registers::steps<T>,
        .info = [](const Problem&,
                   int) { return launch::kernel_info(registers::steps_kernel<T>, warp * registers::warps); },
        .demand = registers::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_registers);

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
