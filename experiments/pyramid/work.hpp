#pragma once

#include <memory>
#include <string>

#include "experiments/pyramid/sweep.hpp"
#include "harness/experiment.hpp"

namespace gridmark::pyramid {

/// A solver of a whole rod in memory, ready to be verified and timed: on the GPU, or one of the CPU.
template <class T>
std::unique_ptr<harness::Work> in_memory_work(launch::Device& gpu, const std::string& variant, std::size_t n,
                                              double s, std::uint64_t seed);
template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, std::size_t n, double s, int threads,
                                        std::uint64_t seed);

/// What of a pass is timed.
enum class Part { whole, transfers, kernels };

/// A height of a sweep; the parts of one height share their driver when they are made one after the other.
template <class T>
std::unique_ptr<harness::Work> streamed_work(launch::Device& device, const Sweep& sweep, int height,
                                             Part part, int threads, std::uint64_t seed);

}  // namespace gridmark::pyramid
