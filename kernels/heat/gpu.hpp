#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/heat/layout.hpp"
#include "kernels/launch/demand.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/texture.hpp"
#include "kernels/launch/variants.hpp"

/// The study's GPU versions, for either executor (a GPU or the host).
namespace gridmark::heat {

/// Where a kernel reads beta: through the texture, as published, or by plain loads from the same values as an
/// array of nx * ny * nz.
enum class BetaPath { texture, load };

template <class T>
struct BetaFields {
    launch::Texture3View<T> texture = {};
    const T* array = nullptr;
};

/// A GPU version. Each kernel file ends with the entry of its own; the build lists them.
template <class T>
struct GpuVariant {
    std::string_view name;
    launch::Origin origin = launch::Origin::optimised;
    std::string_view block;      ///< of threads, as rows show it: "32x8x1"
    launch::Carveout carveout;   ///< that it is meant for; the thesis's own as published
    bool texture = true;         ///< false: it reads beta from the array, whatever path it is told
    bool shared_memory = false;  ///< holds the temperature, or a copy of a part, in shared memory
    launch::StepsPerLaunch steps_per_launch = {};
    /// Dynamic shared memory of a block, where some GPUs have less.
    std::size_t shared_bytes = 0;
    /// How it stores the temperature.
    launch::Required<Layout(const Problem&)> layout;
    /// Sets its carve-out.
    void (*prepare)(launch::Carveout, BetaPath) = [](launch::Carveout, BetaPath) {};
    /// Launches `count` steps, a number that steps_per_launch.next() gave, from `now` to `next`, both in its
    /// layout, asynchronously.
    launch::Required<void(launch::Stream, const Problem&, BetaPath, const BetaFields<T>&, int count,
                          const T* now, T* next)>
        step;
    std::optional<launch::KernelInfo> (*info)(BetaPath) = [](BetaPath) {
        return std::optional<launch::KernelInfo>();
    };
    /// What a launch of `count` steps asks of a chip; null: it has a limit, and no model.
    launch::Demand (*demand)(const Problem&, int count, const launch::Chip&) = nullptr;
    /// Adds an interior field to what a step has left, asynchronously: a source of heat. Null where a launch
    /// makes several steps, between which nothing can be added.
    void (*add)(launch::Stream, const Problem&, const Layout&, const T* interior, T* stored) = nullptr;
    /// How this instance departs from the thesis's: "shared_row_36". Empty: it is the version itself.
    std::string_view ablation = {};
    /// The same version with one choice of the thesis changed.
    std::span<const GpuVariant> (*ablations)() = [] { return std::span<const GpuVariant>{}; };
};

/// The version itself for an empty name, else its ablation of that name or nullptr.
template <class T>
const GpuVariant<T>* find_ablation(const GpuVariant<T>& variant, std::string_view name) {
    if (name.empty()) return &variant;
    for (const GpuVariant<T>& ablation : variant.ablations())
        if (ablation.ablation == name) return &ablation;
    return nullptr;
}

/// The versions compiled for `executor`, in the thesis's order; empty for the GPU when built without the CUDA
/// toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

}  // namespace gridmark::heat
