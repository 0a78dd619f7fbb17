#pragma once

#include <cstddef>
#include <vector>

#include "kernels/heat/blocking.hpp"
#include "kernels/heat/layout.hpp"

namespace gridmark::heat {

/// How cpu_wavefront cuts the grid: tiles of that many points (the last of an axis may be smaller), each
/// taken through so many steps by one thread. A tile is a multiple of 64 bytes wide, or as wide as the grid,
/// and its depth is even. Streaming as in Blocking.
struct Wavefront {
    int steps;
    Extent tile;
    bool streaming;
};

/// The tile of that size, or the next larger one that a Wavefront may have; none larger than the grid.
Extent possible_tile(const Problem& problem, const Extent& tile, std::size_t value_bytes);

/// Planes are computed in pairs.
inline constexpr int planes_at_once = 2;

/// What a tile keeps between its steps, in values: `pitch` a row, `rows` a plane, `plane` from a plane to the
/// next (an odd number of cache lines, so that the planes of a point lie in different sets), planes in all.
struct TileRoom {
    int rim;  ///< points left and right of the tile that are computed too: whole lines; 0 for whole rows
    int pitch, rows;
    std::size_t plane, planes;

    std::size_t size() const { return plane * planes; }
};
TileRoom tile_room(const Problem& problem, const Wavefront& wavefront, std::size_t value_bytes);

/// Points that all tiles together compute in a pass, and the points of `now` that they read: rims count in
/// every tile that has them.
struct PassPoints {
    double computed, read;
};
PassPoints pass_points(const Problem& problem, const Wavefront& wavefront, std::size_t value_bytes);

/// The tiles for so many steps. Whole rows, which the memory streams best, or parts of them where 12 rows
/// would not fit. Of the tiles that fit (their room and the planes of `now` under work fill at most 85 % of
/// the L2) those with the fewest points to read and compute for the thread that has the most, where at the
/// end of a pass a thread waits half a tile's time for the others.
Wavefront choose_wavefront(const Problem& problem, std::size_t value_bytes, const Caches& caches, int threads,
                           int steps);

}  // namespace gridmark::heat
