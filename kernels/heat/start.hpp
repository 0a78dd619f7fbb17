#pragma once

#include <cstdint>
#include <vector>

#include "kernels/heat/problem.hpp"

namespace gridmark::heat {

/// A start: temperature in degrees Celsius and diffusivity beta = lambda / (rho C) in m^2/s, interior points.
template <class T>
struct Start {
    std::vector<T> t0, beta;
};

/// A tissue phantom: skin and fat around muscle, in it an organ, a bone and a blood vessel, each with its
/// diffusivity (lambda, rho and C of the usual tissue tables) varied by a seeded 5 %; 37 degrees everywhere
/// but for a hot spot of up to 63 degrees, as focused ultrasound makes it, in the organ.
template <class T>
Start<T> phantom(const Problem& problem, std::uint64_t seed);

/// For verification: random temperatures between 17 and 57 degrees, and beta random from point to point with
/// step_ratio between 0.2 r and r. A wrong index or coefficient shows at once.
template <class T>
Start<T> random_start(const Problem& problem, std::uint64_t seed, double r);

/// The start of one interior point.
template <class T>
struct StartPoint {
    T temperature, beta;
};

/// `phantom` at point (i, j, k): bit by bit what the whole grid's has there. For ranks, which hold parts of a
/// grid that fits no machine.
template <class T>
StartPoint<T> phantom_at(const Problem& problem, std::uint64_t seed, int i, int j, int k);
/// The same of `random_start`.
template <class T>
StartPoint<T> random_start_at(const Problem& problem, std::uint64_t seed, double r, int i, int j, int k);

}  // namespace gridmark::heat
