#pragma once

#include <cstddef>
#include <limits>

/// Heat diffusion in tissue with a 13-point star, fourth order in space: Pennes' equation without perfusion
/// and source. Source: "Heat diffusion simulation on GPU" (bachelor's thesis, VUT Brno, 2013), chapters 2
/// and 4; the signs of its equations (2.5)-(2.7) and (2.10) are flipped in print and read the right way here.
///
/// Every interior field is nx * ny * nz values in C order, x fastest: index = i + nx * (j + ny * k). Two
/// layers of points outside, on every side, keep a fixed temperature.
namespace gridmark::heat {

/// Distances of neighbouring points along the axes, in metres.
struct Spacing {
    double x, y, z;
};

/// Interior points, time step in seconds, spacings in metres, and the temperature (degrees Celsius) outside.
struct Problem {
    int nx, ny, nz;
    double dt, dx, dy, dz, boundary;

    std::size_t points() const { return static_cast<std::size_t>(nx) * ny * nz; }
};

/// Points per axis.
struct Extent {
    int x, y, z;
};

/// The thesis's problem at any size: 1 mm, 100 us, 37 degrees. Throws std::invalid_argument where a side is
/// below 1 or where the points and their padding number 2^31 or more (the kernels index with an int).
Problem tissue(int nx, int ny, int nz);

/// The same with other numbers; dt and the spacings positive and finite, the boundary finite.
Problem tissue(int nx, int ny, int nz, double dt, const Spacing& spacing, double boundary);

/// With one spacing along all axes.
inline Problem tissue(int nx, int ny, int nz, double dt, double dx, double boundary) {
    return tissue(nx, ny, nz, dt, {dx, dx, dx}, boundary);
}

/// The same, of any number of points: no kernel but those on boxes (ranks.hpp) works on such a grid.
Problem tissue_among_ranks(int nx, int ny, int nz);
Problem tissue_among_ranks(int nx, int ny, int nz, double dt, const Spacing& spacing, double boundary);

/// What the update multiplies with, rounded once to T: dt / 12, and 1 / dx^2 of each axis. Source: thesis,
/// section 4.2.
template <class T>
struct Coefficients {
    T dt_12, inverse_dx2, inverse_dy2, inverse_dz2;
};
template <class T>
Coefficients<T> coefficients(const Problem& p) {
    const auto inverse = [](double d) { return static_cast<T>(1 / (d * d)); };
    return {static_cast<T>(p.dt / 12), inverse(p.dx), inverse(p.dy), inverse(p.dz)};
}

/// beta dt / dx^2, of 1 / dx^2 the mean over the three axes.
inline double step_ratio(const Problem& p, double beta) {
    return beta * p.dt * (1 / (p.dx * p.dx) + 1 / (p.dy * p.dy) + 1 / (p.dz * p.dz)) / 3;
}

/// Largest step_ratio for which the explicit step is stable: the star's symbol reaches -16/3 / dx^2 along an
/// axis (at the grid's shortest wave), and an Euler step needs beta dt times their sum to be 2 at most.
constexpr double stability_limit = 1.0 / 8;

/// Declared cost of a step: the least traffic (temperature and beta read, the new temperature written), and
/// the thesis's 29 operations a point.
template <class T>
constexpr double bytes_per_point = 3.0 * sizeof(T);
constexpr double flops_per_point = 29;

/// Largest rounding error of `steps` steps in T against exact arithmetic on the same T-valued start, where
/// |temperature| <= most and step_ratio <= r at the start. With u = epsilon / 2, one step rounds by at
/// most (208 r + 1.125) u |temperature|: 13 roundings (coefficients, products, sums) of terms that add up to
/// 192 r / 12, and the last sum. A step's weights add up to at most 1 + r in absolute value, so older errors,
/// and the temperature itself, grow at most by that factor.
template <class T>
double rounding_bound(int steps, double most, double r) {
    double error = 0;
    for (int s = 0; s < steps; ++s, most *= 1 + r)
        error = error * (1 + r) + (208 * r + 1.125) * most * std::numeric_limits<T>::epsilon() / 2;
    return error;
}

}  // namespace gridmark::heat
