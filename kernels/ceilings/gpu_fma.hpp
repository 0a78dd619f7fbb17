#pragma once

#include <cstddef>

#include "kernels/launch/dispatch.hpp"

// Chains of multiply-adds in registers: the most arithmetic that a GPU does outside of its tensor cores.
namespace gridmark::ceilings {

inline constexpr unsigned gpu_fma_threads = 256;  ///< of a block
inline constexpr int gpu_fma_chains = 8;          ///< of a thread

/// Operations of one launch.
constexpr double gpu_fma_flops(unsigned blocks, int iterations) {
    return 2.0 * gpu_fma_chains * gpu_fma_threads * blocks * iterations;
}

/// Starts chain k of thread t (of its block) at t + k, applies x = x * factor + term `iterations` times, and
/// writes each thread's sum over its chains to out[blocks * gpu_fma_threads].
void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor, float term, float* out);
void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor, double term,
                double* out);

GRIDMARK_BOTH_EXECUTORS(void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor,
                                       float term, float* out);
                        void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor,
                                        double term, double* out);)

}  // namespace gridmark::ceilings
