#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/streaming.hpp"
#include "kernels/maxwell/scheme.hpp"

/// Neighbours along z as one 16-byte word: four floats or two doubles are loaded and stored at once.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

template <class T>
using Pack = launch::Vector<T>;
template <class T>
constexpr int pack_width = Pack<T>::width;

/// Rows begin at multiples of 16 bytes, and their padding holds what no pack must care about.
template <class T>
__device__ inline Pack<T> load(const T* from) {
    return *reinterpret_cast<const Pack<T>*>(from);
}
template <class T>
__device__ inline void store(T* to, const Pack<T>& pack) {
    *reinterpret_cast<Pack<T>*>(to) = pack;
}

/// The values one further along z, the last of which is `behind`.
template <class T>
__device__ inline Pack<T> further(const Pack<T>& pack, T behind) {
    Pack<T> moved;
    for (int i = 0; i + 1 < pack_width<T>; ++i)
        moved.at[i] = pack.at[i + 1];
    moved.at[pack_width<T> - 1] = behind;
    return moved;
}
/// The values one back along z, the first of which is `ahead`.
template <class T>
__device__ inline Pack<T> back(const Pack<T>& pack, T ahead) {
    Pack<T> moved;
    for (int i = 1; i < pack_width<T>; ++i)
        moved.at[i] = pack.at[i - 1];
    moved.at[0] = ahead;
    return moved;
}

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
