#pragma once

#include "kernels/launch/dispatch.hpp"

// Kernels that do nothing, for the costs of launching and of waiting for each other.
namespace gridmark::ceilings {

/// Launches one warp that does nothing.
void launch_nothing(launch::Stream stream);

/// `blocks` blocks of 256 threads meet at `syncs` grid-wide barriers, in one cooperative launch; out[0]
/// counts them. Throws launch::Unavailable on the host executor, and launch::Error if the blocks cannot all
/// run at once.
void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out);

GRIDMARK_BOTH_EXECUTORS(void launch_nothing(launch::Stream stream);
                        void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out);)

}  // namespace gridmark::ceilings
