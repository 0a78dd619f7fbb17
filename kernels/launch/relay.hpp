#pragma once

#include <cstddef>

#include "kernels/launch/cluster.hpp"
#include "kernels/launch/exchange.hpp"

/// Messages from each block of a cluster to the next one. They lie in the dynamic shared memory of the block
/// that they are for, a ring of `slots` of them, so that a block may be some messages ahead; they are
/// numbered from 0, and each has the same count of 16-byte words. Words cross by themselves (st.async): no
/// thread waits for them but those that need them, and no fence holds up the loads that are under way, as a
/// barrier of the cluster would.
///
///     Relay<V, 4> relay(shared, words);                 // all threads of all blocks, at the same place
///     cluster_barrier();
///     relay.wait_for_room(n), relay.send(n, w, value);  // who sends word w, to the next block
///     const V* message = relay.receive(n);              // who needs it, from the block before
///     __syncthreads();
///     if (threadIdx.x == 0) relay.release(n);           // when all have read it
///
/// All messages but the last `slots` are to be released; and behind the last one, a cluster_barrier(): a
/// block that has ended has no memory.
namespace gridmark::launch {
inline namespace GRIDMARK_EXECUTOR {

template <class V, int slots>
class Relay {
    static_assert(sizeof(V) == 16 && std::is_trivially_copyable_v<V>);

  public:
    /// Of shared memory, for messages of so many words.
    __host__ __device__ static constexpr std::size_t bytes(int words) {
        return sizeof(Counters) + slots * words * sizeof(V);
    }
    __device__ Relay(void* shared, int words)
        : counters_(static_cast<Counters*>(shared)),
          message_(reinterpret_cast<V*>(counters_ + 1)),
          words_(words) {
        if (threadIdx.x == 0) start();
    }

    __device__ void wait_for_room(int number);
    __device__ void send(int number, int word, const V& value);
    __device__ const V* receive(int number) const;
    __device__ void release(int number);

  private:
    struct alignas(16) Counters {
        Word full[slots];  ///< what has come
        Word room[slots];  ///< what the next block has released
    };
    __device__ void start();

    Counters* counters_;
    V* message_;
    int words_;
};

#if defined(GRIDMARK_HOST_EXECUTOR)

// Counted from the beginning: words that have come, messages that were released.

inline Word loaded(Word& counter) {
    return std::atomic_ref(counter).load(std::memory_order_acquire);
}
template <class T>
T* at_rank(int rank, T* mine) {
    return static_cast<T*>(executor::at_rank(rank, mine));
}

template <class V, int slots>
void Relay<V, slots>::start() {
    *counters_ = {};
}
template <class V, int slots>
void Relay<V, slots>::wait_for_room(int number) {
    wait_until([&] { return loaded(counters_->room[number % slots]) >= Word(number / slots); });
}
template <class V, int slots>
void Relay<V, slots>::send(int number, int word, const V& value) {
    const int slot = number % slots, next = cluster_rank() + 1;
    *at_rank(next, message_ + slot * words_ + word) = value;
    std::atomic_ref(*at_rank(next, &counters_->full[slot])).fetch_add(1, std::memory_order_release);
}
template <class V, int slots>
const V* Relay<V, slots>::receive(int number) const {
    const int slot = number % slots;
    wait_until([&] { return loaded(counters_->full[slot]) >= Word(number / slots + 1) * words_; });
    return message_ + slot * words_;
}
template <class V, int slots>
void Relay<V, slots>::release(int number) {
    receive(number);
    Word* const room = at_rank(cluster_rank() - 1, &counters_->room[number % slots]);
    std::atomic_ref(*room).fetch_add(1, std::memory_order_release);
}

#else

// An mbarrier each. That of `full` waits for one thread, which says how many bytes a message has, and for the
// bytes; that of `room` for one thread of the next block. A phase ends with each message, so its parity tells
// whether the one asked for has come: nobody is a whole ring behind.

__device__ inline unsigned shared_address(const void* of) {
    return static_cast<unsigned>(__cvta_generic_to_shared(of));
}
/// The same place in the shared memory of another block of the cluster.
__device__ inline unsigned at_rank(int rank, const void* mine) {
    unsigned address = 0;
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(address) : "r"(shared_address(mine)), "r"(rank));
#endif
    return address;
}
__device__ inline void expect_bytes([[maybe_unused]] Word* barrier, [[maybe_unused]] unsigned bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
#endif
}
/// Until the phase of that parity has ended.
__device__ inline void wait_for_phase([[maybe_unused]] const Word* barrier,
                                      [[maybe_unused]] unsigned parity) {
#if __CUDA_ARCH__ >= 900
    unsigned ended = 0;
    while (ended == 0)
        asm volatile(
            "{\n.reg .pred p;\n"
            "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
            "selp.u32 %0, 1, 0, p;\n}"
            : "=r"(ended)
            : "r"(shared_address(barrier)), "r"(parity)
            : "memory");
#endif
}

template <class V, int slots>
__device__ void Relay<V, slots>::start() {
#if __CUDA_ARCH__ >= 900
    for (int slot = 0; slot < slots; ++slot)
        for (Word* barrier : {&counters_->full[slot], &counters_->room[slot]})
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(barrier)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    for (int slot = 0; slot < slots; ++slot)
        expect_bytes(&counters_->full[slot], words_ * sizeof(V));
#endif
}
template <class V, int slots>
__device__ void Relay<V, slots>::wait_for_room(int number) {
    if (number >= slots) wait_for_phase(&counters_->room[number % slots], (number / slots - 1) & 1);
}
template <class V, int slots>
__device__ void Relay<V, slots>::send(int number, int word, const V& value) {
#if __CUDA_ARCH__ >= 900
    const int slot = number % slots, next = cluster_rank() + 1;
    int4 bits;
    memcpy(&bits, &value, sizeof bits);
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %2, %3, %4}, [%5];" ::
            "r"(at_rank(next, message_ + slot * words_ + word)),
        "r"(bits.x), "r"(bits.y), "r"(bits.z), "r"(bits.w), "r"(at_rank(next, &counters_->full[slot]))
        : "memory");
#endif
}
template <class V, int slots>
__device__ const V* Relay<V, slots>::receive(int number) const {
    const int slot = number % slots;
    wait_for_phase(&counters_->full[slot], number / slots & 1);
    return message_ + slot * words_;
}
template <class V, int slots>
__device__ void Relay<V, slots>::release(int number) {
    receive(number);
#if __CUDA_ARCH__ >= 900
    Word* const full = &counters_->full[number % slots];
    expect_bytes(full, words_ * sizeof(V));
    // Released to the block only: to more it would wait for all loads that are under way. What is handed back
    // is room. No one reads what this thread wrote, and the barrier before it has ordered the reads of
    // others.
    asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(
                     at_rank(cluster_rank() - 1, &counters_->room[number % slots]))
                 : "memory");
#endif
}

#endif

}  // namespace GRIDMARK_EXECUTOR
}  // namespace gridmark::launch
