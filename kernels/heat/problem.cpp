#include "kernels/heat/problem.hpp"

#include <cmath>
#include <stdexcept>

#include "kernels/heat/layout.hpp"

namespace gridmark::heat {
namespace {

constexpr double thesis_dt = 1e-4, thesis_boundary = 37;
constexpr Spacing thesis_spacing{1e-3, 1e-3, 1e-3};

}  // namespace

Problem tissue(int nx, int ny, int nz) {
    return tissue(nx, ny, nz, thesis_dt, thesis_spacing, thesis_boundary);
}

Problem tissue(int nx, int ny, int nz, double dt, const Spacing& d, double boundary) {
    const auto stored = [](int n) { return static_cast<double>(n) + most_padding; };
    if (nx >= 1 && ny >= 1 && nz >= 1 && stored(nx) * stored(ny) * stored(nz) >= 0x1p31)
        throw std::invalid_argument("nx * ny * nz with its padding must be below 2^31");
    return tissue_among_ranks(nx, ny, nz, dt, d, boundary);
}

Problem tissue_among_ranks(int nx, int ny, int nz) {
    return tissue_among_ranks(nx, ny, nz, thesis_dt, thesis_spacing, thesis_boundary);
}

Problem tissue_among_ranks(int nx, int ny, int nz, double dt, const Spacing& d, double boundary) {
    if (nx < 1 || ny < 1 || nz < 1) throw std::invalid_argument("nx, ny and nz must be at least 1");
    if (!(dt > 0) || !std::isfinite(dt)) throw std::invalid_argument("dt must be positive");
    const auto possible = [](double dx) { return dx > 0 && std::isnormal(1 / (dx * dx)); };
    if (!possible(d.x) || !possible(d.y) || !possible(d.z))
        throw std::invalid_argument("dx, dy and dz must be positive");
    if (!std::isfinite(boundary)) throw std::invalid_argument("boundary must be finite");
    return {nx, ny, nz, dt, d.x, d.y, d.z, boundary};
}

}  // namespace gridmark::heat
