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

/// The caches of the thesis's Core i7-920. Source: thesis, Table 4.1.
constexpr Caches caches_of_the_thesis{32 << 10, 256 << 10, 8 << 20};

/// For which cache the thesis's inner cubes are.
enum class InnerLevel { l1, l2 };

/// Blocks as the thesis describes them: cubes that fit the L3 whole, in them cubes that fit the L1 (section
/// 4.6.5) or the L2 (section 4.6.7). Of a cube the temperature with its halo, beta and the new temperature
/// must fit. Sides are cut evenly and rounded up to 4 values, SSE's alignment; no streaming stores.
Blocking cubes_of_the_thesis(const Problem& problem, std::size_t value_bytes, const Caches& caches,
                             InnerLevel inner);

}  // namespace gridmark::heat
