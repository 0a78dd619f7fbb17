#pragma once

#include <memory>
#include <string>

#include "harness/stepper.hpp"
#include "kernels/heat/cpu.hpp"
#include "kernels/heat/gpu.hpp"

namespace gridmark::heat {

/// Fields are the nx * ny * nz interior temperatures.
template <class T>
using Stepper = harness::Stepper<T>;

/// Whether a version is one of the CPU's; every other is a kernel.
bool is_cpu_version(const std::string& variant);

/// Whether a version works in blocks.
bool is_blocked(const std::string& variant);

/// Why this CPU cannot run the version; empty if it can, and for kernels.
std::string missing_isa(const std::string& variant);

/// A CPU version. `beta` must outlive it; `blocking` is for the blocked ones.
template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant,
                                        const Blocking& blocking, int threads, const T* beta);

/// A kernel on a device, which `beta` lies on.
template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, BetaPath path, const BetaFields<T>& beta);

}  // namespace gridmark::heat
