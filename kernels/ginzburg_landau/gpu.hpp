#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"

/// The study's GPU versions, for either executor (a GPU or the host).
namespace gridmark::ginzburg_landau {

/// A GPU version. `step` launches one Runge-Kutta step from `now` to `next`, asynchronously, in blocks of
/// `block` threads; `scratch` is `scratch_states` states of 2 n values. `launches` kernels make a step.
/// `check` throws std::invalid_argument for a block that it cannot run.
template <class T>
struct GpuVariant {
    std::string_view name;
    int scratch_states, launches;
    void (*check)(int block);
    void (*step)(launch::Stream, const Problem&, int block, const T* now, T* next, T* scratch);
    std::optional<launch::KernelInfo> (*info)(int block);
};

/// The versions compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

/// Points that two neighbouring blocks of gpu_overlap8 both compute: four stages lose a point each at either
/// side.
constexpr int overlap = 8;

/// Blocks of `block` threads that gpu_overlap8 needs for n points: each advances by block - 8.
int overlapping_blocks(int n, int block);

/// Pairs that gpu_overlap8 computes more than once, as a share of n.
double repeated_share(int n, int block);

}  // namespace gridmark::ginzburg_landau
