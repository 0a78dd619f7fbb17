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

/// Blocks from the machine's caches, for so many threads. Outer: the whole grid where temperature, beta and
/// new temperature fit the L3; else whole rows, at least 32 planes deep, in y and then in z as many as fill
/// half of it. Inner: rows so long that the 11 under work fit the L1 (nine of temperature, beta, the new
/// temperature), in y so many that five planes of them fill at most half of the L2, so that marching along z
/// loads each plane once, and a number of blocks that the threads share evenly. Streaming where the grid
/// exceeds the L3. Whole rows, because prefetchers follow them: cubes that cut them took twice as long.
/// Source: thesis, section 4.6.5; it gives no sizes.
Blocking choose_blocking(const Problem& problem, std::size_t value_bytes, const Caches& caches, int threads);

}  // namespace gridmark::heat
