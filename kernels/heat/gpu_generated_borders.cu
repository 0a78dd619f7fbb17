// As gpu_no_shared, but no halo is stored: the field is exactly nx * ny * nz, and a neighbour outside it is
// the constant boundary. Testing every neighbour of every point would cost more than it saves, so the block
// first finds its position, at the first, a middle or the last place along each axis, and enters one of 27
// marches, compiled with just the tests that its position needs: none in the middle. The thesis generates the
// 27 from a macro; here they are instances of one template. Source: thesis, section 4.7.10.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_march.cuh"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace generated_borders {

constexpr launch::Dim3 block{march_x, march_y, 1};
constexpr Extent points{march_x, march_y, march_z};

/// Calls f with At<position> for the block's `size` points from `begin` on an axis of n.
template <class F>
__device__ inline void at_position(int begin, int size, int n, F f) {
    if (begin + size > n - halo)
        f(At<Position::last>{});
    else if (begin == 0)
        f(At<Position::first>{});
    else
        f(At<Position::middle>{});
}

/// Blocks per multiprocessor that the compiler must leave registers for. Left to itself it gives the largest
/// of the 27 marches 56 registers, and only half of the threads that a multiprocessor can hold find room.
template <class T>
constexpr int least_blocks = sizeof(T) == sizeof(float) ? 6 : 5;

template <class T, class Beta>
__global__ void __launch_bounds__(march_x* march_y, least_blocks<T>)
    step_kernel(T* __restrict__ next, const T* __restrict__ now, Beta beta, Coefficients<T> k, Grid g,
                T boundary) {
    const int x0 = blockIdx.x * march_x, y0 = blockIdx.y * march_y, z0 = blockIdx.z * march_z;
    const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    if (x >= g.nx || y >= g.ny) return;
    at_position(z0, march_z, g.nz, [&](auto on_z) {
        at_position(y0, march_y, g.ny, [&](auto on_y) {
            at_position(x0, march_x, g.nx, [&](auto on_x) {
                march<decltype(on_x), decltype(on_y), decltype(on_z)>(next, now, beta, k, g, boundary, x, y,
                                                                      z0);
            });
        });
    });
}

template <class T>
launch::Demand demand(const Problem& p, int, const launch::Chip&) {
    return block_demand<T>(p, block, points, 0, chains::march(march_z));
}

template <class T>
GpuVariant<T> entry() {
    return ByBothPaths<T, step_kernel<T, TextureBeta<T>>, step_kernel<T, LoadedBeta<T>>, bare_layout, block,
                       points>::entry("gpu_generated_borders", "32x8x1", launch::Carveout::prefer_l1,
                                      demand<T>);
}

template <class T>
std::span<const GpuVariant<T>> ablations() {
    static const GpuVariant<T> table[]{with_other_split(entry<T>())};
    return table;
}

}  // namespace generated_borders

template <class T>
GpuVariant<T> gpu_generated_borders() {
    GpuVariant<T> variant = generated_borders::entry<T>();
    variant.ablations = generated_borders::ablations<T>;
    return variant;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_generated_borders);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
