#pragma once

#include <memory>
#include <string>

#include "experiments/maxwell/version.hpp"
#include "harness/experiment.hpp"

namespace gridmark::maxwell {

/// A version on n^3 nodes, ready to be verified and timed. T is float or double.
template <class T>
std::unique_ptr<harness::Work> cpu_work(int n, int threads, std::uint64_t seed);
template <class T>
std::unique_ptr<harness::Work> in_core_work(launch::Device& device, const std::string& variant, int n,
                                            std::uint64_t seed);

/// What of a streamed step is timed.
enum class Part { whole, transfers, kernels };

/// A streamed version; parts with the same schedule share it when they are made one after the other.
template <class T>
std::unique_ptr<harness::Work> streamed_work(launch::Device& device, const std::string& variant, int n,
                                             const StreamingSchedule& schedule, Part part, int threads,
                                             std::uint64_t seed);

}  // namespace gridmark::maxwell
