// Tiles of cpu_openmp, compiled once per instruction set (GRIDMARK_ISA names its namespace).
#include "kernels/pyramid/cpu_tiles.hpp"

namespace gridmark::pyramid::GRIDMARK_ISA {

// A lane is a tile: the recurrences run along the tile, and lanes do not depend on each other.
template <class T>
static inline void tiles(const TileBatch<T>& batch) {
    const TileBatch<T> b = batch;
    const int size = b.length + 2 * b.reach;
    const T* const f = b.f + b.first - b.reach;
    T y[lanes] = {};
    for (int i = 0; i < size; ++i) {
        T* const at = b.scratch + static_cast<std::ptrdiff_t>(i) * lanes;
#pragma omp simd
        for (int lane = 0; lane < lanes; ++lane)
            at[lane] = y[lane] = f[static_cast<std::ptrdiff_t>(lane) * b.length + i] + b.lambda * y[lane];
    }
    T* const x = b.x + b.first - b.reach;
    T z[lanes] = {};
    for (int i = size - 1; i >= b.reach; --i) {
        const T* const at = b.scratch + static_cast<std::ptrdiff_t>(i) * lanes;
#pragma omp simd
        for (int lane = 0; lane < lanes; ++lane)
            z[lane] = at[lane] + b.lambda * z[lane];
        if (i >= size - b.reach) continue;
#pragma omp simd
        for (int lane = 0; lane < lanes; ++lane)
            x[static_cast<std::ptrdiff_t>(lane) * b.length + i] = b.scale * z[lane];
    }
}

void tiles_float(const TileBatch<float>& batch) {
    tiles(batch);
}

void tiles_double(const TileBatch<double>& batch) {
    tiles(batch);
}

}  // namespace gridmark::pyramid::GRIDMARK_ISA
