// As published: a kernel for each of the six components, a block for each row of it, the row's values shared
// by threads along z. Rows longer than a block has threads take several turns; blocks go in the order of
// memory. Source: paper, section 3.
#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/gpu_pack.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace six {

constexpr int most_threads = 1024;
constexpr int warp = 32;

/// Component c of E at (x, y, z) a step later.
template <int c, class T>
__device__ inline T e_at(const Arrays<T>& arrays, int x, int y, int z) {
    constexpr int a = next(c), b = before(c);
    const Layout& l = arrays.layout;
    const int at[3] = {x, y, z};
    const T* const hb = arrays.h.row(l, b, x, y) + z;
    const T* const ha = arrays.h.row(l, a, x, y) + z;
    const T* const hb_high = arrays.h.row(l, b, x + (a == 0), y + (a == 1)) + z + (a == along_z);
    const T* const ha_high = arrays.h.row(l, a, x + (b == 0), y + (b == 1)) + z + (b == along_z);
    const T rot =
        rotation(*hb, *hb_high, __ldg(arrays.half[a] + at[a]), *ha, *ha_high, __ldg(arrays.half[b] + at[b]));
    return next_e(arrays.e.row(l, c, x, y)[z], rot, __ldg(arrays.eps.row(l, c, x, y) + z),
                  __ldg(arrays.sigma.row(l, c, x, y) + z), arrays.dct);
}

/// Component c of H at (x, y, z) a step later.
template <int c, class T>
__device__ inline T h_at(const Arrays<T>& arrays, int x, int y, int z) {
    constexpr int a = next(c), b = before(c);
    const Layout& l = arrays.layout;
    const int at[3] = {x, y, z};
    const T* const eb = arrays.e.row(l, b, x, y) + z;
    const T* const ea = arrays.e.row(l, a, x, y) + z;
    const T* const eb_low = arrays.e.row(l, b, x - (a == 0), y - (a == 1)) + z - (a == along_z);
    const T* const ea_low = arrays.e.row(l, a, x - (b == 0), y - (b == 1)) + z - (b == along_z);
    const T rot =
        rotation(*eb_low, *eb, __ldg(arrays.node[a] + at[a]), *ea_low, *ea, __ldg(arrays.node[b] + at[b]));
    return next_h(arrays.h.row(l, c, x, y)[z], rot, __ldg(arrays.mu.row(l, c, x, y) + z), arrays.dct);
}

template <class T, int c>
__global__ void e_kernel(Arrays<T> arrays, int x0, int y0) {
    const int x = x0 + blockIdx.y, y = y0 + blockIdx.x;
    for (int z = threadIdx.x; z < arrays.layout.n[2]; z += blockDim.x)
        if (z >= first_e(c, 2)) arrays.e.row(arrays.layout, c, x, y)[z] = e_at<c>(arrays, x, y, z);
}

template <class T, int c>
__global__ void h_kernel(Arrays<T> arrays, int x0, int y0) {
    const int x = x0 + blockIdx.y, y = y0 + blockIdx.x;
    for (int z = threadIdx.x; z < arrays.layout.n[2]; z += blockDim.x)
        if (z >= first_h(c, 2)) arrays.h.row(arrays.layout, c, x, y)[z] = h_at<c>(arrays, x, y, z);
}

/// Threads for a row of n values: whole warps, as few turns as can be.
unsigned threads_for(int n) {
    const int turns = (n + most_threads - 1) / most_threads;
    return static_cast<unsigned>(((n + turns - 1) / turns + warp - 1) / warp * warp);
}

template <class T>
void launch_rows(launch::Stream stream, const Arrays<T>& arrays, void (*kernel)(Arrays<T>, int, int), int x0,
                 int x1, int y0) {
    if (x0 >= x1) return;
    const launch::Shape shape{
        {static_cast<unsigned>(arrays.layout.n[1] - y0), static_cast<unsigned>(x1 - x0), 1},
        {threads_for(arrays.layout.n[2]), 1, 1}};
    launch::launch(stream, shape, kernel, arrays, x0, y0);
}

template <class T, int c>
void launch_e(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_rows(stream, arrays, e_kernel<T, c>, max(x0, first_e(c, 0)), x1, first_e(c, 1));
}

template <class T, int c>
void launch_h(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_rows(stream, arrays, h_kernel<T, c>, max(x0, first_h(c, 0)), x1, first_h(c, 1));
}

template <class T>
void advance_e(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_e<T, 0>(stream, arrays, x0, x1);
    launch_e<T, 1>(stream, arrays, x0, x1);
    launch_e<T, 2>(stream, arrays, x0, x1);
}

template <class T>
void advance_h(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_h<T, 0>(stream, arrays, x0, x1);
    launch_h<T, 1>(stream, arrays, x0, x1);
    launch_h<T, 2>(stream, arrays, x0, x1);
}

template <class T>
std::optional<launch::KernelInfo> info(const Layout& layout) {
    return launch::kernel_info(e_kernel<T, 0>, threads_for(layout.n[2]));
}

}  // namespace six

template <class T>
GpuVariant<T> gpu_in_core() {
    return {.name = "gpu_in_core",
            .origin = launch::Origin::published,
            .launches = 6,
            .values_per_cell = values_six,
            .advance_e = six::advance_e<T>,
            .advance_h = six::advance_h<T>,
            .info = six::info<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_in_core);

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
