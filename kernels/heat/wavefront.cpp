#include "kernels/heat/wavefront.hpp"

#include <algorithm>

namespace gridmark::heat {
namespace {

int parts(int n, int size) {
    return (n + size - 1) / size;
}

/// Points between a tile's edge and where its first step begins: two for each of the later steps.
int reach(const Wavefront& w) {
    return halo * (w.steps - 1);
}

}  // namespace

Extent possible_tile(const Problem& p, const Extent& tile, std::size_t value_bytes) {
    return {round_up(std::min(tile.x, p.nx), static_cast<int>(64 / value_bytes)), std::min(tile.y, p.ny),
            round_up(std::min(tile.z, p.nz), planes_at_once)};
}

TileRoom tile_room(const Problem& p, const Wavefront& w, std::size_t value_bytes) {
    const int line = static_cast<int>(64 / value_bytes);
    const int rim = w.tile.x < p.nx ? round_up(reach(w), line) : 0;
    TileRoom room{rim, line + round_up(w.tile.x + 2 * rim, line) + line, w.tile.y + 2 * (reach(w) + halo), 0,
                  0};
    room.plane = static_cast<std::size_t>(room.pitch) * room.rows;
    if (room.plane / line % 2 == 0) room.plane += line;
    // Three pairs of every level between; beta of as many pairs as there are steps; a wall.
    const int planes = 3 * planes_at_once * (w.steps - 1) + planes_at_once * w.steps + 1;
    room.planes = static_cast<std::size_t>(planes);
    return room;
}

PassPoints pass_points(const Problem& p, const Wavefront& w, std::size_t value_bytes) {
    // The points of all tiles along an axis, each with a rim where the grid goes on.
    const auto along = [](int n, int tile, int rim) {
        int sum = 0;
        for (int begin = 0; begin < n; begin += tile)
            sum += std::min(n, begin + tile + rim) - std::max(0, begin - rim);
        return static_cast<double>(sum);
    };
    const int rim_x = tile_room(p, w, value_bytes).rim;
    const auto of_level = [&](int level) {
        const int rim = halo * (w.steps - level);
        return along(p.nx, w.tile.x, level < w.steps ? rim_x : 0) * along(p.ny, w.tile.y, rim) *
               along(p.nz, w.tile.z, rim);
    };
    PassPoints points{0, of_level(0)};
    for (int level = 1; level <= w.steps; ++level)
        points.computed += of_level(level);
    return points;
}

Wavefront choose_wavefront(const Problem& p, std::size_t value_bytes, const Caches& caches, int threads,
                           int steps) {
    constexpr int source_planes = planes_at_once + 2 * halo, least_rows = 12, least_side = 8,
                  least_width = 64;
    const int line = static_cast<int>(64 / value_bytes);
    const auto known = [](std::size_t size, std::size_t otherwise) {
        return static_cast<double>(size > 0 ? size : otherwise);
    };
    const auto bytes = static_cast<double>(value_bytes);
    const auto fits = [&](const Wavefront& w) {
        const TileRoom room = tile_room(p, w, value_bytes);
        const double planes = static_cast<double>(room.planes + source_planes);
        return bytes * static_cast<double>(room.plane) * planes <= 0.85 * known(caches.l2, 256 << 10);
    };

    Wavefront w{steps, {round_up(p.nx, line), std::min(p.ny, least_rows), planes_at_once}, false};
    w.streaming = 3 * bytes * static_cast<double>(p.points()) > known(caches.l3, 8 << 20);
    for (int count = 2; !fits(w) && w.tile.x > least_width; ++count)
        w.tile.x = std::max(least_width, round_up(parts(p.nx, count), line));
    while (!fits(w) && w.tile.y > 1)
        --w.tile.y;

    Wavefront best = w;
    double least = 0;
    for (int y = 1; y == 1 || parts(p.ny, y) >= least_side; ++y)
        for (int z = 1; z == 1 || parts(p.nz, z) >= least_side; ++z) {
            w.tile = {w.tile.x, parts(p.ny, y), round_up(parts(p.nz, z), planes_at_once)};
            if (!fits(w)) continue;
            const double tiles =
                static_cast<double>(parts(p.nx, w.tile.x)) * parts(p.ny, w.tile.y) * parts(p.nz, w.tile.z);
            const PassPoints points = pass_points(p, w, value_bytes);
            const double of_a_tile = (points.computed + points.read) / tiles;
            const double of_a_thread = of_a_tile * (std::max(1.0, tiles / threads) + 0.5);
            if (least > 0 && of_a_thread >= least) continue;
            least = of_a_thread;
            best = w;
        }
    return best;
}

}  // namespace gridmark::heat
