#pragma once

#include <algorithm>
#include <memory>

#include "harness/cache.hpp"
#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/storage.hpp"

namespace gridmark::jacobi {

/// Sweeps after which a version that makes up to `most` of them in a launch is compared with the reference:
/// three launches at least, the last of a single sweep. Odd, so that the answer of one sweep a launch stands
/// in the other buffer than the start; the same for 8 and 12, whose large fields then share a reference.
constexpr int verified_sweeps(int most) {
    return most == 1 ? 3 : std::max(2 * most + 1, 25);
}

/// The start of one size and type, and what the double reference makes of it in so many sweeps, as
/// harness::StepperWork takes it. Made once and shared by all variants of that size that need as many.
template <class T>
struct Case {
    Problem problem;
    int steps;
    Storage<T> start, omega;
    Storage<T> target;  ///< start with NaN wherever a sweep must write: an unwritten point cannot pass
    Storage<double> reference;
    double tolerance;

    Case(int nx, int ny, std::uint64_t seed, int sweeps);
};

/// The case of that size, type, seed and number of sweeps; those asked for are kept as long as memory is
/// plenty.
template <class T>
std::shared_ptr<const Case<T>> shared_case(int nx, int ny, std::uint64_t seed, int sweeps) {
    const double bytes = static_cast<double>(nx) * ny * (3 * sizeof(T) + sizeof(double));
    return harness::shared<Case<T>>(bytes, nx, ny, seed, sweeps);
}

/// A case's right-hand side on a device; kept like the case itself.
template <class T>
struct DeviceCase {
    std::shared_ptr<const Case<T>> host;
    launch::Buffer<T> omega;

    DeviceCase(launch::Device& device, std::shared_ptr<const Case<T>> host)
        : host(std::move(host)), omega(device, std::span<const T>(this->host->omega)) {}
};

}  // namespace gridmark::jacobi
