#pragma once

#include <memory>
#include <string>

#include "harness/experiment.hpp"
#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {

/// A GPU variant at one configuration, ready to be verified and timed. T is float or double.
template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, int nx, int ny,
                                        const Tiling& tiling, launch::Carveout carveout, std::uint64_t seed);

/// A version that does several sweeps in a launch; an iteration is a launch of as many as it does at most.
template <class T>
std::unique_ptr<harness::Work> several_work(launch::Device& device, const std::string& variant, int nx,
                                            int ny, std::uint64_t seed);

/// The same for cpu_naive and cpu_openmp.
template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, int nx, int ny, int threads,
                                        std::uint64_t seed);

}  // namespace gridmark::jacobi
