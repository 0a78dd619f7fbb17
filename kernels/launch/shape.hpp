#pragma once

#include <cstddef>
#include <cstdint>

namespace gridmark::launch {

/// Three sizes or three indices, as CUDA's dim3, without a CUDA header.
struct Dim3 {
    unsigned x = 1;
    unsigned y = 1;
    unsigned z = 1;

    bool operator==(const Dim3&) const = default;
};

/// The product of the three sizes.
constexpr std::uint64_t volume(const Dim3& size) {
    return std::uint64_t{size.x} * size.y * size.z;
}

/// Blocks in the grid, threads in a block, and bytes of dynamic shared memory of each block.
struct Shape {
    Dim3 grid;
    Dim3 block;
    std::size_t shared_bytes = 0;
};

/// Shared memory that a block gets without asking, and the most that one can ask for (compute
/// capability 9.0).
inline constexpr std::size_t default_shared_limit = 48 * 1024;
inline constexpr std::size_t largest_shared_limit = 227 * 1024;

/// Throws Error if no CUDA device could run this shape, whatever its kernel. Says which limit is broken,
/// where CUDA would only say "invalid configuration argument".
void check_geometry(const Shape& shape);

/// Throws Error if the grid has more blocks than the `resident` ones that fit at once.
void check_resident(const Shape& shape, int resident);

}  // namespace gridmark::launch
