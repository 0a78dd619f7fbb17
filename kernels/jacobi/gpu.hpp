#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"

/// The study's GPU versions, for either executor (a GPU or the host).
namespace gridmark::jacobi {

/// A block of 32 x block_y threads works on a tile of 32 x tile_y points (gpu_rows: 32 vectors x tile_y);
/// each thread on tile_y / block_y consecutive rows.
struct Tiling {
    int tile_y, block_y;
};

/// A GPU version: `prepare` sets its constants and carve-out (before any capture into a graph); `sweep`
/// launches one sweep from psi to next, asynchronously; `check` throws std::invalid_argument for a tiling
/// that it cannot run.
template <class T>
struct GpuVariant {
    std::string_view name;
    void (*check)(const Tiling&);
    void (*prepare)(launch::Stream, const Problem&, const Tiling&, launch::Carveout);
    void (*sweep)(launch::Stream, const Problem&, const Tiling&, const T* psi, const T* omega, T* next);
    std::optional<launch::KernelInfo> (*info)(const Tiling&);
};

/// The versions compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The version of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

/// What every version asks of a tiling: positive, tile_y a multiple of block_y, at most 1024 threads.
void check_tiling(const Tiling& tiling);

/// What the shared version asks besides: block_y >= 3 (thread rows 1 and 2 load the side columns), tile_y <=
/// 32 (one lane per halo row). Source: paper, listing memcpy_cross.
void check_shared_tiling(const Tiling& tiling);

}  // namespace gridmark::jacobi
