// Optimised, after the slides' idea (gpu_overlap8_listing is their kernel): a whole Runge-Kutta step in one
// launch, without asking any other block.
//
// A stage needs the stage before it at both neighbours. So each of the four stages takes one valid point from
// either side of a block: a block of B threads loads B points, and B - 8 are valid at the end. Neighbouring
// blocks therefore overlap by 8 and compute those twice, instead of meeting at a global barrier (the end of a
// launch) four times a step. At the physical ends no point is lost: the outermost one stands for its missing
// neighbour.
//
// A thread keeps its rates in registers, and no branch tells an end from the inside. Stage vectors pass
// between threads through shared memory, two buffers in turns, so that one barrier a stage is enough: what a
// stage reads nobody overwrites before the next barrier.
#include "kernels/ginzburg_landau/chains.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/update.hpp"
#include "kernels/launch/kernel.hpp"

namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {
namespace overlap8 {

/// A block's stage vectors: two buffers of u and v.
template <class T>
struct Exchange {
    T* values;
    int size, t, left, right;  // own index and those of the neighbours' values

    __device__ T* buffer(int stage) const { return values + (stage & 1) * 2 * size; }
    __device__ void put(int stage, const Pair<T>& s) const {
        buffer(stage)[t] = s.u;
        buffer(stage)[size + t] = s.v;
    }
    __device__ Pair<T> get(int stage, int at) const { return {buffer(stage)[at], buffer(stage)[size + at]}; }
};

/// The rate of a stage whose vector `s` every thread has just made: put it out, meet, read the neighbours.
template <class T>
__device__ inline Pair<T> exchanged_rate(const Exchange<T>& exchange, int stage, const Coefficients<T>& c,
                                         const Pair<T>& s) {
    exchange.put(stage, s);
    __syncthreads();
    return rate(c, exchange.get(stage, exchange.left), s, exchange.get(stage, exchange.right));
}

template <class T>
__global__ void step_kernel(T* __restrict__ next, const T* __restrict__ now, Coefficients<T> c, Weights<T> w,
                            int n) {
    GRIDMARK_DYNAMIC_SHARED(T, values);
    const int size = blockDim.x, t = threadIdx.x, first = blockIdx.x * (size - overlap), g = first + t;
    const int last = min(size, n - first) - 1;  // the block's last thread that has a point
    // A neighbour outside the domain is the point itself (Neumann); one outside the block makes a wrong
    // value, which is among the four at that side that are not written.
    const Exchange<T> exchange{values, size, t, t > 0 ? t - 1 : t, t < last ? t + 1 : t};

    const Pair<T> y = t <= last ? Pair<T>{now[g], now[n + g]} : Pair<T>{0, 0};
    const Pair<T> k1 = exchanged_rate(exchange, 0, c, y);
    const Pair<T> k2 = exchanged_rate(exchange, 1, c, plus(y, w.half, k1));
    const Pair<T> k3 = exchanged_rate(exchange, 2, c, plus(y, w.half, k2));
    const Pair<T> k4 = exchanged_rate(exchange, 3, c, plus(y, w.whole, k3));

    constexpr int halo_width = overlap / 2;
    const int begin = first == 0 ? 0 : halo_width, end = first + last == n - 1 ? last : last - halo_width;
    if (t < begin || t > end) return;
    const Pair<T> result = plus(plus(plus(plus(y, w.sixth, k1), w.third, k2), w.third, k3), w.sixth, k4);
    next[g] = result.u;
    next[n + g] = result.v;
}

template <class T>
std::size_t shared_bytes(int block) {
    return 4 * sizeof(T) * static_cast<std::size_t>(block);
}

template <class T>
void step(launch::Stream stream, const Problem& p, int block, int, const T* now, T* next, T*) {
    const auto blocks = static_cast<unsigned>(overlapping_blocks(p.n, block));
    const launch::Shape shape{{blocks, 1, 1}, {static_cast<unsigned>(block), 1, 1}, shared_bytes<T>(block)};
    launch::launch(stream, shape, step_kernel<T>, next, now, coefficients<T>(p), weights<T>(p), p.n);
}

template <class T>
std::vector<launch::Demand> demand(const Problem& p, int block, int, const launch::Chip&) {
    return overlap_demand(p.n, block, shared_bytes<T>(block), chains::gpu_overlap8);
}

}  // namespace overlap8

template <class T>
GpuVariant<T> gpu_overlap8() {
    return {.name = "gpu_overlap8",
            .takes_block = true,
            .repeats = true,
            .repeated_share = repeated_share,
            .check = [](const Problem&, int block) { check_overlapping_block(block); },
            .step = overlap8::step<T>,
            .info =
                [](const Problem&, int block) {
                    return launch::kernel_info(overlap8::step_kernel<T>, static_cast<unsigned>(block),
                                               overlap8::shared_bytes<T>(block));
                },
            .demand = overlap8::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_overlap8);

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
