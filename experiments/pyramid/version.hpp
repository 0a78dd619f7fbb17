#pragma once

#include <string_view>

#include "kernels/launch/device.hpp"
#include "kernels/pyramid/out_of_core.hpp"

namespace gridmark::pyramid {

/// An out-of-core variant: which solver, and whether transfers overlap with it.
struct Version {
    std::string_view name;
    std::string_view solver;
    bool overlapped = false;
};

/// The versions that send, solve and fetch in turn, as the paper has it.
inline constexpr Version synchronous_versions[]{
    {.name = "cpu_pyramid", .solver = "cpu_openmp"},
    {.name = "gpu_cyclic_reduction_synchronous", .solver = "gpu_cyclic_reduction"},
    {.name = "gpu_cusparse_synchronous", .solver = "gpu_cusparse"},
    {.name = "gpu_local_inverse_synchronous", .solver = "gpu_local_inverse"},
};

/// One of these, or the overlapped version of a solver's own name. `variant` must outlive it.
inline Version version_of(std::string_view variant) {
    for (const Version& version : synchronous_versions)
        if (version.name == variant) return version;
    return {.name = variant, .solver = variant, .overlapped = true};
}

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
