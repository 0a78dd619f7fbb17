#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/demand.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/variants.hpp"

/// The study's GPU versions, for either executor (a GPU or the host).
namespace gridmark::jacobi {

/// A block of 32 x block_y threads works on a tile of 32 x tile_y points (gpu_rows: 32 vectors x tile_y);
/// each thread on tile_y / block_y consecutive rows.
struct Tiling {
    int tile_y, block_y;
};

/// What a launch works on: nx * ny values each, on the device. `scratch` is the variant's own.
template <class T>
struct Fields {
    const T *psi, *omega;
    T* next;
    void* scratch = nullptr;
};

/// A GPU version. Each kernel file ends with the entry of its own; the build lists them.
template <class T>
struct GpuVariant {
    using Carveout = launch::Carveout;

    std::string_view name;
    launch::Origin origin = launch::Origin::optimised;
    Carveout carveout = Carveout::prefer_l1;  ///< that it is meant for; the paper's own as published
    std::string_view ablation_of = {};        ///< a published version less one thing, measured beside it
    bool shared_memory = false;               ///< holds psi, or a copy of a part, in shared memory
    bool tiled = false;                       ///< takes a Tiling; the others choose their blocks themselves
    bool on_chip = false;  ///< keeps the whole grid in registers, so that large ones do not fit
    launch::StepsPerLaunch steps_per_launch = {};
    /// Throws std::invalid_argument for a grid or a tiling that it cannot run on this device.
    void (*check)(const Problem&, const Tiling&) = [](const Problem&, const Tiling&) {};
    /// Of device memory, zeros before the first launch.
    std::size_t (*scratch_bytes)(const Problem&) = [](const Problem&) { return std::size_t{0}; };
    /// Sets its constants and carve-out, before any capture into a graph.
    void (*prepare)(launch::Stream, const Problem&, const Tiling&,
                    Carveout) = [](launch::Stream, const Problem&, const Tiling&, Carveout) {};
    /// Launches `count` sweeps, a number that steps_per_launch.next() gave, from psi to next, asynchronously.
    launch::Required<void(launch::Stream, const Problem&, const Tiling&, int count, const Fields<T>&)> sweep;
    std::optional<launch::KernelInfo> (*info)(const Tiling&) = [](const Tiling&) {
        return std::optional<launch::KernelInfo>();
    };
    /// What a launch of `count` sweeps asks of a chip; null: it has a limit, and no model.
    launch::Demand (*demand)(const Problem&, const Tiling&, int count, const launch::Chip&) = nullptr;
};

/// The versions compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

/// What every tiled version asks of a tiling: positive, tile_y a multiple of block_y, at most 1024 threads.
void check_tiling(const Tiling& tiling);

/// What the shared version asks besides: block_y >= 3 (thread rows 1 and 2 load the side columns), tile_y <=
/// 32 (one lane per halo row). Source: paper, listing memcpy_cross.
void check_shared_tiling(const Tiling& tiling);

}  // namespace gridmark::jacobi
