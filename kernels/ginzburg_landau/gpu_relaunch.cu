// The plain way: a launch for each of the four stages, whose end is the global barrier that the next stage
// needs. As lean as it goes: a stage reads the state, its own stage vector (with neighbours) and the sum so
// far, and writes the next stage vector and the new sum; nothing else is stored. Source: slides, what
// overlap8 replaces.
#include "kernels/ginzburg_landau/chains.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/gpu_stage.cuh"

namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {
namespace relaunch {

template <class T, bool is_last>
__global__ void stage_kernel(T* sum, T* __restrict__ stage, const T* base, const T* __restrict__ now,
                             const T* __restrict__ s, Coefficients<T> c, T weight, T step, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) stage_point<T, is_last>(i, sum, stage, base, now, s, c, weight, step, n);
}

template <class T>
void step(launch::Stream stream, const Problem& p, int block, int, const T* now, T* next, T* scratch) {
    const auto threads = static_cast<unsigned>(block);
    const launch::Shape shape{{(static_cast<unsigned>(p.n) + threads - 1) / threads, 1, 1}, {threads, 1, 1}};
    const auto c = coefficients<T>(p);
    const auto w = weights<T>(p);
    T *const one = scratch, *const other = scratch + p.values();
    const auto stage = [&](T* made, const T* base, const T* s, T weight, T step) {
        launch::launch(stream, shape, stage_kernel<T, false>, next, made, base, now, s, c, weight, step, p.n);
    };
    stage(one, now, now, w.sixth, w.half);
    stage(other, next, one, w.third, w.half);
    stage(one, next, other, w.third, w.whole);
    launch::launch(stream, shape, stage_kernel<T, true>, next, static_cast<T*>(nullptr),
                   static_cast<const T*>(next), now, static_cast<const T*>(one), c, w.sixth, T{0}, p.n);
}

/// Four launches: the first and the last move six values a point, the others ten.
template <class T>
std::vector<launch::Demand> demand(const Problem& p, int block, int, const launch::Chip&) {
    const auto stage = [&](double values, double times) {
        return launch::Demand{.blocks = launch::pieces(p.n, block),
                              .block_threads = static_cast<double>(block),
                              .memory_bytes = p.n * values * sizeof(T),
                              .units = {static_cast<double>(p.n)},
                              .code_share = 1,
                              .chain = chains::gpu_relaunch,
                              .times = times};
    };
    return {stage(6, 1), stage(10, 2), stage(6, 1)};
}

}  // namespace relaunch

template <class T>
GpuVariant<T> gpu_relaunch() {
    return {.name = "gpu_relaunch",
            .takes_block = true,
            .launches = 4,
            .scratch_states = 2,
            .check = [](const Problem&, int block) { check_block(block); },
            .step = relaunch::step<T>,
            .info =
                [](const Problem&, int block) {
                    return launch::kernel_info(relaunch::stage_kernel<T, false>,
                                               static_cast<unsigned>(block));
                },
            .demand = relaunch::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_relaunch);

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
