// One kernel for each field: a thread computes all three components at its point, so that each component of
// the other field is read once (its neighbours come from the caches): 108 instead of 132 bytes a cell and
// step in float.
#include "kernels/maxwell/gpu_step.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace fused {

constexpr launch::Dim3 block{64, 4, 1};

template <class T>
__global__ void e_kernel(Arrays<T> arrays, int x0) {
    const Layout& l = arrays.layout;
    const int x = x0 + blockIdx.z, y = blockIdx.y * block.y + threadIdx.y,
              z = blockIdx.x * block.x + threadIdx.x;
    if (y >= l.n[1] || z >= l.n[2]) return;
    // All loads before the first store: the compiler cannot know that no two arrays overlap.
    const T ex = x > 0 ? e_at<0>(arrays, x, y, z) : T(0);
    const T ey = y > 0 ? e_at<1>(arrays, x, y, z) : T(0);
    const T ez = z > 0 ? e_at<2>(arrays, x, y, z) : T(0);
    if (x > 0) arrays.e.row(l, 0, x, y)[z] = ex;
    if (y > 0) arrays.e.row(l, 1, x, y)[z] = ey;
    if (z > 0) arrays.e.row(l, 2, x, y)[z] = ez;
}

template <class T>
__global__ void h_kernel(Arrays<T> arrays, int x0) {
    const Layout& l = arrays.layout;
    const int x = x0 + blockIdx.z, y = blockIdx.y * block.y + threadIdx.y,
              z = blockIdx.x * block.x + threadIdx.x;
    if (y >= l.n[1] || z >= l.n[2]) return;
    const T hx = y > 0 && z > 0 ? h_at<0>(arrays, x, y, z) : T(0);
    const T hy = x > 0 && z > 0 ? h_at<1>(arrays, x, y, z) : T(0);
    const T hz = x > 0 && y > 0 ? h_at<2>(arrays, x, y, z) : T(0);
    if (y > 0 && z > 0) arrays.h.row(l, 0, x, y)[z] = hx;
    if (x > 0 && z > 0) arrays.h.row(l, 1, x, y)[z] = hy;
    if (x > 0 && y > 0) arrays.h.row(l, 2, x, y)[z] = hz;
}

template <class T>
launch::Shape shape(const Arrays<T>& arrays, int x0, int x1) {
    const auto blocks = [](int n, unsigned by) { return (static_cast<unsigned>(n) + by - 1) / by; };
    return {{blocks(arrays.layout.n[2], block.x), blocks(arrays.layout.n[1], block.y),
             static_cast<unsigned>(x1 - x0)},
            block};
}

}  // namespace fused

template <class T>
void advance_e_fused(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch::launch(stream, fused::shape(arrays, x0, x1), fused::e_kernel<T>, arrays, x0);
}

template <class T>
void advance_h_fused(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch::launch(stream, fused::shape(arrays, x0, x1), fused::h_kernel<T>, arrays, x0);
}

template <class T>
std::optional<launch::KernelInfo> info_fused() {
    return launch::kernel_info(fused::e_kernel<T>, fused::block.x * fused::block.y);
}

#define GRIDMARK_INSTANTIATE(T)                                                \
    template void advance_e_fused(launch::Stream, const Arrays<T>&, int, int); \
    template void advance_h_fused(launch::Stream, const Arrays<T>&, int, int); \
    template std::optional<launch::KernelInfo> info_fused<T>();
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
