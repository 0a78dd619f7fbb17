#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "kernels/heat/cpu.hpp"
#include "kernels/heat/gpu.hpp"

namespace gridmark::heat {

/// A version with its two temperatures in place, wherever they live: the step's source and its target.
template <class T>
class Stepper {
  public:
    virtual ~Stepper() = default;
    /// Sets the temperature; `target` is what stands where the first step writes. Both nx * ny * nz interior
    /// values.
    virtual void start(std::span<const T> t0, std::span<const T> target) = 0;
    /// Puts `count` steps into the device's stream, or does them.
    virtual void steps(int count) = 0;
    /// The interior of the last temperature.
    virtual void read(std::span<T> interior) = 0;
    /// Chooses the version's cache split, which is a property of the kernel.
    virtual void select() {}
    virtual std::optional<launch::KernelInfo> kernel_info() const { return std::nullopt; }
};

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
