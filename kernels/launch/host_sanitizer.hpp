#pragma once

#include <cstddef>

// What the executor tells AddressSanitizer; nothing without it.

#if defined(__SANITIZE_ADDRESS__)
#define GRIDMARK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GRIDMARK_ASAN 1
#endif
#endif
#ifndef GRIDMARK_ASAN
#define GRIDMARK_ASAN 0
#endif

#if GRIDMARK_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace gridmark::launch::executor {

inline constexpr bool address_sanitizer = GRIDMARK_ASAN != 0;

/// Every access to these bytes becomes a report.
inline void forbid([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if GRIDMARK_ASAN
    __asan_poison_memory_region(memory, bytes);
#endif
}

/// Undoes forbid().
inline void permit([[maybe_unused]] const void* memory, [[maybe_unused]] std::size_t bytes) {
#if GRIDMARK_ASAN
    __asan_unpoison_memory_region(memory, bytes);
#endif
}

/// Before a jump to the stack at `bottom`; `*keep` holds what finish_switch() wants when this stack runs
/// again.
inline void start_switch([[maybe_unused]] void** keep, [[maybe_unused]] const void* bottom,
                         [[maybe_unused]] std::size_t bytes) {
#if GRIDMARK_ASAN
    __sanitizer_start_switch_fiber(keep, bottom, bytes);
#endif
}

/// After a jump; tells which stack it came from.
inline void finish_switch([[maybe_unused]] void* keep, [[maybe_unused]] const void** from_bottom,
                          [[maybe_unused]] std::size_t* from_bytes) {
#if GRIDMARK_ASAN
    __sanitizer_finish_switch_fiber(keep, from_bottom, from_bytes);
#endif
}

}  // namespace gridmark::launch::executor
