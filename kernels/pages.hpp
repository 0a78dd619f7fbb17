#pragma once

#include <cstddef>

namespace gridmark {

/// Least size of an array that gets pages of its own.
inline constexpr std::size_t least_paged_bytes = 8 << 10;

/// Memory for one array, on pages of 2 MiB where the system grants them, and at a distance from every array
/// before it that does not depend on chance: the same kernel on arrays that lie otherwise takes up to twice
/// the time (rows of two arrays in one set of the cache, loads that wait for a store 4 KiB away), and two
/// variants that are compared must not differ by that. Aligned to a cache line, uninitialised.
/// @throws std::bad_alloc
void* allocate_pages(std::size_t bytes);

/// Gives back what allocate_pages(bytes) returned.
void free_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace gridmark
