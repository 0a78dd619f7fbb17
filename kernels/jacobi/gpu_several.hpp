#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"

namespace gridmark::jacobi {

/// A GPU version that does several sweeps in a launch. `check` throws std::invalid_argument for a grid that
/// this device cannot take; `at_once` says how many of `left` sweeps a launch does, never more than `most`.
/// `sweeps` launches one, of a `count` that at_once() gave, from psi to next, asynchronously; `scratch` is
/// `scratch_bytes`, zeros before the first call.
template <class T>
struct GpuSeveral {
    std::string_view name;
    int most;
    int (*at_once)(int left);
    void (*check)(const Problem&);
    std::size_t (*scratch_bytes)(const Problem&);
    void (*sweeps)(launch::Stream, const Problem&, int count, const T* psi, const T* omega, T* next,
                   void* scratch);
    std::optional<launch::KernelInfo> (*info)();
};

/// The versions compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuSeveral<T>> gpu_several(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuSeveral<T>* find_gpu_several(launch::Executor executor, std::string_view name);

/// Sweeps that a launch of gpu_persistent does at most. It could do any number; so many that its start costs
/// little of a sweep.
constexpr int persistent_sweeps = 300;

}  // namespace gridmark::jacobi

/// Ends a kernel file: its `sweeps` and `info` for both types, as gpu_variants.cpp declares them.
#define GRIDMARK_JACOBI_SEVERAL(NAME)                                                                       \
    template void sweeps_##NAME(launch::Stream, const Problem&, int, const float*, const float*, float*,    \
                                void*);                                                                     \
    template void sweeps_##NAME(launch::Stream, const Problem&, int, const double*, const double*, double*, \
                                void*);                                                                     \
    template std::optional<launch::KernelInfo> info_##NAME<float>();                                        \
    template std::optional<launch::KernelInfo> info_##NAME<double>()
