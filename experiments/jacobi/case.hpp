#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "harness/experiment.hpp"
#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/storage.hpp"

namespace gridmark::jacobi {

/// Sweeps after which a timed configuration is compared with the reference: odd, so that the answer stands in
/// the other buffer than the start.
constexpr int verified_sweeps = 3;

/// The same for a version that does up to `most` sweeps in a launch: three launches at least, of which the
/// last has one sweep left. The same for those of 8 and 12, whose large fields then share a reference.
constexpr int verified_several_sweeps(int most) {
    return std::max(2 * most + 1, 25);
}

/// The start of one size and type, and what the double reference makes of it in so many sweeps. Made
/// once and shared by all variants of that size that need as many.
template <class T>
struct Case {
    Problem problem;
    std::uint64_t seed;
    int sweeps;
    Storage<T> psi0, omega;
    Storage<T> poisoned;  ///< psi0 with NaN wherever a sweep must write: an unwritten point cannot pass
    Storage<double> reference;
    double tolerance;

    Case(int nx, int ny, std::uint64_t seed, int sweeps);

    /// Largest distance of `psi` from the reference; infinite where a value is not finite.
    harness::Verification compare(std::span<const T> psi) const;
};

/// The case of that size, type, seed and number of sweeps; those asked for are kept as long as memory is
/// plenty.
template <class T>
std::shared_ptr<const Case<T>> shared_case(int nx, int ny, std::uint64_t seed, int sweeps = verified_sweeps);

/// A case's fields on a device; kept like the case itself.
template <class T>
struct DeviceCase {
    std::shared_ptr<const Case<T>> host;
    launch::Buffer<T> psi0, omega, poisoned;
    mutable Storage<T>
        downloaded;  ///< kept between verifications: fresh pages of a gigabyte cost more than its copy
};
template <class T>
std::shared_ptr<const DeviceCase<T>> shared_device_case(launch::Device& device, int nx, int ny,
                                                        std::uint64_t seed);

}  // namespace gridmark::jacobi
