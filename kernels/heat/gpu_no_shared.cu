// No shared memory: 32 x 8 threads march through 8 layers with their neighbours in registers, and the L1
// cache does what shared memory did (see gpu_march.cuh). The halo is stored. Source: thesis, section 4.7.9.
#include "kernels/heat/gpu_march.cuh"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace no_shared {

constexpr launch::Dim3 block{march_x, march_y, 1};
constexpr Extent points{march_x, march_y, march_z};

template <class T, class Beta>
__global__ void step_kernel(T* __restrict__ next, const T* __restrict__ now, Beta beta, Coefficients<T> k,
                            Grid g, T boundary) {
    using Inside = At<Position::middle>;
    const int x = blockIdx.x * march_x + threadIdx.x, y = blockIdx.y * march_y + threadIdx.y;
    if (x < g.nx && y < g.ny)
        march<Inside, Inside, Inside>(next, now, beta, k, g, boundary, x, y, blockIdx.z * march_z);
}

}  // namespace no_shared

template <class T>
GpuVariant<T> gpu_no_shared() {
    using namespace no_shared;
    return ByBothPaths<T, step_kernel<T, TextureBeta<T>>, step_kernel<T, LoadedBeta<T>>, tight_layout, block,
                       points>::entry("gpu_no_shared", "32x8x1", launch::Carveout::prefer_l1);
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_no_shared);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
