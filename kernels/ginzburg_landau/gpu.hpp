#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/launch/demand.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/variants.hpp"

/// The study's GPU versions, for either executor (a GPU or the host).
namespace gridmark::ginzburg_landau {

/// A GPU version. Each kernel file ends with the entry of its own; the build lists them.
template <class T>
struct GpuVariant {
    std::string_view name;
    launch::Origin origin = launch::Origin::optimised;
    bool takes_block = false;  ///< works in blocks of `block` threads; the others choose them themselves
    bool repeats = false;      ///< computes points of a neighbour again instead of asking for all of them
    bool on_chip = false;      ///< keeps all points in registers, so that many do not fit
    bool sweeps = true;        ///< measured over sizes and blocks; else at the slides' alone
    int launches = 1;          ///< kernels of a step
    int scratch_states = 0;    ///< of 2 n values each, zeros before the first call
    launch::StepsPerLaunch steps_per_launch = {};
    bool steps_in_memory = false;  ///< loads and stores the state in every step, however many a launch makes
    /// Where in the scratch the first block's flag lies, whose number says how often all blocks have met
    /// within launches; null where they never do.
    const unsigned* (*meetings)(const Problem&, const T* scratch) = nullptr;
    /// Pairs that it computes more than once, as a share of n; null where it repeats none.
    double (*repeated_share)(int n, int block) = nullptr;
    /// Throws std::invalid_argument for a block or a problem that it cannot run on this device.
    void (*check)(const Problem&, int block) = [](const Problem&, int) {};
    /// Launches `count` Runge-Kutta steps, a number that steps_per_launch.next() gave, from `now` to `next`,
    /// asynchronously.
    launch::Required<void(launch::Stream, const Problem&, int block, int count, const T* now, T* next,
                          T* scratch)>
        step;
    std::optional<launch::KernelInfo> (*info)(const Problem&, int block) = [](const Problem&, int) {
        return std::optional<launch::KernelInfo>();
    };
    /// What the launches of `count` steps ask of a chip; null: it has a limit, and no model.
    std::vector<launch::Demand> (*demand)(const Problem&, int block, int count,
                                          const launch::Chip&) = nullptr;
};

/// The versions compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

/// What every version that takes a block asks of it: 1 to 1024 threads.
void check_block(int block);

/// What a version whose blocks overlap asks besides: more threads than points of an overlap.
void check_overlapping_block(int block);

/// Points that two neighbouring blocks of gpu_overlap8 both compute: four stages lose a point each at either
/// side.
constexpr int overlap = 8;

/// Blocks of `block` threads that gpu_overlap8 needs for n points: each advances by block - 8.
int overlapping_blocks(int n, int block);

/// What a step in such blocks asks of a machine, each thread once.
std::vector<launch::Demand> overlap_demand(int n, int block, std::size_t shared_bytes,
                                           const launch::Chain& chain);

/// Pairs that gpu_overlap8 computes more than once, as a share of n.
double repeated_share(int n, int block);

}  // namespace gridmark::ginzburg_landau
