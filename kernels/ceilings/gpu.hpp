#pragma once

#include <cstddef>

#include "kernels/launch/dispatch.hpp"

/// What a GPU can do at most: kernels of the ceilings.
namespace gridmark::ceilings {

// Copies by a kernel, 16 bytes at a time: the rate at which a stencil could stream at best.

/// In copy_rotating(), how many tiles further each pass reads: coprime to the usual counts of
/// multiprocessors, so that no multiprocessor finds in its L1 cache what an earlier pass left there.
inline constexpr unsigned rotation = 37;

/// Copies `bytes`; both addresses are aligned to 16 bytes.
void copy_bytes(launch::Stream stream, const void* from, void* to, std::size_t bytes);

/// For data that stays in L2: cuts it into `tiles` equal tiles, one per block, and `passes` times writes tile
/// t of `to` from tile t + pass * rotation (modulo tiles) of `from`, in one launch. Returns the bytes read
/// per pass, the same number being written; a rest smaller than 16 * tiles bytes is left alone.
std::size_t copy_rotating(launch::Stream stream, const void* from, void* to, std::size_t bytes,
                          unsigned tiles, unsigned passes);

// McCalpin's STREAM triad on the GPU: two arrays read, one written, as many stencils do. Memory serves reads
// better than writes, so that this mix runs faster than a copy.

/// to = a + 3 b on the stream's executor, for `count` floats, a multiple of 4; all addresses aligned to 16
/// bytes. `streaming` tells the caches not to keep anything.
void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to, std::size_t count,
               bool streaming);

// Chains of multiply-adds in registers: the most arithmetic that a GPU does outside of its tensor cores.

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

// Kernels that do nothing, for the costs of launching and of waiting for each other.

/// Launches one warp that does nothing.
void launch_nothing(launch::Stream stream);

/// `blocks` blocks of 256 threads meet at `syncs` grid-wide barriers, in one cooperative launch; out[0]
/// counts them. Throws launch::Unavailable on the host executor, and launch::Error if the blocks cannot all
/// run at once.
void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out);

GRIDMARK_BOTH_EXECUTORS(void copy_bytes(launch::Stream stream, const void* from, void* to, std::size_t bytes);
                        std::size_t copy_rotating(launch::Stream stream, const void* from, void* to,
                                                  std::size_t bytes, unsigned tiles, unsigned passes);
                        void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to,
                                       std::size_t count, bool streaming);
                        void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor,
                                       float term, float* out);
                        void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor,
                                        double term, double* out);
                        void launch_nothing(launch::Stream stream);
                        void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out);)

}  // namespace gridmark::ceilings
