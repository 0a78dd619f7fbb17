#include "kernels/ceilings/gpu.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/streaming.hpp"

namespace gridmark::ceilings::GRIDMARK_EXECUTOR {
namespace {

constexpr unsigned threads = 256;
constexpr int words_per_thread = 4;  // all loaded before the first is stored

// Copies words [first, end) of 16 bytes by all threads of the block.
__device__ void copy_words(const float4* from, float4* to, std::size_t first, std::size_t end) {
    for (std::size_t base = first + threadIdx.x; base < end; base += words_per_thread * threads) {
        float4 held[words_per_thread];
        for (int i = 0; i < words_per_thread; ++i) {
            if (base + i * threads < end) held[i] = from[base + i * threads];
        }
        for (int i = 0; i < words_per_thread; ++i) {
            if (base + i * threads < end) to[base + i * threads] = held[i];
        }
    }
}

__global__ void copy_kernel(const float4* from, float4* to, std::size_t words, unsigned rest) {
    const std::size_t first = std::size_t{blockIdx.x} * (words_per_thread * threads);
    const std::size_t end = first + words_per_thread * threads;
    copy_words(from, to, first, end < words ? end : words);
    if (blockIdx.x == 0 && threadIdx.x < rest) {
        const auto* last = reinterpret_cast<const unsigned char*>(from + words);
        reinterpret_cast<unsigned char*>(to + words)[threadIdx.x] = last[threadIdx.x];
    }
}

// Every block writes its own tile only. `from` and `to` may alias as far as the compiler knows, so no pass is
// dropped.
__global__ void rotating_kernel(const float4* from, float4* to, std::size_t tile_words, unsigned passes) {
    float4* const tile = to + blockIdx.x * tile_words;
    for (unsigned pass = 0; pass < passes; ++pass) {
        const std::size_t source = (blockIdx.x + std::size_t{pass} * rotation) % gridDim.x;
        copy_words(from + source * tile_words, tile, 0, tile_words);
    }
}

}  // namespace

void copy_bytes(launch::Stream stream, const void* from, void* to, std::size_t bytes) {
    if (bytes == 0) return;
    const std::size_t words = bytes / sizeof(float4);
    const std::size_t blocks = words / (words_per_thread * threads) + 1;
    launch::launch(stream, {{static_cast<unsigned>(blocks)}, {threads}}, copy_kernel,
                   static_cast<const float4*>(from), static_cast<float4*>(to), words,
                   static_cast<unsigned>(bytes % sizeof(float4)));
}

std::size_t copy_rotating(launch::Stream stream, const void* from, void* to, std::size_t bytes,
                          unsigned tiles, unsigned passes) {
    const std::size_t tile_words = bytes / sizeof(float4) / tiles;
    launch::launch(stream, {{tiles}, {threads}}, rotating_kernel, static_cast<const float4*>(from),
                   static_cast<float4*>(to), tile_words, passes);
    return tile_words * tiles * sizeof(float4);
}

namespace {

constexpr int triad_words = 2;  // of 16 bytes, from each array, all loaded before the first is stored

template <bool streaming>
__device__ float4 load(const float4* from) {
    return streaming ? launch::load_streaming(from) : *from;
}

template <bool streaming>
__global__ void triad_kernel(const float4* __restrict__ a, const float4* __restrict__ b,
                             float4* __restrict__ to, std::size_t words) {
    const std::size_t first = std::size_t{blockIdx.x} * (triad_words * threads) + threadIdx.x;
    float4 x[triad_words], y[triad_words];
    for (int i = 0; i < triad_words; ++i) {
        if (first + i * threads >= words) continue;
        x[i] = load<streaming>(a + first + i * threads);
        y[i] = load<streaming>(b + first + i * threads);
    }
    for (int i = 0; i < triad_words; ++i) {
        if (first + i * threads >= words) continue;
        const float4 sum{x[i].x + 3 * y[i].x, x[i].y + 3 * y[i].y, x[i].z + 3 * y[i].z, x[i].w + 3 * y[i].w};
        if constexpr (streaming)
            launch::store_streaming(to + first + i * threads, sum);
        else
            to[first + i * threads] = sum;
    }
}

}  // namespace

void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to, std::size_t count,
               bool streaming) {
    const std::size_t words = count / 4;
    const auto blocks = static_cast<unsigned>((words + triad_words * threads - 1) / (triad_words * threads));
    launch::launch(stream, {{blocks}, {threads}}, streaming ? triad_kernel<true> : triad_kernel<false>,
                   reinterpret_cast<const float4*>(a), reinterpret_cast<const float4*>(b),
                   reinterpret_cast<float4*>(to), words);
}

}  // namespace gridmark::ceilings::GRIDMARK_EXECUTOR
