#pragma once

#include <cstddef>

#include "kernels/launch/host_block.hpp"

namespace gridmark::launch::executor {

/// Runs all blocks of a launch, several at a time. `kernel` is the kernel's address, for
/// allow_dynamic_shared(). Throws Error if the stream is not the host's, a limit is exceeded, or the kernel
/// fails.
void run_grid(Stream stream, const Shape& shape, const void* kernel, Call call);

/// Remembers how much dynamic shared memory this kernel may use.
void allow_dynamic_shared(const void* kernel, std::size_t bytes);

/// Throws Error unless `stream` is the host executor's.
void check_host(Stream stream);

}  // namespace gridmark::launch::executor
