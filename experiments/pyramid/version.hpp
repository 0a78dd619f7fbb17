#pragma once

#include <string>

#include "kernels/launch/device.hpp"
#include "kernels/pyramid/out_of_core.hpp"

namespace gridmark::pyramid {

/// What the name of an out-of-core variant says: which solver, and whether transfers overlap. "gpu_cusparse"
/// overlaps them, "gpu_cusparse_synchronous" does not, "cpu_pyramid" has the CPU in the device's place.
struct Version {
    std::string solver;
    bool overlapped;
};
Version version_of(const std::string& variant);

/// Pieces of a rod for a version with this solver.
template <class T>
Pieces pieces_of(const Version& version, const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                 std::size_t device_values);

/// Values that its driver keeps on the device.
template <class T>
std::size_t device_values_of(const Version& version, const GpuVariant<T>& solver, const Pieces& pieces);

/// The driver of a version, with so many values of device memory.
template <class T>
std::unique_ptr<OutOfCore<T>> driver_of(launch::Device& device, const Version& version,
                                        const GpuVariant<T>& solver, double s, const Pieces& pieces,
                                        T* memory, int threads);

}  // namespace gridmark::pyramid
