#pragma once

#include <cstddef>

#include "kernels/launch/dispatch.hpp"

// Copies by a kernel, 16 bytes at a time: the rate at which a stencil could stream at best.
namespace gridmark::ceilings {

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

GRIDMARK_BOTH_EXECUTORS(void copy_bytes(launch::Stream stream, const void* from, void* to, std::size_t bytes);
                        std::size_t copy_rotating(launch::Stream stream, const void* from, void* to,
                                                  std::size_t bytes, unsigned tiles, unsigned passes);)

}  // namespace gridmark::ceilings
