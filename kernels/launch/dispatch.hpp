#pragma once

#include "kernels/launch/device.hpp"

/// Declares functions that a `.cu` file defines: once for the GPU and once for the host executor.
///
///     namespace gridmark::jacobi {
///     GRIDMARK_BOTH_EXECUTORS(void step_naive(launch::Stream, const float* from, float* to);)
///     }
#define GRIDMARK_BOTH_EXECUTORS(...) \
    namespace cuda {                 \
    __VA_ARGS__                      \
    }                                \
    namespace host {                 \
    __VA_ARGS__                      \
    }

/// The version of `function` that fits `stream`, from the namespace where this stands:
/// `GRIDMARK_SELECT(stream, step_naive)(stream, from, to)`. `function` must not be overloaded. Without the
/// CUDA toolkit there is no GPU device either, so the host's version is the only one.
#if GRIDMARK_HAS_CUDA
#define GRIDMARK_SELECT(stream, function) \
    ((stream).device->executor() == ::gridmark::launch::Executor::gpu ? &cuda::function : &host::function)
#else
#define GRIDMARK_SELECT(stream, function) (&host::function)
#endif
