// A warp along x: 32 values are loaded at once and 28 of them computed, so that only x has threads that just
// load. A tile of 32 x 8 threads, three of them deep, loads the 8 layers of the block and the 2 + 2 below and
// above, and once more, with y and z exchanged, the 2 + 2 rows before and behind. Source: thesis,
// section 4.7.8.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_common.cuh"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace rectangular {

constexpr int warp = 32, side = 8, tiles = 3;
constexpr launch::Dim3 block{warp, side, tiles};
constexpr int computed = warp - 2 * halo;
constexpr Extent points{computed, side, side};
constexpr int row = warp, plane = 12 * warp;

/// Index in shared memory of lane i and a row and layer counted from the block's first: -2 ... 9.
__device__ constexpr int shared_at(int i, int y, int z) {
    return i + (y + halo) * row + (z + halo) * plane;
}

template <class T, class Beta>
__global__ void step_kernel(T* __restrict__ next, const T* __restrict__ now, Beta beta, Coefficients<T> k,
                            Grid g, T) {
    GRIDMARK_SHARED(T, box, 12 * plane);
    const int i = threadIdx.x, x0 = blockIdx.x * computed - halo, y0 = blockIdx.y * side,
              z0 = blockIdx.z * side;
    const T* const first = now + g.at(x0, y0, z0);
    const auto copy = [&](int y, int z) { box[shared_at(i, y, z)] = first[g.at(i, y, z)]; };
    const int t = threadIdx.y;
#pragma unroll
    for (int z = static_cast<int>(threadIdx.z) - halo; z < side + halo; z += tiles)
        copy(t, z);
#pragma unroll
    for (int rim = threadIdx.z; rim < 2 * halo; rim += tiles)
        copy(rim < halo ? rim - halo : side + rim - halo, t);
    __syncthreads();

    const int x = x0 + i, y = y0 + t;
    if (i < halo || i >= warp - halo || x >= g.nx || y >= g.ny) return;
#pragma unroll
    for (int l = threadIdx.z; l < side; l += tiles) {
        const int z = z0 + l;
        if (z >= g.nz) return;
        const T* const at = box + shared_at(i, t, l);
        next[g.at(x, y, z)] =
            update(k, *at, neighbours(at, 1), neighbours(at, row), neighbours(at, plane), beta.at(x, y, z));
    }
}

template <class T>
launch::Demand demand(const Problem& p, int, const launch::Chip&) {
    return block_demand<T>(p, block, points, 12 * plane, chains::by_tile);
}

}  // namespace rectangular

template <class T>
GpuVariant<T> gpu_rectangular() {
    using namespace rectangular;
    return ByBothPaths<T, step_kernel<T, TextureBeta<T>>, step_kernel<T, LoadedBeta<T>>, rectangular_layout,
                       block, points>::entry("gpu_rectangular", "32x8x3", launch::Carveout::prefer_shared,
                                             demand<T>);
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_rectangular);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
