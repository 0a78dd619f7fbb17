#pragma once

#include <cstddef>

#include "kernels/heat/problem.hpp"

namespace gridmark::heat {

/// The data caches of a CPU in bytes; 0 where one is absent or unknown. L1 and L2 belong to a core, L3 to
/// all.
struct Caches {
    std::size_t l1, l2, l3;
};

/// How the blocked CPU versions cut the grid: outer blocks one after another, inner blocks shared by the
/// threads. Streaming stores bypass the caches, which saves reading the lines that are about to be
/// overwritten, and pays where the new temperature would be evicted before the next step anyway.
struct Blocking {
    Extent outer, inner;
    bool streaming;
};

/// Blocks from the machine's caches. Outer: cubes whose three arrays (temperature, beta, new temperature)
/// fill at most half of the L3. Inner: rows of at most 1 KiB, in y so many that the five planes of
/// temperature under the star fit the L1, in z as deep as the outer block (marching along z, each plane is
/// then loaded once). Streaming where the three arrays of the whole grid exceed the L3. Source: thesis,
/// section 4.6.5; it gives no sizes.
Blocking choose_blocking(const Problem& problem, std::size_t value_bytes, const Caches& caches);

}  // namespace gridmark::heat
