#pragma once

// What the executor tells ThreadSanitizer; nothing without it. Every fiber is a thread of its own there,
// although one operating system thread runs many: only what a kernel orders (its start, its barriers) counts
// as ordered, not the turns in which the fibers happen to run. So an access that lacks a barrier is a race in
// whatever order they run.
//
// The scheduler's own files (see CMakeLists.txt) are not instrumented: it and the kernel threads share a
// Block in turns, which ThreadSanitizer cannot know. That is why CMakeLists.txt defines GRIDMARK_TSAN: no
// compiler would.

#if GRIDMARK_TSAN
#include <sanitizer/tsan_interface.h>
// Exported by the run-time library, declared by no header of it.
extern "C" void AnnotateIgnoreWritesBegin(const char* file, int line);
extern "C" void AnnotateIgnoreWritesEnd(const char* file, int line);
#endif

namespace gridmark::launch::executor {

inline constexpr bool thread_sanitizer = GRIDMARK_TSAN != 0;

/// What one thread has done and seen, as ThreadSanitizer keeps it; made and dropped by the fiber that it
/// belongs to.
inline void* make_history() {
#if GRIDMARK_TSAN
    return __tsan_create_fiber(0);
#else
    return nullptr;
#endif
}

inline void drop_history([[maybe_unused]] void* history) {
#if GRIDMARK_TSAN
    __tsan_destroy_fiber(history);
#endif
}

/// The history of who runs now.
inline void* this_history() {
#if GRIDMARK_TSAN
    return __tsan_get_current_fiber();
#else
    return nullptr;
#endif
}

/// Right before a jump to a fiber: it has seen nothing of what others did, until it calls see().
inline void go_unseeing([[maybe_unused]] void* history) {
#if GRIDMARK_TSAN
    __tsan_switch_to_fiber(history, __tsan_switch_to_fiber_no_sync);
#endif
}

/// Right before a jump back to the scheduler, which sees all that the fiber has seen and done.
inline void go_seen([[maybe_unused]] void* history) {
#if GRIDMARK_TSAN
    __tsan_switch_to_fiber(history, 0);
#endif
}

/// Leaves what the caller has seen and done at `place`, for see().
inline void show([[maybe_unused]] void* place) {
#if GRIDMARK_TSAN
    __tsan_release(place);
#endif
}

/// What was shown at `place` happened before what the caller does from here on.
inline void see([[maybe_unused]] void* place) {
#if GRIDMARK_TSAN
    __tsan_acquire(place);
#endif
}

/// While it lives, writes and allocations are nobody's: memory that the first thread to come makes for all of
/// its block.
struct [[maybe_unused]] Unwatched {
#if GRIDMARK_TSAN
    Unwatched() {
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }
    ~Unwatched() {
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    }
    Unwatched(const Unwatched&) = delete;
    Unwatched& operator=(const Unwatched&) = delete;
#endif
};

}  // namespace gridmark::launch::executor
