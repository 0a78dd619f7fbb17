#include "kernels/heat/blocking.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/heat/layout.hpp"

namespace gridmark::heat {
namespace {

/// The size of a part when `n` is cut into as few equal ones of at most `most` as it takes.
int even_part(int n, int most) {
    const int parts = (n + most - 1) / most;
    return (n + parts - 1) / parts;
}

/// The side of the largest cube that fits a cache, in steps of 4, at least 4.
int largest_cube(double cache_bytes, double value_bytes) {
    const auto bytes = [&](double side) {
        const double with_halo = side + 2 * halo;
        return value_bytes * (with_halo * with_halo * with_halo + 2 * side * side * side);
    };
    int side = 4;
    while (bytes(side + 4) <= cache_bytes)
        side += 4;
    return side;
}

/// A box cut into even parts of at most `most` a side, in steps of 4.
Extent even_cubes(const Extent& box, int most) {
    const auto side = [&](int n) { return std::min(most, round_up(even_part(n, most), 4)); };
    return {side(box.x), side(box.y), side(box.z)};
}

}  // namespace

Blocking cubes_of_the_thesis(const Problem& p, std::size_t value_bytes, const Caches& caches,
                             InnerLevel inner) {
    const auto most = [&](std::size_t cache) {
        return largest_cube(static_cast<double>(cache), static_cast<double>(value_bytes));
    };
    const Extent outer = even_cubes({p.nx, p.ny, p.nz}, most(caches.l3));
    return {outer, even_cubes(outer, most(inner == InnerLevel::l1 ? caches.l1 : caches.l2)), false};
}

Blocking choose_blocking(const Problem& p, std::size_t value_bytes, const Caches& caches, int threads) {
    const auto known = [](std::size_t size, std::size_t otherwise) {
        return static_cast<double>(size > 0 ? size : otherwise);
    };
    const double l1 = known(caches.l1, 32 << 10), l2 = known(caches.l2, 256 << 10),
                 l3 = known(caches.l3, 8 << 20);
    const auto bytes = static_cast<double>(value_bytes);
    const int line = static_cast<int>(64 / value_bytes);
    constexpr int arrays = 3, planes = 5, rows = 11, least_depth = 32;

    const double grid = arrays * bytes * static_cast<double>(p.points());
    const int longest = std::max(line, static_cast<int>(l1 / (rows * bytes)) / line * line);
    const int x = round_up(even_part(p.nx, longest), line);
    Extent outer{round_up(p.nx, line), p.ny, p.nz};
    if (grid > l3) {
        const int section = static_cast<int>(std::min(1e9, l3 / 2 / (arrays * bytes * outer.x)));
        outer.y = even_part(p.ny, std::max(1, section / std::min(least_depth, p.nz)));
        outer.z = even_part(p.nz, std::max(1, section / outer.y));
    }
    const int most = std::max(planes, static_cast<int>(l2 / 2 / (planes * x * bytes)) - 2 * halo);
    const int parts = round_up((outer.y + most - 1) / most, threads);
    const Extent inner{x, (outer.y + parts - 1) / parts, outer.z};
    return {outer, inner, grid > l3};
}

}  // namespace gridmark::heat
