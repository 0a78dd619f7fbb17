#pragma once

#include <cstddef>
#include <optional>

#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"

namespace gridmark::jacobi {

/// gpu_persistent, which does many sweeps in a launch, for grids that fit on the chip. `sweeps` launches
/// `count` sweeps from psi to next, asynchronously; `scratch` is `scratch_bytes`, zeros before the first
/// call. `check` throws std::invalid_argument for a grid that does not fit on this device.
template <class T>
struct GpuPersistent {
    void (*check)(const Problem&);
    std::size_t (*scratch_bytes)(const Problem&);
    void (*sweeps)(launch::Stream, const Problem&, int count, const T* psi, const T* omega, T* next,
                   void* scratch);
    std::optional<launch::KernelInfo> (*info)();
};

/// The one compiled for `executor`; nullptr for the GPU when built without the CUDA toolkit.
template <class T>
const GpuPersistent<T>* gpu_persistent(launch::Executor executor);

}  // namespace gridmark::jacobi
