#pragma once

#include <memory>

#include "kernels/diffusion/problem.hpp"

#include "harness/stepper.hpp"

namespace gridmark::diffusion {

/// gpu_plain on a device; where that is null, cpu_openmp with `threads` threads. Fields are n values.
template <class T>
std::unique_ptr<harness::Stepper<T>> stepper(launch::Device* device, const Problem& problem, int threads);

}  // namespace gridmark::diffusion
