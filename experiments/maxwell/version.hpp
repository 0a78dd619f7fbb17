#pragma once

#include <memory>
#include <string_view>
#include <variant>

#include "kernels/maxwell/in_core.hpp"
#include "kernels/maxwell/streamed.hpp"
#include "kernels/maxwell/time_skewing.hpp"

namespace gridmark::maxwell {

/// A variant: whose kernels it launches, and how planes go through the device.
struct Version {
    std::string_view name;
    std::string_view kernels;  ///< a GPU variant; empty: it is the CPU's
    int buffers = 0;           ///< staging buffers, a slab each
    bool skewed = false;       ///< time skewing: several steps per pass through the device

    constexpr bool streamed() const { return buffers > 0 || skewed; }
};

/// The versions of a grid in the host's memory.
inline constexpr Version streamed_versions[]{
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

/// How planes go through the device.
using StreamingSchedule = std::variant<Slabs, TimeSkew>;

/// What a streamed version has in the device's memory and in pinned memory.
template <class T>
class StreamedSetup {
  public:
    StreamedSetup(launch::Device& device, const Version& version, const Problem& problem,
                  std::shared_ptr<const PinnedCoefficients<T>> coefficients,
                  const StreamingSchedule& schedule, int threads)
        : coefficients_(std::move(coefficients)) {
        const auto& variant = *find_gpu_variant<T>(device.executor(), version.kernels);
        if (const auto* slabs = std::get_if<Slabs>(&schedule)) {
            memory_ = {device, device_values<T>(make_layout<T>(problem.grid), *slabs)};
            solver_ = streamed<T>(device, variant, problem, *coefficients_, *slabs, memory_.data(), threads);
        } else {
            solver_ = time_skewed<T>(device, variant, problem, *coefficients_, std::get<TimeSkew>(schedule),
                                     threads);
        }
    }
    StreamedSolver<T>& solver() { return *solver_; }

  private:
    std::shared_ptr<const PinnedCoefficients<T>> coefficients_;
    launch::Buffer<T> memory_;
    std::unique_ptr<StreamedSolver<T>> solver_;
};

}  // namespace gridmark::maxwell
