#pragma once

#include <memory>
#include <string>
#include <variant>

#include "kernels/maxwell/in_core.hpp"
#include "kernels/maxwell/streamed.hpp"
#include "kernels/maxwell/time_skewing.hpp"

namespace gridmark::maxwell {

/// What the name of a variant says.
struct Version {
    std::string kernels;  ///< the GPU variant whose kernels it launches; empty: it is the CPU's
    int buffers;          ///< staging buffers, a slab each; 0: the whole grid lies there, or it is skewed
    bool skewed = false;  ///< takes several steps a trip through the device
};
Version version_of(const std::string& variant);

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
