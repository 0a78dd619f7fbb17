#include "kernels/launch/kernel.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;

GRIDMARK_CONSTANT(Weights<float>, weights);
GRIDMARK_CONSTANT(Weights<double>, weights_double);

constexpr int pitch = tile_x + 2;
constexpr int tile_size = pitch * (tile_y + 2);

template <class T>
__device__ T value_at(const T* __restrict__ from, int x, int y, int nx, int ny) {
    return x >= 0 && x < nx && y >= 0 && y < ny ? __ldg(&from[y * nx + x]) : T(0);
}

// Every thread stays to the end: all of them load, and all of them meet at the barrier.
template <class T>
__device__ void step(T* tile, const Weights<T>& w, const T* __restrict__ from, T* __restrict__ to, int nx,
                     int ny) {
    const int x0 = static_cast<int>(blockIdx.x) * tile_x - 1;
    const int y0 = static_cast<int>(blockIdx.y) * tile_y - 1;
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    for (int i = thread; i < tile_size; i += tile_x * tile_y)
        tile[i] = value_at(from, x0 + i % pitch, y0 + i / pitch, nx, ny);
    __syncthreads();
    const int tx = static_cast<int>(threadIdx.x) + 1;
    const int ty = static_cast<int>(threadIdx.y) + 1;
    const T* const at = &tile[ty * pitch + tx];
    if (x0 + tx < nx && y0 + ty < ny)
        to[(y0 + ty) * nx + x0 + tx] = five_points(w, at[0], at[-1], at[1], at[-pitch], at[pitch]);
}

template <class T>
__global__ void __launch_bounds__(tile_x* tile_y) static_kernel(const T* from, T* to, int nx, int ny) {
    GRIDMARK_SHARED(T, tile, tile_size);
    if constexpr (sizeof(T) == 4)
        step(tile, weights, from, to, nx, ny);
    else
        step(tile, weights_double, from, to, nx, ny);
}

template <class T>
__global__ void dynamic_kernel(Weights<T> w, const T* from, T* to, int nx, int ny) {
    GRIDMARK_DYNAMIC_SHARED(T, tile);
    step(tile, w, from, to, nx, ny);
}

launch::Shape shape(int nx, int ny, std::size_t shared_bytes) {
    const auto blocks = [](int n, int tile) { return static_cast<unsigned>((n + tile - 1) / tile); };
    return {{blocks(nx, tile_x), blocks(ny, tile_y)}, {tile_x, tile_y}, shared_bytes};
}

}  // namespace

void stencil_static(launch::Stream stream, const Weights<float>& w, const float* from, float* to, int nx,
                    int ny) {
    launch::set_constant(stream, weights, w);
    launch::set_carveout(static_kernel<float>, launch::Carveout::prefer_shared);
    launch(stream, shape(nx, ny, 0), static_kernel<float>, from, to, nx, ny);
}

void stencil_static_double(launch::Stream stream, const Weights<double>& w, const double* from, double* to,
                           int nx, int ny) {
    launch::set_constant(stream, weights_double, w);
    launch::set_carveout(static_kernel<double>, launch::Carveout::prefer_l1);
    launch(stream, shape(nx, ny, 0), static_kernel<double>, from, to, nx, ny);
}

void stencil_dynamic(launch::Stream stream, const Weights<float>& w, const float* from, float* to, int nx,
                     int ny) {
    launch(stream, shape(nx, ny, tile_size * sizeof(float)), dynamic_kernel<float>, w, from, to, nx, ny);
}

void stencil_dynamic_double(launch::Stream stream, const Weights<double>& w, const double* from, double* to,
                            int nx, int ny) {
    launch(stream, shape(nx, ny, tile_size * sizeof(double)), dynamic_kernel<double>, w, from, to, nx, ny);
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
