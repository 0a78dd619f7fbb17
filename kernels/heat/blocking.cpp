#include "kernels/heat/blocking.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/heat/layout.hpp"

namespace gridmark::heat {
namespace {

int round_up(int n, int to) {
    return (n + to - 1) / to * to;
}

/// The size of a part when `n` is cut into as few equal ones of at most `most` as it takes.
int even_part(int n, int most) {
    const int parts = (n + most - 1) / most;
    return (n + parts - 1) / parts;
}

}  // namespace

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
