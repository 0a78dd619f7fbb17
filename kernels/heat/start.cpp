#include "kernels/heat/start.hpp"

#include <cmath>

#include "kernels/random.hpp"

namespace gridmark::heat {
namespace {

constexpr std::uint64_t beta_stream = 0x62657461;

/// Calls f(index, x, y, z) for every interior point; x, y and z run from -1 to 1 across the box.
template <class F>
void for_each_point(const Problem& p, F f) {
    const auto across = [](int i, int n) { return (2 * i + 1.0) / n - 1; };
#pragma omp parallel for schedule(static)
    for (int k = 0; k < p.nz; ++k)
        for (int j = 0; j < p.ny; ++j)
            for (int i = 0; i < p.nx; ++i)
                f(i + p.nx * (j + static_cast<std::size_t>(p.ny) * k), across(i, p.nx), across(j, p.ny),
                  across(k, p.nz));
}

/// How far a point lies from an ellipsoid's centre, in units of its half axes.
double distance(double x, double y, double z, double cx, double cy, double cz, double ax, double ay,
                double az) {
    const double dx = (x - cx) / ax, dy = (y - cy) / ay, dz = (z - cz) / az;
    return std::sqrt(dx * dx + dy * dy + dz * dz);
}

/// lambda / (rho C) in W/m/K, kg/m^3 and J/kg/K.
constexpr double diffusivity(double lambda, double rho, double c) {
    return lambda / (rho * c);
}

double tissue_at(double x, double y, double z) {
    if (distance(x, y, 0, 0.45, 0.35, 0, 0.08, 0.08, 1) < 1) return diffusivity(0.52, 1050, 3617);  // blood
    if (distance(x, y, z, -0.4, -0.35, 0.1, 0.18, 0.18, 0.7) < 1)
        return diffusivity(0.32, 1908, 1313);                                                      // bone
    if (distance(x, y, z, 0.1, 0.1, 0, 0.5, 0.4, 0.55) < 1) return diffusivity(0.52, 1079, 3540);  // organ
    if (z > 0.92) return diffusivity(0.37, 1109, 3391);                                            // skin
    if (z > 0.75) return diffusivity(0.21, 911, 2348);                                             // fat
    return diffusivity(0.49, 1090, 3421);                                                          // muscle
}

}  // namespace

template <class T>
Start<T> phantom(const Problem& p, std::uint64_t seed) {
    Start<T> start{std::vector<T>(p.points()), std::vector<T>(p.points())};
    for_each_point(p, [&](std::size_t at, double x, double y, double z) {
        const double r = distance(x, y, z, 0.1, 0.1, 0.05, 0.12, 0.12, 0.3);
        start.t0[at] = static_cast<T>(p.boundary + 26 * std::exp(-r * r));
        const double varied = 0.95 + 0.1 * unit_random(seed ^ beta_stream, at);
        start.beta[at] = static_cast<T>(tissue_at(x, y, z) * varied);
    });
    return start;
}

template <class T>
Start<T> random_start(const Problem& p, std::uint64_t seed, double r) {
    Start<T> start{std::vector<T>(p.points()), std::vector<T>(p.points())};
    const double most = r / step_ratio(p, 1);
    for_each_point(p, [&](std::size_t at, double, double, double) {
        start.t0[at] = static_cast<T>(p.boundary + 40 * (unit_random(seed, at) - 0.5));
        start.beta[at] = static_cast<T>(most * (0.2 + 0.8 * unit_random(seed ^ beta_stream, at)));
    });
    return start;
}

template Start<float> phantom(const Problem&, std::uint64_t);
template Start<double> phantom(const Problem&, std::uint64_t);
template Start<float> random_start(const Problem&, std::uint64_t, double);
template Start<double> random_start(const Problem&, std::uint64_t, double);

}  // namespace gridmark::heat
