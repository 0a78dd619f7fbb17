#include "kernels/ceilings/gpu.hpp"

#include "kernels/launch/kernel.hpp"

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

}  // namespace gridmark::ceilings::GRIDMARK_EXECUTOR
