#pragma once

#include <cstddef>

#include "kernels/launch/dispatch.hpp"

// McCalpin's STREAM triad on the GPU: two arrays read, one written, as many stencils do. Memory serves reads
// better than writes, so that this mix runs faster than a copy.
namespace gridmark::ceilings {

/// to = a + 3 b on the stream's executor, for `count` floats, a multiple of 4; all addresses aligned to 16
/// bytes. `streaming` tells the caches not to keep anything.
void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to, std::size_t count,
               bool streaming);

GRIDMARK_BOTH_EXECUTORS(void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to,
                                       std::size_t count, bool streaming);)

}  // namespace gridmark::ceilings
