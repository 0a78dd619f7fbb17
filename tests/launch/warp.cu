#include "kernels/launch/kernel.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;

constexpr unsigned all_lanes = 0xffffffffu;

// Hillis and Steele within each warp, then over the sums of the warps.
__global__ void prefix_sum_kernel(const double* from, double* to, int n) {
    GRIDMARK_SHARED(double, sums, 32);
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const unsigned lane = threadIdx.x % warpSize;
    const unsigned warp = threadIdx.x / warpSize;
    double sum = i < n ? from[i] : 0.0;
    for (unsigned d = 1; d < static_cast<unsigned>(warpSize); d *= 2) {
        const double other = __shfl_up_sync(all_lanes, sum, d);
        if (lane >= d) sum += other;
    }
    // The last lane of a warp, or of the block: the last warp may have fewer lanes.
    if (lane == static_cast<unsigned>(warpSize) - 1 || threadIdx.x == blockDim.x - 1) sums[warp] = sum;
    __syncthreads();
    double before = 0.0;
    for (unsigned w = 0; w < warp; ++w)
        before += sums[w];
    if (i < n) to[i] = before + sum;
}

__global__ void warp_sums_kernel(const long long* from, long long* to) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    long long sum = from[i];
    for (int d = warpSize / 2; d > 0; d /= 2)
        sum += __shfl_xor_sync(all_lanes, sum, d);
    to[i] = sum;
}

__global__ void shift_down_kernel(const int* from, int* to, unsigned delta, int width) {
    to[threadIdx.x] = __shfl_down_sync(all_lanes, from[threadIdx.x], delta, width);
}

__global__ void broadcast_kernel(const float* from, float* to, int source) {
    to[threadIdx.x] = __shfl_sync(all_lanes, from[threadIdx.x], source);
}

// The two halves of a warp take different ways, each with a mask of its own, while a second warp waits at a
// barrier.
__global__ void split_warp_kernel(unsigned* to) {
    const unsigned thread = threadIdx.x;
    unsigned sum = thread;
    if (thread < 16) {
        for (int d = 8; d > 0; d /= 2)
            sum += __shfl_xor_sync(0x0000ffffu, sum, d);
    } else if (thread < 32) {
        for (int d = 8; d > 4; d /= 2)
            sum += __shfl_xor_sync(0xffff0000u, sum, d);
    }
    __syncwarp();
    __syncthreads();
    to[thread] = sum;
}

}  // namespace

void prefix_sum(launch::Stream stream, const double* from, double* to, int n, unsigned block) {
    const unsigned blocks = (static_cast<unsigned>(n) + block - 1) / block;
    launch(stream, {{blocks}, {block}}, prefix_sum_kernel, from, to, n);
}

void warp_sums(launch::Stream stream, const long long* from, long long* to, unsigned warps) {
    launch(stream, {{1}, {warps * 32}}, warp_sums_kernel, from, to);
}

void shift_down(launch::Stream stream, const int* from, int* to, unsigned delta, int width) {
    launch(stream, {{1}, {32}}, shift_down_kernel, from, to, delta, width);
}

void broadcast(launch::Stream stream, const float* from, float* to, int source) {
    launch(stream, {{1}, {32}}, broadcast_kernel, from, to, source);
}

void split_warp(launch::Stream stream, unsigned* to) {
    launch(stream, {{1}, {64}}, split_warp_kernel, to);
}

std::optional<launch::KernelInfo> prefix_sum_info(unsigned block) {
    return launch::kernel_info(prefix_sum_kernel, block);
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
