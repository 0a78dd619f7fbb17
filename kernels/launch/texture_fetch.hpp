#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/texture.hpp"

/// fetch(): the value of a 3-D texture at a point, for kernels.
namespace gridmark::launch {
inline namespace GRIDMARK_EXECUTOR {

#if defined(GRIDMARK_HOST_EXECUTOR)

template <class T>
inline T fetch(const Texture3View<T>& texture, int x, int y, int z) {
    const auto clamped = [](int i, int n) { return static_cast<std::size_t>(i < 0 ? 0 : i < n ? i : n - 1); };
    const std::size_t row = clamped(y, texture.ny) + clamped(z, texture.nz) * texture.ny;
    return texture.data[clamped(x, texture.nx) + row * texture.nx];
}

#else

// An integral coordinate names its point exactly: the point filter takes the floor.
__device__ inline float fetch(const Texture3View<float>& texture, int x, int y, int z) {
    return tex3D<float>(texture.object, static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
}

__device__ inline double fetch(const Texture3View<double>& texture, int x, int y, int z) {
    const int2 halves =
        tex3D<int2>(texture.object, static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
    return __hiloint2double(halves.y, halves.x);
}

#endif

}  // namespace GRIDMARK_EXECUTOR
}  // namespace gridmark::launch
