#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"

/// The study's GPU versions, for either executor (a GPU or the host).
namespace gridmark::ginzburg_landau {

/// A GPU version. `step` launches `steps` Runge-Kutta steps, 1 to `most_steps`, from `now` to `next`,
/// asynchronously, in blocks of `block` threads (those of many steps choose their blocks themselves);
/// `scratch` is `scratch_states` states of 2 n values, zeros before the first call of a version of many
/// steps. `launches` kernels do it. `check` throws std::invalid_argument for a block or a problem that it
/// cannot run on this device.
template <class T>
struct GpuVariant {
    std::string_view name;
    int scratch_states, launches, most_steps;
    void (*check)(const Problem&, int block);
    void (*step)(launch::Stream, const Problem&, int block, int steps, const T* now, T* next, T* scratch);
    std::optional<launch::KernelInfo> (*info)(const Problem&, int block);
};

/// The versions compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

/// Steps that a launch of gpu_registers does at most, and the points that a warp of it brings so far.
constexpr int registers_steps = 4, registers_own = 224;

/// Steps that a launch of gpu_persistent does at most. It could do any number; so many that its start costs a
/// hundredth of them.
constexpr int persistent_steps = 300;

/// Points that two neighbouring blocks of gpu_overlap8 both compute: four stages lose a point each at either
/// side.
constexpr int overlap = 8;

/// Blocks of `block` threads that gpu_overlap8 needs for n points: each advances by block - 8.
int overlapping_blocks(int n, int block);

/// Pairs that gpu_overlap8 computes more than once, as a share of n.
double repeated_share(int n, int block);

}  // namespace gridmark::ginzburg_landau
