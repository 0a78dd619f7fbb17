#pragma once

#include <cstddef>

#include "kernels/launch/host_block.hpp"

namespace gridmark::launch::executor {

/// Runs all blocks of a launch, several at a time. `kernel` is the kernel's address, for
/// allow_dynamic_shared(). Throws Error if the stream is not the host's, a limit is exceeded, or the kernel
/// fails.
void run_grid(Stream stream, const Shape& shape, const void* kernel, Call call);

/// The same with all blocks alive at once, in turns on one operating system thread, so that they may wait for
/// each other. Throws Error also where there are more blocks than resident_blocks(), and where every block
/// waits for another one.
void run_grid_together(Stream stream, const Shape& shape, const void* kernel, Call call);

/// Blocks of `threads` threads that run_grid_together() takes.
int resident_blocks(unsigned threads);

/// Remembers how much dynamic shared memory this kernel may use.
void allow_dynamic_shared(const void* kernel, std::size_t bytes);

/// Throws Error unless `stream` is the host executor's.
void check_host(Stream stream);

}  // namespace gridmark::launch::executor
