// Current, incident wave and ghosts on the device: what faces.cpp and source.cpp do on the CPU. The source's
// state lies on the device as well, so that a step's launches are always the same and a graph can replay
// them.
#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/gpu.hpp"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace faces {

/// A thread for each of 2-D points, fastest along the first.
constexpr launch::Dim3 block{32, 8, 1};

launch::Shape shape(int fast, int slow) {
    const auto blocks = [](int n, unsigned by) { return (static_cast<unsigned>(n) + by - 1) / by; };
    return {{blocks(fast, block.x), blocks(slow, block.y), 1}, block};
}

template <class T>
__global__ void current_kernel(Arrays<T> a, const Drive* drive) {
    const Layout& l = a.layout;
    const int y = blockIdx.x * block.x + threadIdx.x, x = blockIdx.y * block.y + threadIdx.y;
    if (x >= l.n[0] || y >= l.n[1]) return;
    if (x > 0) *a.e.row(l, 0, x, y) += static_cast<T>(current(*drive, 0));
    if (y > 0) *a.e.row(l, 1, x, y) += static_cast<T>(current(*drive, 1));
}

/// One block: its barriers stand between the wave's half steps.
template <class T>
__global__ void wave_kernel(Wave<T> w, Drive* drive, const T* half, const T* node, T dct) {
    const int first = threadIdx.x, stride = blockDim.x;
    for (int p = 0; p < 2; ++p)
        for (int k = first; k < w.n; k += stride) {
            const T e = k == 0 ? w.e[p][0] + static_cast<T>(current(*drive, p)) : w.e[p][k];
            w.e[p][k] = next_wave_e(p, e, w.h[p][k], w.h[p][k + 1], half[k], dct);
        }
    __syncthreads();
    for (int p = 0; p < 2; ++p)
        for (int k = first; k <= w.n; k += stride)
            w.h[p][k] = k == 0     ? static_cast<T>(-hand(p)) * w.e[p][0]
                        : k == w.n ? static_cast<T>(hand(p)) * w.e[p][w.n - 1]
                                   : next_wave_h(p, w.h[p][k], w.e[p][k - 1], w.e[p][k], node[k], dct);
    if (first == 0) *drive = advanced(*drive);
}

template <class T>
__global__ void x_kernel(Arrays<T> a, Wave<T> wave) {
    const Layout& l = a.layout;
    const int z = blockIdx.x * block.x + threadIdx.x, y = blockIdx.y * block.y + threadIdx.y,
              last = l.n[0] - 1;
    if (y >= l.n[1] || z >= l.n[2]) return;
    const T wave_ey = wave.e[1][z], wave_hy = wave.h[0][z];
    if (y > 0) {
        a.h.row(l, 2, 0, y)[z] = ghost_hz_at_x(T(-1), a.e.row(l, 1, 0, y)[z], wave_ey);
        a.h.row(l, 2, last + 1, y)[z] = ghost_hz_at_x(T(1), a.e.row(l, 1, last, y)[z], wave_ey);
    }
    if (z > 0) {
        a.h.row(l, 1, 0, y)[z] = ghost_hy_at_x(T(-1), a.e.row(l, 2, 0, y)[z], wave_hy);
        a.h.row(l, 1, last + 1, y)[z] = ghost_hy_at_x(T(1), a.e.row(l, 2, last, y)[z], wave_hy);
    }
}

template <class T>
__global__ void y_kernel(Arrays<T> a, Wave<T> wave) {
    const Layout& l = a.layout;
    const int z = blockIdx.x * block.x + threadIdx.x, x = blockIdx.y * block.y + threadIdx.y,
              last = l.n[1] - 1;
    if (x >= l.n[0] || z >= l.n[2]) return;
    const T wave_ex = wave.e[0][z], wave_hx = wave.h[1][z];
    if (x > 0) {
        a.h.row(l, 2, x, 0)[z] = ghost_hz_at_y(T(-1), a.e.row(l, 0, x, 0)[z], wave_ex);
        a.h.row(l, 2, x, last + 1)[z] = ghost_hz_at_y(T(1), a.e.row(l, 0, x, last)[z], wave_ex);
    }
    if (z > 0) {
        a.h.row(l, 0, x, 0)[z] = ghost_hx_at_y(T(-1), a.e.row(l, 2, x, 0)[z], wave_hx);
        a.h.row(l, 0, x, last + 1)[z] = ghost_hx_at_y(T(1), a.e.row(l, 2, x, last)[z], wave_hx);
    }
}

template <class T>
__global__ void z_kernel(Arrays<T> a) {
    const Layout& l = a.layout;
    const int y = blockIdx.x * block.x + threadIdx.x, x = blockIdx.y * block.y + threadIdx.y,
              last = l.n[2] - 1;
    if (x >= l.n[0] || y >= l.n[1]) return;
    const T *const ex = a.e.row(l, 0, x, y), *const ey = a.e.row(l, 1, x, y);
    T *const hx = a.h.row(l, 0, x, y), *const hy = a.h.row(l, 1, x, y);
    if (x > 0) {
        hy[0] = ghost_hy_at_z(T(-1), ex[0]);
        hy[last + 1] = ghost_hy_at_z(T(1), ex[last]);
    }
    if (y > 0) {
        hx[0] = ghost_hx_at_z(T(-1), ey[0]);
        hx[last + 1] = ghost_hx_at_z(T(1), ey[last]);
    }
}

}  // namespace faces

template <class T>
void add_current_gpu(launch::Stream stream, const Arrays<T>& a, const Drive* drive) {
    launch::launch(stream, faces::shape(a.layout.n[1], a.layout.n[0]), faces::current_kernel<T>, a, drive);
}

template <class T>
void advance_wave_gpu(launch::Stream stream, const Wave<T>& wave, Drive* drive, const T* half, const T* node,
                      T dct) {
    constexpr unsigned threads = 512;
    launch::launch(stream, {{1, 1, 1}, {threads, 1, 1}}, faces::wave_kernel<T>, wave, drive, half, node, dct);
}

template <class T>
void set_ghosts_gpu(launch::Stream stream, const Arrays<T>& a, const Wave<T>& wave) {
    const int* const n = a.layout.n;
    launch::launch(stream, faces::shape(n[2], n[1]), faces::x_kernel<T>, a, wave);
    launch::launch(stream, faces::shape(n[2], n[0]), faces::y_kernel<T>, a, wave);
    launch::launch(stream, faces::shape(n[1], n[0]), faces::z_kernel<T>, a);
}

#define GRIDMARK_INSTANTIATE(T)                                                                    \
    template void add_current_gpu(launch::Stream, const Arrays<T>&, const Drive*);                 \
    template void advance_wave_gpu(launch::Stream, const Wave<T>&, Drive*, const T*, const T*, T); \
    template void set_ghosts_gpu(launch::Stream, const Arrays<T>&, const Wave<T>&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
