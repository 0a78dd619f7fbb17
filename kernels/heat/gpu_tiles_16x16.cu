// Every thread loads: two layers of 16 x 16 threads copy 16 x 16 x 16 values to shared memory, halo included,
// and the inner 12 x 12 x 12 are computed, while the threads of the rim stand still. Three blocks fill a
// multiprocessor of 2011. Source: thesis, section 4.7.7.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_common.cuh"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace tiles_16x16 {

constexpr int tile_size = 16, layers = 2;
constexpr launch::Dim3 block{tile_size, tile_size, layers};
constexpr int computed = tile_size - 2 * halo;
constexpr Extent points{computed, computed, computed};
constexpr int row = tile_size, plane = tile_size * tile_size;

template <class T, class Beta>
__global__ void step_kernel(T* __restrict__ next, const T* __restrict__ now, Beta beta, Coefficients<T> k,
                            Grid g, T) {
    GRIDMARK_SHARED(T, tile, tile_size * plane);
    const int i = threadIdx.x, j = threadIdx.y;
    const int x = blockIdx.x * computed + i - halo, y = blockIdx.y * computed + j - halo,
              z0 = blockIdx.z * computed - halo;
#pragma unroll
    for (int l = threadIdx.z; l < tile_size; l += layers)
        tile[i + j * row + l * plane] = now[g.at(x, y, z0 + l)];
    __syncthreads();

    const auto in_rim = [](int index) { return index < halo || index >= tile_size - halo; };
    if (in_rim(j) || in_rim(i) || x >= g.nx || y >= g.ny) return;
#pragma unroll
    for (int l = halo + threadIdx.z; l < tile_size - halo; l += layers) {
        const int z = z0 + l;
        if (z >= g.nz) return;
        const T* const at = tile + i + j * row + l * plane;
        next[g.at(x, y, z)] =
            update(k, *at, neighbours(at, 1), neighbours(at, row), neighbours(at, plane), beta.at(x, y, z));
    }
}

template <class T>
launch::Demand demand(const Problem& p, int, const launch::Chip&) {
    return block_demand<T>(p, block, points, tile_size * plane, chains::by_tile);
}

}  // namespace tiles_16x16

template <class T>
GpuVariant<T> gpu_tiles_16x16() {
    using namespace tiles_16x16;
    return ByBothPaths<T, step_kernel<T, TextureBeta<T>>, step_kernel<T, LoadedBeta<T>>, tiles_16x16_layout,
                       block, points>::entry("gpu_tiles_16x16", "16x16x2", launch::Carveout::prefer_shared,
                                             demand<T>);
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_tiles_16x16);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
