#pragma once

#include <cstddef>

#include "kernels/isa.hpp"
namespace gridmark::pyramid {

/// Tiles side by side in a batch: each is a lane of its vectors.
constexpr int lanes = 16;

/// `lanes` tiles of `length` values each, from f[first] on, with `reach` values more read at either side.
/// `scratch` is (length + 2 reach) * lanes values.
template <class T>
struct TileBatch {
    const T* f;
    T* x;
    T* scratch;
    std::ptrdiff_t first;
    int length, reach;
    T lambda, scale;
};

}  // namespace gridmark::pyramid

/// A batch whose tiles and their surroundings lie within the rod, once per instruction set (cpu_tiles.cpp).
#define GRIDMARK_DECLARE_TILES(ISA)                    \
    namespace gridmark::pyramid::ISA {                 \
    void tiles_float(const TileBatch<float>& batch);   \
    void tiles_double(const TileBatch<double>& batch); \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_TILES)
#undef GRIDMARK_DECLARE_TILES
