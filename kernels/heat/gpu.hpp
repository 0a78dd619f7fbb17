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

/// A GPU version: the block of threads that the thesis gives it, how it stores the temperature, and which
/// split of L1 and shared memory it was published with. `step` launches one step from `now` to `next`, both
/// in its layout, asynchronously.
template <class T>
struct GpuVariant {
    std::string_view name, block;
    launch::Carveout carveout;
    Layout (*layout)(const Problem&);
    void (*prepare)(launch::Carveout, BetaPath);
    void (*step)(launch::Stream, const Problem&, BetaPath, const BetaFields<T>&, const T* now, T* next);
    std::optional<launch::KernelInfo> (*info)(BetaPath);
};

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
