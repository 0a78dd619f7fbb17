// One kernel for each field. A thread computes all three components of 16 bytes of a row. So each component
// of the other field is read once, and its neighbours come from the caches. In float that is 108 instead of
// 132 bytes a cell and step. Words of 16 bytes keep enough loads on their way to fill the memory's bandwidth;
// single values do not.
#include "kernels/maxwell/chains.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/gpu_pack.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace fused {

constexpr launch::Dim3 block{32, 4, 1};
/// A thread's place: the first of its values, and the inverse spacings there.
template <class T>
struct Place {
    int x, y, z;
    Inverse<T> inverse;
};

/// Component c of E a step later; slots that no half step updates keep what they hold.
template <int c, class T>
__device__ inline Pack<T> e_later(const Arrays<T>& arrays, const Place<T>& at, const Pack<T>& b_low,
                                  const Pack<T>& b_high, const Pack<T>& a_low, const Pack<T>& a_high) {
    const Layout& l = arrays.layout;
    const Pack<T> eps = load(arrays.eps.row(l, c, at.x, at.y) + at.z);
    const Pack<T> sigma = load(arrays.sigma.row(l, c, at.x, at.y) + at.z);
    Pack<T> e = load(arrays.e.row(l, c, at.x, at.y) + at.z);
    const Pack<T> rot = rotations<c>(at.inverse, b_low, b_high, a_low, a_high);
    for (int i = 0; i < pack_width<T>; ++i) {
        if (at.z + i >= first_e(c, along_z) && at.z + i < l.n[along_z])
            e.at[i] = next_e(e.at[i], rot.at[i], eps.at[i], sigma.at[i], arrays.dct);
    }
    return e;
}

/// Component c of H a step later.
template <int c, class T>
__device__ inline Pack<T> h_later(const Arrays<T>& arrays, const Place<T>& at, const Pack<T>& b_low,
                                  const Pack<T>& b_high, const Pack<T>& a_low, const Pack<T>& a_high) {
    const Layout& l = arrays.layout;
    const Pack<T> mu = load(arrays.mu.row(l, c, at.x, at.y) + at.z);
    Pack<T> h = load(arrays.h.row(l, c, at.x, at.y) + at.z);
    const Pack<T> rot = rotations<c>(at.inverse, b_low, b_high, a_low, a_high);
    for (int i = 0; i < pack_width<T>; ++i) {
        if (at.z + i >= first_h(c, along_z) && at.z + i < l.n[along_z])
            h.at[i] = next_h(h.at[i], rot.at[i], mu.at[i], arrays.dct);
    }
    return h;
}

template <class T>
__device__ inline Place<T> place(const Layout& l, const T* const (&spacings)[3], int x0) {
    Place<T> at;
    at.x = x0 + blockIdx.z;
    at.y = blockIdx.y * block.y + threadIdx.y;
    at.z = (blockIdx.x * block.x + threadIdx.x) * pack_width<T>;
    at.inverse = {__ldg(spacings[0] + at.x), at.y < l.n[1] ? __ldg(spacings[1] + at.y) : T(0),
                  load_spacings(spacings[along_z], at.z, l.n[along_z])};
    return at;
}

template <class T>
__global__ void __launch_bounds__(block.x* block.y) e_kernel(Arrays<T> arrays, int x0) {
    const Layout& l = arrays.layout;
    const Place<T> at = place(l, arrays.half, x0);
    const auto [x, y, z, inverse] = at;
    if (y >= l.n[1] || z >= l.n[along_z]) return;
    const T* const h = arrays.h.row(l, 0, x, y) + z;
    const Pack<T> hx = load(h), hx_y = load(arrays.h.row(l, 0, x, y + 1) + z);
    const Pack<T> hx_z = further(hx, h[pack_width<T>]);
    const T* const k = arrays.h.row(l, 1, x, y) + z;
    const Pack<T> hy = load(k), hy_x = load(arrays.h.row(l, 1, x + 1, y) + z);
    const Pack<T> hy_z = further(hy, k[pack_width<T>]);
    const Pack<T> hz = load(arrays.h.row(l, 2, x, y) + z), hz_x = load(arrays.h.row(l, 2, x + 1, y) + z),
                  hz_y = load(arrays.h.row(l, 2, x, y + 1) + z);
    // All loads before the first store: the compiler cannot know that no two arrays overlap.
    Pack<T> ex, ey;
    if (x > 0) ex = e_later<0>(arrays, at, hz, hz_y, hy, hy_z);
    if (y > 0) ey = e_later<1>(arrays, at, hx, hx_z, hz, hz_x);
    const Pack<T> ez = e_later<2>(arrays, at, hy, hy_x, hx, hx_y);
    if (x > 0) store(arrays.e.row(l, 0, x, y) + z, ex);
    if (y > 0) store(arrays.e.row(l, 1, x, y) + z, ey);
    store(arrays.e.row(l, 2, x, y) + z, ez);
}

