#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/gpu_rotation.cuh"

/// One value of a component as a kernel computes it.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

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

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
