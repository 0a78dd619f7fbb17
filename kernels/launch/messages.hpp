#pragma once

#include <cstring>
#include <type_traits>

#include "kernels/launch/kernel.hpp"
#if defined(GRIDMARK_HOST_EXECUTOR)
#include <atomic>
#endif

/// How blocks of one launch tell each other something, which needs launch_cooperative(): a block that does
/// not run yet cannot answer. Two ways, both for memory that holds no message yet (zeros) before the first:
///
/// A **flag** says that what its writer wrote before it stands in memory: signal() releases, wait_until()
/// acquires. Data, flag and the waiting reader's data each cross the L2 cache in turn, and the writer waits
/// for its data before it sets the flag.
///
/// A **flag-carrying message** (as in NCCL's LL protocol) is its own flag: every 8 bytes hold 4 bytes of the
/// message and its number. One store sends it; the load that finds it has it. Twice the bytes, a
/// third of the time; made for few values and short waits. Nothing else that the writer wrote is promised.
///
/// Numbers tell a message from the one that stood in its place before. They go on from launch to launch: the
/// arguments of a launch that a graph holds are always the same, so a kernel keeps the last one in memory.
namespace gridmark::launch {
inline namespace GRIDMARK_EXECUTOR {

using Word = unsigned long long;

/// Place for a T, of 4, 8 or 16 bytes.
template <class T>
struct alignas(sizeof(T) > 4 ? 16 : 8) Message {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
    static constexpr int words = sizeof(T) / 4;
    Word word[words];
};

#if defined(GRIDMARK_HOST_EXECUTOR)

// Every order is said once, to the compiler and to a test's model of a machine (executor::BlockMemory).
template <class T>
void store_ordered(T& to, T value, std::memory_order order) {
    executor::Block::order(order);
    std::atomic_ref(to).store(value, order);
}
template <class T>
T load_ordered(const T& from, std::memory_order order) {
    executor::Block::order(order);
    return std::atomic_ref(const_cast<T&>(from)).load(order);
}
inline void signal(unsigned* flag, unsigned value) {
    store_ordered(*flag, value, std::memory_order_release);
}
inline unsigned load_acquire(const unsigned* from) {
    return load_ordered(*from, std::memory_order_acquire);
}
template <int words>
void store_words(Word* to, const Word* from) {
    for (int i = 0; i < words; ++i)
        store_ordered(to[i], from[i], std::memory_order_relaxed);
}
template <int words>
void load_words(const Word* from, Word* to) {
    for (int i = 0; i < words; ++i)
        to[i] = load_ordered(from[i], std::memory_order_relaxed);
}

// A launch in which every block waits for another one ends with an Error that names the caller's line.
template <class Ready>
void wait_until(Ready ready, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    executor::Block& block = *executor::Block::current();
    while (!ready())
        block.poll({file, line});
    block.arrived();
}

#else

/// Sets a flag to `value`: who finds it there sees all that this thread wrote or saw before (its block's
/// writes, after a __syncthreads).
__device__ inline void signal(unsigned* flag, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}
__device__ inline unsigned load_acquire(const unsigned* from) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}
// Each word is stored and loaded whole; two at a time are two such words.
template <int words>
__device__ inline void store_words(Word* to, const Word* from) {
    if constexpr (words == 1)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(*from) : "memory");
    else
        for (int i = 0; i < words; i += 2)
            asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(to + i), "l"(from[i]),
                         "l"(from[i + 1])
                         : "memory");
}
template <int words>
__device__ inline void load_words(const Word* from, Word* to) {
    if constexpr (words == 1)
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(*to) : "l"(from) : "memory");
    else
        for (int i = 0; i < words; i += 2)
            asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                         : "=l"(to[i]), "=l"(to[i + 1])
                         : "l"(from + i)
                         : "memory");
}

/// Waits until ready() is true; it is called again and again, and may write what it finds to the caller's
/// variables.
template <class Ready>
__device__ inline void wait_until(Ready ready) {
    while (!ready()) {
    }
}

#endif

/// Whether the flag has come to `value` or beyond; flags may wrap around.
__device__ inline bool signalled(const unsigned* flag, unsigned value) {
    return static_cast<int>(load_acquire(flag) - value) >= 0;
}

/// Sends message `number`.
template <class T>
__device__ inline void send(Message<T>* to, unsigned number, const T& value) {
    unsigned part[Message<T>::words];
    memcpy(part, &value, sizeof value);
    Word word[Message<T>::words];
    for (int i = 0; i < Message<T>::words; ++i)
        word[i] = Word{number} << 32 | part[i];
    store_words<Message<T>::words>(to->word, word);
}

/// The message as it stands now. Poll all messages that a wait is for before reading one of them: the
/// loads are then under way together.
template <class T>
__device__ inline Message<T> poll(const Message<T>* from) {
    Message<T> copy;
    load_words<Message<T>::words>(from->word, copy.word);
    return copy;
}

/// Whether that is message `number`, and then what it says.
template <class T>
__device__ inline bool read(const Message<T>& copy, unsigned number, T& value) {
    unsigned part[Message<T>::words];
    bool whole = true;
    for (int i = 0; i < Message<T>::words; ++i) {
        part[i] = static_cast<unsigned>(copy.word[i]);
        whole = whole && copy.word[i] >> 32 == number;
    }
    if (whole) memcpy(&value, part, sizeof value);
    return whole;
}

}  // namespace GRIDMARK_EXECUTOR
}  // namespace gridmark::launch
