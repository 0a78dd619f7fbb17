#pragma once

#include "kernels/launch/kernel.hpp"

/// Copies from global to shared memory that a thread starts now and waits for later: they pass by the
/// registers, and many can be under way while it computes. Each thread has its own queue: copy_async() adds a
/// copy, copy_async_if() one of zeros where its condition does not hold, close_copies() closes the group of
/// those added since the last call, wait_for_copies<n>() waits until at most the n youngest groups are still
/// under way. Then the thread itself may read what it copied; others may after the next barrier.
///
/// A GPU before sm_80 copies at once. The host copies in wait_for_copies(), and fills the destination with
/// NaNs until then, so that a wait or a barrier that is missing shows as a wrong answer.
namespace gridmark::launch {
inline namespace GRIDMARK_EXECUTOR {

#if defined(GRIDMARK_HOST_EXECUTOR)

template <class V>
void copy_async(V* shared, const V* global) {
    executor::Block::current()->copies().start(shared, global, sizeof(V));
}
template <class V>
void copy_async_if(bool condition, V* shared, const V* global) {
    executor::Block::current()->copies().start(shared, condition ? global : nullptr, sizeof(V));
}
inline void close_copies() {
    executor::Block::current()->copies().close();
}
template <int under_way>
void wait_for_copies() {
    executor::Block::current()->copies().wait(under_way);
}

#else

/// V is plain data of 4, 8 or 16 bytes, both addresses aligned to its size.
template <class V>
__device__ inline void copy_async(V* shared, const V* global) {
    static_assert(sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16, "cp.async copies 4, 8 or 16 bytes");
#if __CUDA_ARCH__ >= 800
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    if constexpr (sizeof(V) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global),
                     "n"(static_cast<int>(sizeof(V)))
                     : "memory");
#else
    *shared = *global;
#endif
}

/// The same where `condition` holds; zeros else. Without a branch.
template <class V>
__device__ inline void copy_async_if(bool condition, V* shared, const V* global) {
    static_assert(sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16, "cp.async copies 4, 8 or 16 bytes");
#if __CUDA_ARCH__ >= 800
    const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
    const int bytes = condition ? static_cast<int>(sizeof(V)) : 0;
    if constexpr (sizeof(V) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global), "r"(bytes)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(global),
                     "n"(static_cast<int>(sizeof(V))), "r"(bytes)
                     : "memory");
#else
    *shared = condition ? *global : V{};
#endif
}

__device__ inline void close_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int under_way>
__device__ inline void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(under_way) : "memory");
#endif
}

#endif

}  // namespace GRIDMARK_EXECUTOR
}  // namespace gridmark::launch
