#include "kernels/heat/start.hpp"

#include <cmath>

#include "kernels/random.hpp"

namespace gridmark::heat {
namespace {

constexpr std::uint64_t beta_stream = 0x62657461;

std::size_t index_of(const Problem& p, int i, int j, int k) {
    return i + p.nx * (j + static_cast<std::size_t>(p.ny) * k);
}

/// From -1 to 1 across the box.
double across(int i, int n) {
    return (2 * i + 1.0) / n - 1;
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

/// Largest beta whose step_ratio is at most r.
double most_beta(const Problem& p, double r) {
    return r / step_ratio(p, 1);
}

template <class T>
StartPoint<T> random_point(const Problem& p, std::uint64_t seed, double most, int i, int j, int k) {
    const std::size_t at = index_of(p, i, j, k);
    return {static_cast<T>(p.boundary + 40 * (unit_random(seed, at) - 0.5)),
            static_cast<T>(most * (0.2 + 0.8 * unit_random(seed ^ beta_stream, at)))};
}

/// The start whose point (i, j, k) is point(i, j, k).
template <class T, class Point>
Start<T> whole(const Problem& p, const Point& point) {
    Start<T> start{std::vector<T>(p.points()), std::vector<T>(p.points())};
#pragma omp parallel for schedule(static)
    for (int k = 0; k < p.nz; ++k)
        for (int j = 0; j < p.ny; ++j)
            for (int i = 0; i < p.nx; ++i) {
                const StartPoint<T> value = point(i, j, k);
                const std::size_t at = index_of(p, i, j, k);
                start.t0[at] = value.temperature;
                start.beta[at] = value.beta;
            }
    return start;
}

}  // namespace

template <class T>
StartPoint<T> phantom_at(const Problem& p, std::uint64_t seed, int i, int j, int k) {
    const double x = across(i, p.nx), y = across(j, p.ny), z = across(k, p.nz);
    const double r = distance(x, y, z, 0.1, 0.1, 0.05, 0.12, 0.12, 0.3);
    const double varied = 0.95 + 0.1 * unit_random(seed ^ beta_stream, index_of(p, i, j, k));
    return {static_cast<T>(p.boundary + 26 * std::exp(-r * r)), static_cast<T>(tissue_at(x, y, z) * varied)};
}

template <class T>
StartPoint<T> random_start_at(const Problem& p, std::uint64_t seed, double r, int i, int j, int k) {
    return random_point<T>(p, seed, most_beta(p, r), i, j, k);
}

template <class T>
Start<T> phantom(const Problem& p, std::uint64_t seed) {
    return whole<T>(p, [&](int i, int j, int k) { return phantom_at<T>(p, seed, i, j, k); });
}

template <class T>
Start<T> random_start(const Problem& p, std::uint64_t seed, double r) {
    const double most = most_beta(p, r);
    return whole<T>(p, [&](int i, int j, int k) { return random_point<T>(p, seed, most, i, j, k); });
}

#define GRIDMARK_INSTANTIATE(T)                                                      \
    template Start<T> phantom(const Problem&, std::uint64_t);                        \
    template Start<T> random_start(const Problem&, std::uint64_t, double);           \
    template StartPoint<T> phantom_at(const Problem&, std::uint64_t, int, int, int); \
    template StartPoint<T> random_start_at(const Problem&, std::uint64_t, double, int, int, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat
