#pragma once

#include <memory>
#include <string>

#include "experiments/heat/blocks.hpp"
#include "harness/stepper.hpp"
#include "kernels/heat/cpu.hpp"
#include "kernels/heat/gpu.hpp"

namespace gridmark::heat {

/// Fields are the nx * ny * nz interior temperatures.
template <class T>
using Stepper = harness::Stepper<T>;

/// A CPU version with the cut that chosen_cut names for it. `beta` must outlive it.
template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const CpuVariant& variant, const Cut& cut,
                                        int threads, const T* beta);

/// A kernel on a device, which `beta` lies on.
template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, BetaPath path, const BetaFields<T>& beta);

}  // namespace gridmark::heat
