#pragma once

#include <cuda_runtime_api.h>

#include "kernels/launch/device.hpp"

namespace gridmark::launch {

/// Throws OutOfMemory or Error: CUDA's message, and what was being done. Clears the error where CUDA can.
[[noreturn]] void raise_cuda(cudaError_t error, const char* doing);

/// Throws if `error` is one. `doing` completes "... while": "launching a kernel".
inline void check_cuda(cudaError_t error, const char* doing) {
    if (error != cudaSuccess) [[unlikely]]
        raise_cuda(error, doing);
}

/// Throws Error unless `stream` belongs to a GPU and a GPU could run `shape`.
void check_gpu_launch(Stream stream, const Shape& shape);

/// Throws Error while a graph is captured from the stream: it would keep the address of what it is given.
void check_not_captured(Stream stream, const char* doing);

}  // namespace gridmark::launch
