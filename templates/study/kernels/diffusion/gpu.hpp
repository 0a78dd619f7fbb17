#pragma once

#include <optional>

#include "kernels/diffusion/problem.hpp"

#include "kernels/launch/dispatch.hpp"
#include "kernels/launch/kernel_info.hpp"

/// The study's GPU variants: cuda:: on a GPU, host:: on the host executor; GRIDMARK_SELECT takes the one that
/// fits a stream.
namespace gridmark::diffusion {

GRIDMARK_BOTH_EXECUTORS(
    /// Launches one step from `now` to `next` (n values each in device memory), a thread a point.
    template <class T> void gpu_plain(launch::Stream stream, const Problem& problem, const T* now, T* next);
    /// What the compiler made of its kernel.
    template <class T> std::optional<launch::KernelInfo> gpu_plain_info();)

}  // namespace gridmark::diffusion
