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

/// Interior points, time step in seconds, spacing in metres, and the temperature (degrees Celsius) outside.
struct Problem {
    int nx, ny, nz;
    double dt, dx, boundary;

    std::size_t points() const { return static_cast<std::size_t>(nx) * ny * nz; }
};

/// Points per axis.
struct Extent {
    int x, y, z;
};

/// The thesis's problem at any size: 1 mm, 100 us, 37 degrees. Throws std::invalid_argument where a side is
/// below 1 or where the points and their padding number 2^31 or more (the kernels index with an int).
Problem tissue(int nx, int ny, int nz);

/// The same with other numbers; dt and dx positive and finite, the boundary finite.
Problem tissue(int nx, int ny, int nz, double dt, double dx, double boundary);

/// What the update multiplies with, rounded once to T: dt / 12 and 1 / dx^2. Source: thesis, section 4.2.
template <class T>
struct Coefficients {
    T dt_12, inverse_dx2;
};
template <class T>
Coefficients<T> coefficients(const Problem& problem) {
    return {static_cast<T>(problem.dt / 12), static_cast<T>(1 / (problem.dx * problem.dx))};
}

/// Largest beta dt / dx^2 for which the explicit step is stable: the star's symbol reaches -16 / dx^2 over
/// three axes (at the grid's shortest wave), and an Euler step needs beta dt 16 / dx^2 <= 2.
constexpr double stability_limit = 1.0 / 8;

/// Declared cost of a step: the least traffic (temperature and beta read, the new temperature written), and
/// the thesis's 29 operations a point.
template <class T>
constexpr double bytes_per_point = 3.0 * sizeof(T);
constexpr double flops_per_point = 29;

/// Largest rounding error of `steps` steps in T against exact arithmetic on the same T-valued start, where
/// |temperature| <= most and beta dt / dx^2 <= r at the start. With u = epsilon / 2, one step rounds by at
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
