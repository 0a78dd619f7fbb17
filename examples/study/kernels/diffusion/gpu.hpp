#pragma once

#include <optional>

#include "kernels/diffusion/problem.hpp"

#include "kernels/launch/demand.hpp"
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

constexpr unsigned gpu_plain_block = 256;  ///< threads

/// What a launch of gpu_plain asks of a chip, for the model of times: a block's longest chain is a load and
/// the five operations on what it brings. Count instructions and bytes of the L1 and L2 with a profiler, and
/// add them: without them the model lets a step be as fast as the memory.
inline launch::Demand gpu_plain_demand(int n) {
    return {.blocks = launch::pieces(n, gpu_plain_block),
            .block_threads = gpu_plain_block,
            .chain = {.loads = 1, .arithmetic = 5}};
}

}  // namespace gridmark::diffusion
