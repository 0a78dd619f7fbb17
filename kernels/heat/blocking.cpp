#include "kernels/heat/blocking.hpp"

#include <algorithm>
#include <cmath>

namespace gridmark::heat {
namespace {

/// `n` cut into as few equal parts of at most `most` as it takes; a part's size is a multiple of `unit`.
int even_part(int n, int most, int unit) {
    most = std::max(most / unit * unit, unit);
    const int parts = (n + most - 1) / most;
    const int part = (n + parts - 1) / parts;
    return (part + unit - 1) / unit * unit;
}

}  // namespace

Blocking choose_blocking(const Problem& p, std::size_t value_bytes, const Caches& caches) {
    const std::size_t l1 = caches.l1 > 0 ? caches.l1 : 32 << 10, l3 = caches.l3 > 0 ? caches.l3 : 8 << 20;
    const int line = static_cast<int>(64 / value_bytes);
    const auto bytes = static_cast<double>(value_bytes);

    const int cube = std::max(line, static_cast<int>(std::cbrt(static_cast<double>(l3) / 2 / (3 * bytes))));
    const Extent outer{even_part(p.nx, cube, line), even_part(p.ny, cube, 1), even_part(p.nz, cube, 1)};

    const int x = even_part(outer.x, 16 * line, line);
    constexpr int planes = 5;  // of temperature under the star
    const int rows = static_cast<int>(static_cast<double>(l1) / (planes * x * bytes)) - 4;
    const Extent inner{x, even_part(outer.y, std::max(rows, 4), 1), outer.z};
    return {outer, inner, 3 * bytes * static_cast<double>(p.points()) > static_cast<double>(l3)};
}

}  // namespace gridmark::heat
