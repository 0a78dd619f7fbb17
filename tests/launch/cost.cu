#include "kernels/launch/kernel.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;

__global__ void add_one_kernel(float* values) {
    values[blockIdx.x * blockDim.x + threadIdx.x] += 1.0f;
}

// Every thread hands its value to its neighbour, again and again: two barriers each time.
__global__ void rotate_kernel(float* values, int times) {
    GRIDMARK_SHARED(float, ring, 1024);
    float* const mine = &values[blockIdx.x * blockDim.x + threadIdx.x];
    for (int i = 0; i < times; ++i) {
        ring[threadIdx.x] = *mine;
        __syncthreads();
        *mine = ring[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
    }
}

}  // namespace

void add_one(launch::Stream stream, float* values, unsigned blocks, unsigned threads) {
    launch(stream, {{blocks}, {threads}}, add_one_kernel, values);
}

void rotate(launch::Stream stream, float* values, unsigned blocks, unsigned threads, int times) {
    launch(stream, {{blocks}, {threads}}, rotate_kernel, values, times);
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
