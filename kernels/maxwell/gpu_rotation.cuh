#pragma once

#include "kernels/maxwell/gpu_pack.cuh"
#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

constexpr int along_z = 2;

/// The inverse spacings that a pack of values needs: one along x, one along y, and along z one for each.
template <class T>
struct Inverse {
    T x, y;
    Pack<T> z;
};

/// Along an axis, for value i of the pack.
template <int axis, class T>
__device__ inline T along(const Inverse<T>& inverse, int i) {
    if constexpr (axis == along_z) return inverse.z.at[i];
    return axis == 0 ? inverse.x : inverse.y;
}

/// Component c of a rotation from packs of its components before(c) and next(c): see scheme.hpp.
template <int c, class T>
__device__ inline Pack<T> rotations(const Inverse<T>& inverse, const Pack<T>& b_low, const Pack<T>& b_high,
                                    const Pack<T>& a_low, const Pack<T>& a_high) {
    Pack<T> result;
    for (int i = 0; i < pack_width<T>; ++i)
        result.at[i] = rotation(b_low.at[i], b_high.at[i], along<next(c)>(inverse, i), a_low.at[i],
                                a_high.at[i], along<before(c)>(inverse, i));
    return result;
}

/// Spacings along z beside a pack that begins at z.
template <class T>
__device__ inline Pack<T> load_spacings(const T* inverse, int z, int n) {
    Pack<T> result;
    for (int i = 0; i < pack_width<T>; ++i)
        result.at[i] = z + i < n ? __ldg(inverse + z + i) : T(0);
    return result;
}

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
