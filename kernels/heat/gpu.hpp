#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "kernels/heat/layout.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/texture.hpp"

/// The study's GPU versions, for either executor (a GPU or the host).
namespace gridmark::heat {

/// Where a kernel reads beta: through the texture, as published, or by plain loads from the same values as an
/// array of nx * ny * nz.
enum class BetaPath { texture, load };

template <class T>
struct BetaFields {
    launch::Texture3View<T> texture;
    const T* array = nullptr;
};

/// Launches one or several steps from `now` to `next`, both in a version's layout, asynchronously.
template <class T>
using GpuStep = void (*)(launch::Stream, const Problem&, BetaPath, const BetaFields<T>&, const T* now,
                         T* next);

/// A GPU version: its block of threads, how it stores the temperature, and which split of L1 and shared
/// memory it is meant for; the thesis's own as published.
template <class T>
struct GpuVariant {
    std::string_view name, block;
    launch::Carveout carveout;
    Layout (*layout)(const Problem&);
    void (*prepare)(launch::Carveout, BetaPath);
    GpuStep<T> step;
    std::optional<launch::KernelInfo> (*info)(BetaPath);
    bool texture = true;          ///< false: it reads beta from the array, whatever path it is told
    int steps = 1;                ///< that `step` makes
    GpuStep<T> single = nullptr;  ///< makes one, where `step` makes several
    std::size_t (*shared_bytes)() = nullptr;  ///< dynamic shared memory of a block, where some GPUs have less
};

/// Makes `count` steps of a version: calls launch(step) for each launch that they take.
template <class T, class Launch>
void for_each_launch(const GpuVariant<T>& variant, int count, Launch launch) {
    for (; count >= variant.steps; count -= variant.steps)
        launch(variant.step);
    for (; count > 0; --count)
        launch(variant.single);
}

/// The versions compiled for `executor`, in the thesis's order; empty for the GPU when built without the CUDA
/// toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

// How each version stores the temperature (gpu_variants.cpp).
Layout four_cubes_layout(const Problem& problem);
Layout tiles_16x16_layout(const Problem& problem);
Layout rectangular_layout(const Problem& problem);

}  // namespace gridmark::heat
