// A thread per point in cubes of 8 x 8 x 8: a warp's 32 threads read four rows of 8 values, a quarter of a
// cache line each. Source: thesis, section 4.7.5.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_common.cuh"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace naive {

constexpr launch::Dim3 block{8, 8, 8};
constexpr Extent points{8, 8, 8};

template <class T, class Beta>
__global__ void step_kernel(T* __restrict__ next, const T* __restrict__ now, Beta beta, Coefficients<T> k,
                            Grid g, T) {
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y,
              z = blockIdx.z * 8 + threadIdx.z;
    if (x >= g.nx || y >= g.ny || z >= g.nz) return;
    const T* const at = now + g.at(x, y, z);
    next[g.at(x, y, z)] =
        update(k, *at, neighbours(at, 1), neighbours(at, g.row), neighbours(at, g.plane), beta.at(x, y, z));
}

/// Each of the 13 loads of a warp touches four lines, as the L1 serves them.
template <class T>
launch::Demand demand(const Problem& p, int, const launch::Chip&) {
    return block_demand<T>(p, block, points, 0, chains::gpu_naive);
}

}  // namespace naive

template <class T>
GpuVariant<T> gpu_naive() {
    using namespace naive;
    return ByBothPaths<T, step_kernel<T, TextureBeta<T>>, step_kernel<T, LoadedBeta<T>>, tight_layout, block,
                       points>::entry("gpu_naive", "8x8x8", launch::Carveout::prefer_l1, demand<T>);
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_naive);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
