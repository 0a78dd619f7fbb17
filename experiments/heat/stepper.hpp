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

/// A CPU version with the cut that chosen_cut names for it. `added`, an interior field or null, is added
/// behind every step: only where the version makes a step at a time. Both fields must outlive it.
template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const CpuVariant& variant, const Cut& cut,
                                        int threads, const T* beta, const T* added = nullptr);

/// Which kernel: a version, where it reads beta, and of its ablations which one; empty: none.
struct Kernel {
    std::string variant;
    BetaPath path = BetaPath::texture;
    std::string ablation = {};
};

/// The entry of a kernel, which must exist.
template <class T>
const GpuVariant<T>& entry_of(launch::Executor executor, const Kernel& kernel) {
    return *find_ablation(*find_gpu_variant<T>(executor, kernel.variant), kernel.ablation);
}

/// A kernel on a device, which `beta` and `added` lie on; `added` as for the CPU.
template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem, const Kernel& kernel,
                                        const BetaFields<T>& beta, const T* added = nullptr);

}  // namespace gridmark::heat
