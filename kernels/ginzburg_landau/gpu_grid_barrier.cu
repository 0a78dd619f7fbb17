// The third way, which the slides rule out: blocks meet between two stages without the end of a launch. It is
// gpu_relaunch with its launches replaced by a barrier over the whole grid. Nothing is computed twice, a
// launch makes many steps, and what a block asks of its neighbours it asks after every stage.
//
// The barrier: a block's threads meet, one of them raises the block's flag, and the threads share out the
// flags of all blocks and wait for them. That needs all blocks on the device at once (a cooperative launch)
// and no atomic operation. A flag holds the number of the barrier, which goes on from launch to launch.
#include <algorithm>

#include "kernels/ginzburg_landau/chains.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/gpu_stage.cuh"
#include "kernels/launch/messages.hpp"

namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {
namespace grid_barrier {

/// Steps of a launch. It could make any number; so many that its start costs little of them.
constexpr int most_steps = 100;

/// Waits until every block of the grid has come here for the time `number`: what any thread of any block
/// wrote before, all threads see then.
__device__ inline void meet(unsigned* flags, unsigned number) {
    __syncthreads();
    if (threadIdx.x == 0) launch::signal(flags + blockIdx.x, number);
    for (unsigned block = threadIdx.x; block < gridDim.x; block += blockDim.x)
        launch::wait_until([&] { return launch::signalled(flags + block, number); });
    __syncthreads();
}

/// `steps` steps from `now` to `next`. `scratch` is two stage vectors and a state, and the blocks' flags.
/// No pointer is __restrict__: what another block writes must not be read by the path for constant data.
template <class T>
__global__ void steps_kernel(T* next, const T* now, T* scratch, unsigned* flags, Coefficients<T> c,
                             Weights<T> w, int n, int steps) {
    T *const one = scratch, *const other = one + 2L * n, *const spare = other + 2L * n;
    const int first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    unsigned number = flags[blockIdx.x];
    const auto stage = [&](T* made, T* to, const T* base, const T* from, const T* s, T weight, T step) {
        for (int i = first; i < n; i += stride)
            stage_point<T, false>(i, to, made, base, from, s, c, weight, step, n);
        meet(flags, ++number);
    };
    const T* from = now;
    for (int s = 1; s <= steps; ++s) {
        T* const to = (steps - s) % 2 == 0 ? next : spare;  // the last step ends in `next`
        stage(one, to, from, from, from, w.sixth, w.half);
        stage(other, to, to, from, one, w.third, w.half);
        stage(one, to, to, from, other, w.third, w.whole);
        for (int i = first; i < n; i += stride)
            stage_point<T, true>(i, to, static_cast<T*>(nullptr), to, from, one, c, w.sixth, T{0}, n);
        if (s < steps) meet(flags, ++number);  // after the last step the launch ends
        from = to;
    }
}

/// The blocks' flags, behind three states: there are at most n blocks, and a state has room for as many.
template <class T>
const unsigned* flags_in(const Problem& p, const T* scratch) {
    return reinterpret_cast<const unsigned*>(scratch + 3 * p.values());
}

template <class T>
void steps(launch::Stream stream, const Problem& p, int block, int count, const T* now, T* next, T* scratch) {
    const auto threads = static_cast<unsigned>(block);
    const unsigned wanted = (static_cast<unsigned>(p.n) + threads - 1) / threads;
    const auto most = static_cast<unsigned>(launch::resident_blocks(steps_kernel<T>, threads));
    const launch::Shape shape{{std::min(wanted, most)}, {threads}};
    launch::launch_cooperative(stream, shape, steps_kernel<T>, next, now, scratch,
                               const_cast<unsigned*>(flags_in(p, scratch)), coefficients<T>(p), weights<T>(p),
                               p.n, count);
}

/// As many blocks as the chip holds, each in turns. At each barrier every block looks at the flags of all.
template <class T>
std::vector<launch::Demand> demand(const Problem& p, int block, int count, const launch::Chip& chip) {
    constexpr double usual_blocks = 8;
    const double wanted = launch::pieces(p.n, block),
                 resident = chip.resident_blocks > 0 ? chip.resident_blocks : usual_blocks,
                 blocks = std::min(wanted, chip.multiprocessors * resident),
                 meetings = chains::stages * count, points = static_cast<double>(p.n) * count,
                 turns = wanted / blocks;
    return {{.blocks = blocks,
             .block_threads = static_cast<double>(block),
             .memory_bytes = points * 32 * sizeof(T),
             .units = {points, blocks * blocks * count},
             .chain = chains::gpu_grid_barrier(meetings, turns)}};
}

}  // namespace grid_barrier

template <class T>
GpuVariant<T> gpu_grid_barrier() {
    return {.name = "gpu_grid_barrier",
            .takes_block = true,
            .sweeps = false,
            .scratch_states = 4,
            .steps_per_launch = {grid_barrier::most_steps, true},
            .steps_in_memory = true,
            .meetings = grid_barrier::flags_in<T>,
            .check = [](const Problem&, int block) { check_block(block); },
            .step = grid_barrier::steps<T>,
            .info =
                [](const Problem&, int block) {
                    return launch::kernel_info(grid_barrier::steps_kernel<T>, static_cast<unsigned>(block));
                },
            .demand = grid_barrier::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_grid_barrier);

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
