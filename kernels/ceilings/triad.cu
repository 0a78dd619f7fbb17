#include "kernels/ceilings/gpu.hpp"

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/streaming.hpp"

namespace gridmark::ceilings::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;

constexpr unsigned threads = 256;
constexpr int words_per_thread = 2;  // of 16 bytes, from each array, all loaded before the first is stored

template <bool streaming>
__device__ float4 load(const float4* from) {
    return streaming ? launch::load_streaming(from) : *from;
}

template <bool streaming>
__global__ void triad_kernel(const float4* __restrict__ a, const float4* __restrict__ b,
                             float4* __restrict__ to, std::size_t words) {
    const std::size_t first = std::size_t{blockIdx.x} * (words_per_thread * threads) + threadIdx.x;
    float4 x[words_per_thread], y[words_per_thread];
    for (int i = 0; i < words_per_thread; ++i) {
        if (first + i * threads >= words) continue;
        x[i] = load<streaming>(a + first + i * threads);
        y[i] = load<streaming>(b + first + i * threads);
    }
    for (int i = 0; i < words_per_thread; ++i) {
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
    const auto blocks =
        static_cast<unsigned>((words + words_per_thread * threads - 1) / (words_per_thread * threads));
    launch(stream, {{blocks}, {threads}}, streaming ? triad_kernel<true> : triad_kernel<false>,
           reinterpret_cast<const float4*>(a), reinterpret_cast<const float4*>(b),
           reinterpret_cast<float4*>(to), words);
}

}  // namespace gridmark::ceilings::GRIDMARK_EXECUTOR
