#pragma once

#include <limits>

#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/gpu_pack.cuh"
#include "kernels/maxwell/whole_step.hpp"

/// How the blocks of a whole step share a grid. Each covers a tile of packs along z by rows along y over some
/// planes. The first pack, row and plane of a block are its rim, which the block before writes; so blocks
/// overlap by one in each direction. The grid's own first ones are nobody else's. Of a slab that does not
/// begin the grid, the plane before it is the rim.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

struct Tiling {
    int packs, rows, planes;        ///< of a block, with the rim
    int along_z, along_y, along_x;  ///< blocks

    int blocks() const { return along_z * along_y * along_x; }
    unsigned threads() const { return static_cast<unsigned>((packs * rows + 31) / 32 * 32); }
};

/// Blocks of that extent that cover n.
inline int blocks_along(int n, int extent) {
    return n <= extent ? 1 : 1 + (n - 2) / (extent - 1);
}

/// The first plane that a slab's blocks enter.
constexpr int with_rim(Slab slab) {
    return slab.first > 0 ? slab.first - 1 : 0;
}

template <class T>
Tiling make_tiling(const Layout& l, Slab slab, int packs, int rows, int planes) {
    return {packs,
            rows,
            planes,
            blocks_along((l.n[2] + pack_width<T> - 1) / pack_width<T>, packs),
            blocks_along(l.n[1], rows),
            blocks_along(slab.last - with_rim(slab), planes)};
}

/// Tiles of whole rows where a block can have them, else of equal parts that leave it a few rows. Each part
/// costs a rim, and so does each tile of rows. As many rows as a block may have, unless that leaves too few
/// blocks for a large GPU. The number of planes is the one with which the multiprocessors, which take blocks
/// in turns, end soonest. Each turn costs a rim and a start. Blocks are not equally fast, so the last one
/// ends late by a part of a block's time.
template <class T>
Tiling choose_tiling(const Layout& l, Slab slab, int most_threads, int most_planes, int multiprocessors) {
    constexpr int most_packs = 128, few_rows = 6, least_rows = 8, enough_blocks = 250, least_planes = 2,
                  start = 3, share_of_late = 10;
    const int packs = (l.n[2] + pack_width<T> - 1) / pack_width<T>;
    int wide = packs;
    for (int parts = 2; wide > most_packs || (wide < packs && most_threads / wide < few_rows); ++parts)
        wide = (packs + parts - 1) / parts + 1;
    int rows = min(l.n[1], most_threads / wide);
    while (rows > least_rows &&
           make_tiling<T>(l, slab, wide, rows, least_planes + 1).blocks() < enough_blocks)
        rows = max(least_rows, rows / 2);
    const int depth = slab.depth(), columns = make_tiling<T>(l, slab, wide, rows, depth + 1).blocks(),
              at_once = multiprocessors * (most_threads / (wide * rows));
    int best = least_planes, least_time = std::numeric_limits<int>::max();
    for (int planes = least_planes; planes <= min(depth, most_planes); ++planes) {
        const int parts = (depth + planes - 1) / planes, turns = (columns * parts + at_once - 1) / at_once,
                  time = (share_of_late * turns + 1) * (planes + 1 + start);
        if (time < least_time) best = planes, least_time = time;
    }
    return make_tiling<T>(l, slab, wide, rows, best + 1);
}

/// A thread's column: the node of its first value in the block's first plane. Columns beyond the grid take
/// the last one inside, but write nothing.
struct Column {
    int row, pack;  ///< in the tile
    int y, z;
    int first_x, end_x;
    int own_x;  ///< the first plane that is not the rim
    bool writes;
};

template <class T>
__device__ inline Column column(const Layout& l, const Tiling& t, Slab slab, int block, int thread) {
    const int row = thread / t.packs, pack = thread - row * t.packs;
    const int y = block / t.along_z % t.along_y * (t.rows - 1) + row;
    const int z = (block % t.along_z * (t.packs - 1) + pack) * pack_width<T>;
    const int x = with_rim(slab) + block / t.along_z / t.along_y * (t.planes - 1);
    const bool is_in_grid = row < t.rows && y < l.n[1] && z < l.n[2];
    return {row,
            pack,
            min(y, l.n[1] - 1),
            min(z, (l.n[2] - 1) / pack_width<T> * pack_width<T>),
            x,
            min(x + t.planes, slab.last),
            x == with_rim(slab) ? slab.first : x + 1,
            is_in_grid && (row > 0 || y == 0) && (pack > 0 || z == 0)};
}

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
