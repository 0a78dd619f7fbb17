#include "kernels/heat/problem.hpp"

#include <cmath>
#include <stdexcept>

#include "kernels/heat/layout.hpp"

namespace gridmark::heat {

Problem tissue(int nx, int ny, int nz) {
    return tissue(nx, ny, nz, 1e-4, {1e-3, 1e-3, 1e-3}, 37.0);
}

Problem tissue(int nx, int ny, int nz, double dt, const Spacing& d, double boundary) {
    if (nx < 1 || ny < 1 || nz < 1) throw std::invalid_argument("nx, ny and nz must be at least 1");
    const auto stored = [](int n) { return static_cast<double>(n) + most_padding; };
    if (stored(nx) * stored(ny) * stored(nz) >= 0x1p31)
        throw std::invalid_argument("nx * ny * nz with its padding must be below 2^31");
    if (!(dt > 0) || !std::isfinite(dt)) throw std::invalid_argument("dt must be positive");
    const auto possible = [](double dx) { return dx > 0 && std::isnormal(1 / (dx * dx)); };
    if (!possible(d.x) || !possible(d.y) || !possible(d.z))
        throw std::invalid_argument("dx, dy and dz must be positive");
    if (!std::isfinite(boundary)) throw std::invalid_argument("boundary must be finite");
    return {nx, ny, nz, dt, d.x, d.y, d.z, boundary};
}

}  // namespace gridmark::heat
