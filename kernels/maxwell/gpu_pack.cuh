#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/vector.hpp"

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

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
