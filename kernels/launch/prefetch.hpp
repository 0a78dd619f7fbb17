#pragma once

#include "kernels/launch/kernel.hpp"

/// A hint that memory will be read soon: a GPU from sm_90 on has its L2 cache fetch it, by one instruction of
/// one thread, however much it is. `bytes` and the address are multiples of 16.
namespace gridmark::launch {
inline namespace GRIDMARK_EXECUTOR {

#if defined(GRIDMARK_HOST_EXECUTOR)
/// Reads the first and the last byte, so that a sanitizer sees what lies outside.
inline void prefetch_to_l2(const void* from, unsigned bytes) {
    const volatile char* const memory = static_cast<const char*>(from);
    (void)memory[0];
    (void)memory[bytes - 1];
}
#else
__device__ inline void prefetch_to_l2([[maybe_unused]] const void* from, [[maybe_unused]] unsigned bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
#endif
}
#endif

}  // namespace GRIDMARK_EXECUTOR
}  // namespace gridmark::launch