template <class T>
__global__ void __launch_bounds__(block.x* block.y) h_kernel(Arrays<T> arrays, int x0) {
    const Layout& l = arrays.layout;
    const Place<T> at = place(l, arrays.node, x0);
    const auto [x, y, z, inverse] = at;
    if (y >= l.n[1] || z >= l.n[along_z]) return;
    // What lies before the first node is not used; these indices only keep off it.
    const int x_low = x > 0 ? x - 1 : 0, y_low = y > 0 ? y - 1 : 0, one_back = z > 0 ? -1 : 0;
    const T* const e = arrays.e.row(l, 0, x, y) + z;
    const Pack<T> ex = load(e), ex_y = load(arrays.e.row(l, 0, x, y_low) + z);
    const Pack<T> ex_z = back(ex, e[one_back]);
    const T* const f = arrays.e.row(l, 1, x, y) + z;
    const Pack<T> ey = load(f), ey_x = load(arrays.e.row(l, 1, x_low, y) + z);
    const Pack<T> ey_z = back(ey, f[one_back]);
    const Pack<T> ez = load(arrays.e.row(l, 2, x, y) + z), ez_x = load(arrays.e.row(l, 2, x_low, y) + z),
                  ez_y = load(arrays.e.row(l, 2, x, y_low) + z);
    Pack<T> hx, hy, hz;
    if (y > 0) hx = h_later<0>(arrays, at, ez_y, ez, ey_z, ey);
    if (x > 0) hy = h_later<1>(arrays, at, ex_z, ex, ez_x, ez);
    if (x > 0 && y > 0) hz = h_later<2>(arrays, at, ey_x, ey, ex_y, ex);
    if (y > 0) store(arrays.h.row(l, 0, x, y) + z, hx);
    if (x > 0) store(arrays.h.row(l, 1, x, y) + z, hy);
    if (x > 0 && y > 0) store(arrays.h.row(l, 2, x, y) + z, hz);
}

template <class T>
launch::Shape shape(const Arrays<T>& arrays, int x0, int x1) {
    const auto blocks = [](int n, unsigned by) { return (static_cast<unsigned>(n) + by - 1) / by; };
    return {{blocks(arrays.layout.n[along_z], block.x * pack_width<T>), blocks(arrays.layout.n[1], block.y),
             static_cast<unsigned>(x1 - x0)},
            block};
}

template <class T>
void advance_e(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch::launch(stream, shape(arrays, x0, x1), e_kernel<T>, arrays, x0);
}

template <class T>
void advance_h(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch::launch(stream, shape(arrays, x0, x1), h_kernel<T>, arrays, x0);
}

template <class T>
std::optional<launch::KernelInfo> info(const Layout&) {
    return launch::kernel_info(e_kernel<T>, block.x * block.y);
}

/// A kernel of E, which moves fifteen values a cell, and one of H, which moves twelve.
template <class T>
std::vector<launch::Demand> demand(int nx, int ny, int nz, const launch::Chip&) {
    const double cells = static_cast<double>(nx) * ny * nz,
                 blocks = launch::pieces(nz, block.x * pack_width<T>) * launch::pieces(ny, block.y) * nx;
    const auto one = [&](std::string_view kernel, double values) {
        return launch::Demand{.blocks = blocks,
                              .block_threads = block.x * block.y,
                              .memory_bytes = cells * values * sizeof(T),
                              .units = {cells, blocks},
                              .kernel = kernel,
                              .code_share = 1,
                              .chain = chains::half_step};
    };
    return {one("e_kernel", 15), one("h_kernel", 12)};
}

}  // namespace fused

template <class T>
GpuVariant<T> gpu_in_core_fused() {
    return {.name = "gpu_in_core_fused",
            .launches = 2,
            .values_per_cell = values_fused,
            .advance_e = fused::advance_e<T>,
            .advance_h = fused::advance_h<T>,
            .info = fused::info<T>,
            .demand = fused::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_in_core_fused);

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
