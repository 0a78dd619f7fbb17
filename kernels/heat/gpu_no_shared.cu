// No shared memory: 32 x 8 threads march through 8 layers with their neighbours in registers, and the L1
// cache does what shared memory did (see gpu_march.cuh). The halo is stored. Source: thesis, section 4.7.9.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_march.cuh"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace no_shared {

template <int rows, class T, class Beta>
__global__ void step_kernel(T* __restrict__ next, const T* __restrict__ now, Beta beta, Coefficients<T> k,
                            Grid g, T boundary) {
    using Inside = At<Position::middle>;
    const int x = blockIdx.x * march_x + threadIdx.x, y = blockIdx.y * rows + threadIdx.y;
    if (x < g.nx && y < g.ny)
        march<Inside, Inside, Inside>(next, now, beta, k, g, boundary, x, y, blockIdx.z * march_z);
}

template <class T, int rows>
launch::Demand demand(const Problem& p, int, const launch::Chip&) {
    return block_demand<T>(p, {march_x, rows, 1}, {march_x, rows, march_z}, 0, chains::march(march_z));
}

template <class T, int rows>
GpuVariant<T> entry(std::string_view block) {
    return ByBothPaths<T, step_kernel<rows, T, TextureBeta<T>>, step_kernel<rows, T, LoadedBeta<T>>,
                       tight_layout, launch::Dim3{march_x, rows, 1},
                       Extent{march_x, rows, march_z}>::entry("gpu_no_shared", block,
                                                              launch::Carveout::prefer_l1, demand<T, rows>);
}

/// Other heights of the block, of which the thesis found 8 ideal, and the other split of the L1 cache.
template <class T>
std::span<const GpuVariant<T>> ablations() {
    static const GpuVariant<T> table[]{ablation_of(entry<T, 2>("32x2x1"), "block_rows_2"),
                                       ablation_of(entry<T, 4>("32x4x1"), "block_rows_4"),
                                       ablation_of(entry<T, 16>("32x16x1"), "block_rows_16"),
                                       ablation_of(entry<T, 32>("32x32x1"), "block_rows_32"),
                                       with_other_split(entry<T, march_y>("32x8x1"))};
    return table;
}

}  // namespace no_shared

template <class T>
GpuVariant<T> gpu_no_shared() {
    GpuVariant<T> variant = no_shared::entry<T, march_y>("32x8x1");
    variant.ablations = no_shared::ablations<T>;
    return variant;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_no_shared);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
