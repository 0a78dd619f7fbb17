// The matrix as a library wants it: three diagonals.
#include "kernels/launch/kernel.hpp"
#include "kernels/pyramid/gpu.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace diagonals {

constexpr int block = 256;

template <class T>
__global__ void fill_kernel(T* __restrict__ lower, T* __restrict__ diagonal, T* __restrict__ upper, T s,
                            std::size_t m) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= m) return;
    lower[i] = i == 0 ? T{0} : -s;
    diagonal[i] = 1 + 2 * s;
    upper[i] = i + 1 == m ? T{0} : -s;
}

}  // namespace diagonals

template <class T>
void fill_diagonals(launch::Stream stream, double s, std::size_t m, T* lower, T* diagonal, T* upper) {
    const launch::Shape shape{{static_cast<unsigned>((m + diagonals::block - 1) / diagonals::block), 1, 1},
                              {diagonals::block, 1, 1}};
    launch::launch(stream, shape, diagonals::fill_kernel<T>, lower, diagonal, upper, static_cast<T>(s), m);
}

template void fill_diagonals(launch::Stream, double, std::size_t, float*, float*, float*);
template void fill_diagonals(launch::Stream, double, std::size_t, double*, double*, double*);

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
