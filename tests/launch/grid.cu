#include "kernels/launch/kernel.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;

// The three coordinates of each thread in the whole grid, stored where they say.
__global__ void indices_kernel(unsigned* to) {
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    const unsigned z = blockIdx.z * blockDim.z + threadIdx.z;
    const unsigned at = (z * gridDim.y * blockDim.y + y) * gridDim.x * blockDim.x + x;
    to[3 * at] = x;
    to[3 * at + 1] = y;
    to[3 * at + 2] = z;
}

__global__ void convert_kernel(double* to, double a, unsigned b, const double* nothing, float c) {
    to[0] = a;
    to[1] = b;
    to[2] = nothing == nullptr ? 1.0 : 0.0;
    to[3] = static_cast<double>(c);
}

// Each thread puts its words into dynamic shared memory; the first one counts how many arrived.
__global__ void count_words_kernel(unsigned* to, std::size_t words) {
    GRIDMARK_DYNAMIC_SHARED(unsigned, store);
    for (std::size_t i = threadIdx.x; i < words; i += blockDim.x)
        store[i] = static_cast<unsigned>(i);
    __syncthreads();
    unsigned count = 0;
    if (threadIdx.x == 0) {
        for (std::size_t i = 0; i < words; ++i)
            count += store[i] == i ? 1u : 0u;
        to[0] = count;
    }
}

// 40 KiB of static shared memory; what it holds does not matter.
__global__ void many_words_kernel(unsigned* to) {
    GRIDMARK_SHARED(unsigned, first, 5 * 1024);
    GRIDMARK_SHARED(unsigned, second, 5 * 1024);
    first[threadIdx.x] = threadIdx.x;
    second[threadIdx.x] = first[threadIdx.x];
    if (to != nullptr) to[threadIdx.x] = second[threadIdx.x];
}

__global__ void empty_kernel() {}

__global__ void vectors_kernel(double* to) {
    const float4 four{1.0f, 2.0f, 3.0f, 4.0f};
    const int2 words{0, 0x3ff80000};
    to[0] = static_cast<double>(four.w) + min(2, 3) + max(2.5, 1.5);
    to[1] = __hiloint2double(words.y, words.x);
    to[2] = max(-1, 1u) == 0xffffffffu ? 1.0 : 0.0;
}

}  // namespace

void indices(launch::Stream stream, unsigned* to, launch::Dim3 grid, launch::Dim3 block) {
    launch(stream, {grid, block}, indices_kernel, to);
}

void convert(launch::Stream stream, double* to) {
    launch(stream, {}, convert_kernel, to, 3, 4, nullptr, 0.5);
}

void count_words(launch::Stream stream, unsigned* to, std::size_t words, bool allow) {
    const std::size_t bytes = words * sizeof(unsigned);
    launch::allow_dynamic_shared(count_words_kernel, allow ? bytes : 48 * 1024);
    launch(stream, {{1}, {128}, bytes}, count_words_kernel, to, words);
}

void many_words(launch::Stream stream, std::size_t dynamic_bytes) {
    launch::allow_dynamic_shared(many_words_kernel, dynamic_bytes);
    launch(stream, {{1}, {32}, dynamic_bytes}, many_words_kernel, nullptr);
}

void empty(launch::Stream stream, launch::Dim3 grid, launch::Dim3 block) {
    launch(stream, {grid, block}, empty_kernel);
}

void vectors(launch::Stream stream, double* to) {
    launch(stream, {}, vectors_kernel, to);
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
