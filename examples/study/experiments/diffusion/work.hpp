#pragma once

#include <cstdint>
#include <memory>

#include "harness/experiment.hpp"

namespace gridmark::diffusion {

/// What `run` verifies and times on n points: gpu_plain on a device; where that is null, cpu_openmp with
/// `threads` threads. T is float or double.
template <class T>
std::unique_ptr<harness::Work> work(launch::Device* device, int n, int threads, std::uint64_t seed);

}  // namespace gridmark::diffusion
