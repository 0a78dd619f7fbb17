#include "kernels/launch/texture_fetch.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

/// One thread a point of a box that is `rim` points larger than the texture on every side.
template <class T>
__global__ void fetch_kernel(launch::Texture3View<T> texture, T* to, int rim) {
    const int x = static_cast<int>(threadIdx.x) - rim, y = static_cast<int>(blockIdx.x) - rim,
              z = static_cast<int>(blockIdx.y) - rim;
    to[threadIdx.x + blockDim.x * (blockIdx.x + gridDim.x * blockIdx.y)] = launch::fetch(texture, x, y, z);
}

template <class T>
void run(launch::Stream stream, const launch::Texture3View<T>& texture, T* to, int rim) {
    const auto size = [&](int n) { return static_cast<unsigned>(n + 2 * rim); };
    launch::launch(stream, {{size(texture.ny), size(texture.nz)}, {size(texture.nx)}}, fetch_kernel<T>,
                   texture, to, rim);
}

}  // namespace

void fetch_floats(launch::Stream stream, const launch::Texture3View<float>& texture, float* to, int rim) {
    run(stream, texture, to, rim);
}

void fetch_doubles(launch::Stream stream, const launch::Texture3View<double>& texture, double* to, int rim) {
    run(stream, texture, to, rim);
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
