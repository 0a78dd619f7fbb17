#pragma once

#include <cuda_runtime_api.h>

#include "kernels/launch/device.hpp"

namespace gridmark::launch {

/// Device::make_texture on a GPU: a CUDA array, filled in the order of `stream`, behind a texture object with
/// point filter, clamped and unnormalised coordinates. Words of 8 bytes are pairs of ints, as no texture
/// holds doubles.
TextureMemory make_gpu_texture(cudaStream_t stream, const void* from, std::size_t word, int nx, int ny,
                               int nz);

/// Frees the object and its array; null is nothing.
void release_gpu_texture(TextureMemory texture) noexcept;

}  // namespace gridmark::launch
