#pragma once

#include <memory>
#include <string>

#include "harness/stepper.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

/// Fields are states of 2 n values.
template <class T>
using Stepper = harness::Stepper<T>;

/// A CPU version; cpu_serial takes no notice of `threads`.
template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads);

/// A GPU version on a device, in blocks of `block` threads. Throws std::invalid_argument for a block that it
/// cannot run.
template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, int block);

}  // namespace gridmark::ginzburg_landau
