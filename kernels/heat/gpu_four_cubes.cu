// Four cubes of 8 x 8 x 8 in a row share 12 x 12 x 36 values in shared memory, so that only two of their
// eight borders in x are loaded on their own. A row of 36 is padded to 40: with 36, threads of a warp (four
// rows of 8) meet in the same banks; the ablation shared_row_36 leaves it so. Stored rows start aligned to 32
// bytes, as 6 values fill the space before and behind the halo. All 512 threads load, meet at the barrier,
// and compute the four cubes in turn. Source: thesis, section 4.7.6.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_common.cuh"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace four_cubes {

constexpr launch::Dim3 block{8, 8, 8};
constexpr int cube = 8, cubes = 4;
constexpr Extent points{cubes * cube, cube, cube};
constexpr int padded = 40, unpadded = 36;

/// Index in shared memory of a point counted from the block's first: -2 ... 33, -2 ... 9, -2 ... 9.
template <int row>
__device__ constexpr int shared_at(int x, int y, int z) {
    return (x + halo) + ((y + halo) + (z + halo) * 12) * row;
}

/// The thread's point in each cube and, if it stands within 2 of a border, the point beyond it: threads 0 and
/// 1 of an axis load the two layers before the block, threads 6 and 7 those behind it.
template <int row, class T>
__device__ inline void load(T* tile, const T* first, const Grid& g) {
    const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    const auto copy = [&](int i, int j, int k) { tile[shared_at<row>(i, j, k)] = first[g.at(i, j, k)]; };
#pragma unroll
    for (int c = 0; c < cubes; ++c) {
        const int i = c * cube + x;
        copy(i, y, z);
        if (y < halo) copy(i, y - halo, z);
        if (y >= cube - halo) copy(i, y + halo, z);
        if (z < halo) copy(i, y, z - halo);
        if (z >= cube - halo) copy(i, y, z + halo);
    }
    if (x < halo) copy(x - halo, y, z);
    if (x >= cube - halo) copy((cubes - 1) * cube + x + halo, y, z);
}

template <int row, class T, class Beta>
__global__ void step_kernel(T* __restrict__ next, const T* __restrict__ now, Beta beta, Coefficients<T> k,
                            Grid g, T) {
    constexpr int plane = 12 * row;
    GRIDMARK_SHARED(T, tile, 12 * plane);
    const int x0 = blockIdx.x * points.x, y0 = blockIdx.y * cube, z0 = blockIdx.z * cube;
    load<row>(tile, now + g.at(x0, y0, z0), g);
    __syncthreads();

    const int y = y0 + threadIdx.y, z = z0 + threadIdx.z;
    if (y >= g.ny || z >= g.nz) return;
#pragma unroll
    for (int c = 0; c < cubes; ++c) {
        const int i = c * cube + threadIdx.x, x = x0 + i;
        if (x >= g.nx) return;
        const T* const at = tile + shared_at<row>(i, threadIdx.y, threadIdx.z);
        next[g.at(x, y, z)] =
            update(k, *at, neighbours(at, 1), neighbours(at, row), neighbours(at, plane), beta.at(x, y, z));
    }
}

/// All is loaded at once, then computed by four warps a scheduler that wait for one barrier.
template <class T, int row>
launch::Demand demand(const Problem& p, int, const launch::Chip&) {
    return block_demand<T>(p, block, points, 12 * 12 * row, chains::by_tile);
}

template <class T, int row>
GpuVariant<T> entry() {
    return ByBothPaths<T, step_kernel<row, T, TextureBeta<T>>, step_kernel<row, T, LoadedBeta<T>>,
                       four_cubes_layout, block, points>::entry("gpu_four_cubes", "8x8x8",
                                                                launch::Carveout::prefer_shared,
                                                                demand<T, row>);
}

template <class T>
std::span<const GpuVariant<T>> ablations() {
    static const GpuVariant<T> table[]{ablation_of(entry<T, unpadded>(), "shared_row_36")};
    return table;
}

}  // namespace four_cubes

template <class T>
GpuVariant<T> gpu_four_cubes() {
    GpuVariant<T> variant = four_cubes::entry<T, four_cubes::padded>();
    variant.ablations = four_cubes::ablations<T>;
    return variant;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_four_cubes);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
