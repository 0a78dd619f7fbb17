// What all multiprocessors do at once: multiply-adds, loads from L1 and from shared memory, instructions,
// empty blocks.
#include "kernels/ceilings/gpu.hpp"
#include "kernels/launch/kernel.hpp"

namespace gridmark::ceilings::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;

// No two loads that follow each other read the same word, else one would do for both.
__device__ float sum_of(const float4* words, unsigned passes) {
    float4 sum{};
    for (unsigned pass = 0; pass < passes; ++pass) {
#pragma unroll
        for (unsigned k = 0; k < chip_loads; ++k) {
            const float4 word = words[(threadIdx.x + 32 * (pass * chip_loads + k)) % chip_words];
            sum.x += word.x, sum.y += word.y, sum.z += word.z, sum.w += word.w;
        }
    }
    return sum.x + sum.y + sum.z + sum.w;
}

template <bool shared>
__global__ void read_kernel(const float4* words, unsigned passes, float* out) {
    float sum = 0;
    if constexpr (shared) {
        GRIDMARK_SHARED(float4, held, chip_words);
        for (unsigned w = threadIdx.x; w < chip_words; w += chip_threads)
            held[w] = words[w];
        __syncthreads();
        sum = sum_of(held, passes);
    } else {
        sum = sum_of(words, passes);
    }
    out[blockIdx.x * chip_threads + threadIdx.x] = sum;
}

template <Mix mix>
__global__ void issue_kernel(int turns, float* out) {
    float x[issue_chains];
    unsigned bits[issue_chains];
    for (unsigned k = 0; k < issue_chains; ++k) {
        x[k] = static_cast<float>(threadIdx.x + k);
        bits[k] = threadIdx.x + k;
    }
#pragma unroll 16
    for (int i = 0; i < turns; ++i) {
        for (unsigned k = 0; k < issue_chains; ++k) {
            if constexpr (mix != Mix::logic) x[k] = x[k] * 0.5f + 1;  // nvcc contracts
            if constexpr (mix != Mix::arithmetic)
                bits[k] ^= bits[(k + 1) % issue_chains] ^ bits[(k + 2) % issue_chains];
        }
    }
    float sum = 0;
    for (unsigned k = 0; k < issue_chains; ++k)
        sum += x[k] + static_cast<float>(bits[k]);
    out[blockIdx.x * chip_threads + threadIdx.x] = sum;
}

constexpr int tile_rows = 32, tile_threads = 8;

__global__ void tiles_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ to,
                             int nx) {
    const std::size_t x = blockIdx.x * 32 + threadIdx.x;
    const int y = blockIdx.y * tile_rows + threadIdx.y;
#pragma unroll
    for (int row = 0; row < tile_rows; row += tile_threads) {
        const std::size_t at = x + static_cast<std::size_t>(y + row) * nx;
        to[at] = a[at] + 3 * b[at];
    }
}

__global__ void empty_kernel() {}

}  // namespace

void read_chip(launch::Stream stream, const float* words, unsigned blocks, unsigned passes, bool shared,
               float* out) {
    launch(stream, {{blocks}, {chip_threads}}, shared ? read_kernel<true> : read_kernel<false>,
           reinterpret_cast<const float4*>(words), passes, out);
}

void issue(launch::Stream stream, Mix mix, unsigned blocks, int turns, float* out) {
    launch(stream, {{blocks}, {chip_threads}},
           mix == Mix::both    ? issue_kernel<Mix::both>
           : mix == Mix::logic ? issue_kernel<Mix::logic>
                               : issue_kernel<Mix::arithmetic>,
           turns, out);
}

void triad_by_tiles(launch::Stream stream, const float* a, const float* b, float* to, int nx, int ny) {
    launch(stream,
           {{static_cast<unsigned>(nx / 32), static_cast<unsigned>(ny / tile_rows)}, {32, tile_threads}},
           tiles_kernel, a, b, to, nx);
}

void launch_blocks(launch::Stream stream, unsigned blocks) {
    launch(stream, {{blocks}, {chip_threads}}, empty_kernel);
}

namespace {

template <class T>
__global__ void fma_kernel(int iterations, T factor, T term, T* out) {
    T chain[gpu_fma_chains];
    for (int k = 0; k < gpu_fma_chains; ++k)
        chain[k] = static_cast<T>(threadIdx.x + k);
#pragma unroll 16
    for (int i = 0; i < iterations; ++i) {
        for (int k = 0; k < gpu_fma_chains; ++k)
            chain[k] = chain[k] * factor + term;  // nvcc contracts
    }
    T sum = 0;
    for (int k = 0; k < gpu_fma_chains; ++k)
        sum += chain[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace

void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor, float term, float* out) {
    launch::launch(stream, {{blocks}, {gpu_fma_threads}}, fma_kernel<float>, iterations, factor, term, out);
}

void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor, double term,
                double* out) {
    launch::launch(stream, {{blocks}, {gpu_fma_threads}}, fma_kernel<double>, iterations, factor, term, out);
}

}  // namespace gridmark::ceilings::GRIDMARK_EXECUTOR
