#pragma once

#include <memory>
#include <string_view>
#include <variant>

#include "kernels/maxwell/cpu.hpp"
#include "kernels/maxwell/in_core.hpp"
#include "kernels/maxwell/streamed.hpp"
#include "kernels/maxwell/time_skewing.hpp"

namespace gridmark::maxwell {

/// A variant: whose kernels it launches, and how planes go through the device.
struct Version {
    std::string_view name;
    std::string_view kernels;                ///< a GPU variant; empty: it is the CPU's
    int buffers = 0;                         ///< staging buffers, a slab each
    bool skewed = false;                     ///< time skewing: several steps per pass through the device
    HostMemory memory = HostMemory::pinned;  ///< of a streamed version
    launch::Origin origin = launch::Origin::optimised;

    constexpr bool streamed() const { return buffers > 0 || skewed; }
};

/// The versions of a grid in the host's memory.
inline constexpr Version streamed_versions[]{
    {.name = "gpu_streamed_pageable",
     .kernels = "gpu_in_core",
     .buffers = synchronous_buffers,
     .memory = HostMemory::pageable,
     .origin = launch::Origin::published},
    {.name = "gpu_streamed", .kernels = "gpu_in_core", .buffers = synchronous_buffers},
    {.name = "gpu_streamed_overlapped", .kernels = "gpu_in_core_fused", .buffers = overlapped_buffers},
    {.name = "gpu_streamed_skewed", .kernels = "gpu_single_pass", .skewed = true},
    {.name = "gpu_streamed_skewed_indexed", .kernels = "gpu_single_pass_indexed", .skewed = true},
};

/// One of these, or a version by its own kernels with the whole grid on the device. `variant` must outlive
/// it.
inline Version version_of(std::string_view variant) {
    for (const Version& version : streamed_versions)
        if (version.name == variant) return version;
    return {.name = variant, .kernels = variant.starts_with("cpu_") ? std::string_view() : variant};
}

/// The version of a grid in the host's memory that goes by the kernels of one in the device's; null if none
/// does. The paper's two come first.
inline const Version* streamed_by_kernels_of(const Version& in_memory) {
    for (const Version& version : streamed_versions)
        if (!in_memory.streamed() && version.kernels == in_memory.kernels) return &version;
    return nullptr;
}

/// A version of the CPU's.
struct CpuVersion {
    std::string_view name;
    launch::Origin origin = launch::Origin::optimised;
};

inline constexpr CpuVersion cpu_versions[]{{"cpu_openmp"},
                                           {"cpu_plain", launch::Origin::published},
                                           {"cpu_plain_lookup", launch::Origin::published}};

/// One of them. `body` gives the body where it is needed; `coefficients` must outlive the version.
template <class T, class MakeBody>
std::unique_ptr<Solver<T>> cpu_version(std::string_view name, const Problem& problem, MakeBody body,
                                       const Coefficients<T>& coefficients, int threads) {
    if (name == "cpu_plain") return cpu_plain<T>(problem, coefficients, threads);
    if (name == "cpu_plain_lookup") return cpu_plain_lookup<T>(problem, body(), threads);
    return cpu_openmp<T>(problem, coefficients, threads);
}

/// How planes go through the device.
using StreamingSchedule = std::variant<Slabs, TimeSkew>;

/// Coefficients as a streamed version takes them, from `coefficients`, which must outlive them. Throws
/// launch::Unavailable if it takes them by index and there are too many.
template <class T>
std::shared_ptr<const StreamedCoefficients<T>> coefficients_for(launch::Device& device,
                                                                const Version& version,
                                                                const Problem& problem,
                                                                const Coefficients<T>& coefficients,
                                                                int threads) {
    if (version.memory == HostMemory::pageable)
        return std::make_shared<const StreamedCoefficients<T>>(coefficients);
    return streamed_coefficients(device, *find_gpu_variant<T>(device.executor(), version.kernels), problem,
                                 coefficients, threads);
}

/// What a streamed version has in the device's memory and in the host's.
template <class T>
class StreamedSetup {
  public:
    StreamedSetup(launch::Device& device, const Version& version, const Problem& problem,
                  std::shared_ptr<const StreamedCoefficients<T>> coefficients,
                  const StreamingSchedule& schedule, int threads)
        : coefficients_(std::move(coefficients)) {
        const auto& variant = *find_gpu_variant<T>(device.executor(), version.kernels);
        if (const auto* slabs = std::get_if<Slabs>(&schedule)) {
            memory_ = {device, device_values<T>(make_layout<T>(problem.grid), *slabs)};
            solver_ = streamed<T>(device, variant, problem, *coefficients_, *slabs, memory_.data(), threads,
                                  version.memory);
        } else {
            solver_ = time_skewed<T>(device, variant, problem, *coefficients_, std::get<TimeSkew>(schedule),
                                     threads);
        }
    }
    StreamedSolver<T>& solver() { return *solver_; }

  private:
    std::shared_ptr<const StreamedCoefficients<T>> coefficients_;
    launch::Buffer<T> memory_;
    std::unique_ptr<StreamedSolver<T>> solver_;
};

}  // namespace gridmark::maxwell
