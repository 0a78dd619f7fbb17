// Kernels with mistakes that the host executor must find. nvcc compiles the kernels too, to show that they
// are kernels it accepts; a GPU runs some of them, for the tools of compute-sanitizer (bad_kernels.cpp).

#include <stdexcept>

#include "kernels/launch/kernel.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;

__global__ void reverse_without_barrier_kernel(float* values) {
    GRIDMARK_SHARED(float, store, 64);
    store[threadIdx.x] = values[threadIdx.x];
    // __syncthreads() belongs here.
    values[threadIdx.x] = store[blockDim.x - 1 - threadIdx.x];
}

constexpr int some_line = __LINE__ + 2;
__global__ void barrier_for_some_kernel(unsigned some) {
    if (threadIdx.x < some) __syncthreads();
}

__global__ void barrier_more_often_for_some_kernel(unsigned some) {
    for (int i = 0; i < (threadIdx.x < some ? 3 : 2); ++i)
        __syncthreads();
}

constexpr int first_line = __LINE__ + 4;
constexpr int second_line = __LINE__ + 5;
__global__ void barriers_at_two_lines_kernel() {
    if (threadIdx.x % 2 == 0)
        __syncthreads();
    else
        __syncthreads();
}

// What stands around the barriers keeps a compiler from making one of them.
__global__ void barriers_of_half_warps_kernel(float* values) {
    if (threadIdx.x % 2 == 0) {
        values[threadIdx.x] = 1;
        __syncthreads();
        values[threadIdx.x] += values[0];
    } else {
        values[threadIdx.x] *= 2;
        __syncthreads();
        values[threadIdx.x] -= values[1];
    }
}

constexpr int shuffle_line = __LINE__ + 2;
__global__ void shuffle_for_some_kernel(unsigned mask) {
    if (threadIdx.x < 16) (void)__shfl_xor_sync(mask, 1.0f, 1);
    __syncthreads();
}

__global__ void read_unwritten_kernel(float* to) {
    GRIDMARK_SHARED(float, store, 32);
    if (threadIdx.x != blockIdx.x % 32) store[threadIdx.x] = 1.0f;
    __syncthreads();
    to[blockIdx.x * blockDim.x + threadIdx.x] = store[threadIdx.x];
}

__global__ void write_past_shared_kernel(int index, float* to) {
    GRIDMARK_SHARED(float, innocent, 32);
    GRIDMARK_SHARED(float, overrun, 33);
    innocent[threadIdx.x] = 0.0f;
    if (threadIdx.x == 0) overrun[index] = 1.0f;
    if (to != nullptr) to[threadIdx.x] = innocent[threadIdx.x] + overrun[threadIdx.x];
}

__global__ void write_past_dynamic_kernel(int index) {
    GRIDMARK_DYNAMIC_SHARED(double, store);
    if (threadIdx.x == 0) store[index] = 1.0;
}

__global__ void write_global_kernel(float* to, int index) {
    to[index] = 1.0f;
}

// Who comes when: to[0] counts, and the numbers of the threads follow.
__global__ void order_of_threads_kernel(unsigned* to, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        to[++to[0]] = threadIdx.x;
        __syncthreads();
    }
}

// Each block reads what its neighbour may or may not have changed yet.
__global__ void neighbour_in_place_kernel(float* values) {
    const unsigned i = blockIdx.x;
    values[i] += i + 1 < gridDim.x ? values[i + 1] : 0.0f;
}

#if defined(GRIDMARK_HOST_EXECUTOR)
void throw_in_kernel_kernel(bool after_barrier) {
    if (after_barrier) __syncthreads();
    if (blockIdx.x == 2 && threadIdx.x == 5) throw std::runtime_error("negative temperature");
    __syncthreads();
}

// Some frames with addresses taken, so that they stay on the stack.
float deep(int levels, float* to) {
    volatile float frame[64] = {};
    frame[levels % 64] = static_cast<float>(levels);
    if (levels > 0) frame[0] = deep(levels - 1, to) + 1.0f;
    to[0] = frame[0];
    return frame[0];
}
void deep_stack_kernel(int levels, float* to) {
    deep(levels, to);
}
#endif

}  // namespace

#if defined(GRIDMARK_HOST_EXECUTOR)
void throw_in_kernel(launch::Stream stream, unsigned blocks, bool after_barrier) {
    launch(stream, {{blocks}, {16}}, throw_in_kernel_kernel, after_barrier);
}
void deep_stack(launch::Stream stream, int levels, float* to) {
    launch(stream, {}, deep_stack_kernel, levels, to);
}
#endif

void reverse_without_barrier(launch::Stream stream, float* values, unsigned threads) {
    launch(stream, {{1}, {threads}}, reverse_without_barrier_kernel, values);
}
void barrier_for_some(launch::Stream stream, unsigned threads, unsigned some) {
    launch(stream, {{3}, {threads}}, barrier_for_some_kernel, some);
}
void barrier_more_often_for_some(launch::Stream stream, unsigned threads, unsigned some) {
    launch(stream, {{1}, {threads}}, barrier_more_often_for_some_kernel, some);
}
void barriers_at_two_lines(launch::Stream stream, unsigned threads) {
    launch(stream, {{1}, {threads}}, barriers_at_two_lines_kernel);
}
void barriers_of_half_warps(launch::Stream stream, float* values, unsigned threads) {
    launch(stream, {{1}, {threads}}, barriers_of_half_warps_kernel, values);
}
void shuffle_for_some(launch::Stream stream, unsigned mask) {
    launch(stream, {{1}, {32}}, shuffle_for_some_kernel, mask);
}
void read_unwritten(launch::Stream stream, float* to) {
    launch(stream, {{64}, {32}}, read_unwritten_kernel, to);
}
void write_past_shared(launch::Stream stream, int index) {
    launch(stream, {{1}, {32}}, write_past_shared_kernel, index, nullptr);
}
void write_past_dynamic(launch::Stream stream, int index) {
    launch(stream, {{1}, {32}, 10 * sizeof(double)}, write_past_dynamic_kernel, index);
}
void write_global(launch::Stream stream, float* to, int index) {
    launch(stream, {}, write_global_kernel, to, index);
}
void order_of_threads(launch::Stream stream, unsigned* to, unsigned threads, int rounds) {
    launch(stream, {{1}, {threads}}, order_of_threads_kernel, to, rounds);
}
void neighbour_in_place(launch::Stream stream, float* values, unsigned blocks) {
    launch(stream, {{blocks}, {1}}, neighbour_in_place_kernel, values);
}
int line_of_barrier_for_some() {
    return some_line;
}
int line_of_first_barrier() {
    return first_line;
}
int line_of_second_barrier() {
    return second_line;
}
int line_of_shuffle() {
    return shuffle_line;
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
