#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "kernels/launch/host_fiber.hpp"
#include "kernels/launch/host_random.hpp"
#include "kernels/launch/host_shared.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::launch {
class HostDevice;
}

namespace gridmark::launch::executor {

/// CUDA's uint3.
struct Index {
    unsigned x = 0;
    unsigned y = 0;
    unsigned z = 0;
};

// Where the kernel thread that runs now stands; kernels see them under the same names.
extern thread_local constinit Index threadIdx;
extern thread_local constinit Index blockIdx;
extern thread_local constinit Dim3 blockDim;
extern thread_local constinit Dim3 gridDim;

/// A line of a kernel.
struct Site {
    const char* file = "";
    int line = 0;
};

/// One kernel thread's asynchronous copies (see async_copy.hpp). They happen as late as they may: when the
/// thread waits for their group. Defined here, so that a sanitizer sees them as the kernel's.
class AsyncCopies {
  public:
    /// Without `from` it copies zeros.
    void start(void* to, const void* from, std::size_t bytes) {
        std::memset(to, 0xFF, bytes);
        copies_.push_back({to, from, bytes, closed_});
    }
    void close() { ++closed_; }
    /// Copies all closed groups but the `under_way` youngest.
    void wait(std::size_t under_way) {
        std::size_t done = 0;
        for (; done < copies_.size() && copies_[done].group + under_way < closed_; ++done)
            if (const Copy& copy = copies_[done]; copy.from != nullptr)
                std::memcpy(copy.to, copy.from, copy.bytes);
            else
                std::memset(copy.to, 0, copy.bytes);
        copies_.erase(copies_.begin(), copies_.begin() + static_cast<std::ptrdiff_t>(done));
    }
    /// Forgets what nobody waited for.
    void clear() { copies_.clear(); }

  private:
    struct Copy {
        void* to;
        const void* from;
        std::size_t bytes, group;
    };
    std::vector<Copy> copies_;
    std::size_t closed_ = 0;
};

/// One kernel call, without its types: `invoke(arguments)` runs the kernel for the current thread.
struct Call {
    void (*invoke)(const void* arguments);
    const void* arguments;
    std::size_t bytes;  ///< of the arguments
};

class Block;

/// What a test may put between the device's memory and blocks that run at once: a machine on which they see
/// each other's writes late and in another order. See HostDevice::between_blocks().
class BlockMemory {
  public:
    virtual ~BlockMemory() = default;
    /// Before and after a turn of this block; it `ended` if it has no further one.
    virtual void enter(const Block& block) = 0;
    virtual void leave(const Block& block, bool ended) = 0;
    /// Right before this block, whose turn it is, loads or stores a flag or a message in this order.
    virtual void order(const Block& block, std::memory_order order) = 0;
    /// Whether a write is still on its way, so that blocks that wait may yet go on.
    virtual bool is_late() const = 0;
};

/// What all blocks of a launch have in common.
struct Grid {
    Shape shape;
    Call call;
    HostOptions options;
    BlockMemory* memory = nullptr;  ///< only where blocks may wait for each other
    HostDevice* device = nullptr;   ///< that is told how often threads met
};

/// Runs the threads of one block after another. All threads run up to a barrier or their end (a round), each
/// on a fiber of its own if it waits; when none can go on, the barrier opens or the block is stuck. One
/// operating system thread can take several blocks in turns.
class Block {
  public:
    /// What came of a turn: the block ended; it did something and now waits for other blocks; it did nothing,
    /// for none of the threads that wait for other blocks can go on yet.
    enum class Turn { ended, went_on, waits };

    explicit Block(FiberPool& pool) : pool_(pool) {}

    /// Takes up a launch.
    void start_launch(const Grid& grid);
    /// Runs the block with this number from start to end. One that waits for another block is an error.
    void run(std::uint64_t number);
    /// Begins the block with this number; turn() runs it until it ends or must wait for other blocks.
    void start(std::uint64_t number);
    Turn turn();
    /// After a failure, here or in another block: unwinds the stacks of threads that still wait, so that the
    /// fibers can be used again.
    void abandon() noexcept;
    /// "block (1, 0, 0) at file:line": the place where the block waits for others.
    std::string waiting() const;

    /// For kernels: the block whose thread runs now; null outside kernels.
    static Block* current();
    /// For messages between blocks: tells the memory between them what comes; nothing outside kernels.
    static void order(std::memory_order order);
    /// For kernels: waits for all threads of the block.
    void barrier(Site site);
    /// For kernels: waits for the threads of `mask` in this warp; returns what lane `source` brought.
    std::uint64_t exchange(unsigned mask, std::uint64_t value, unsigned source, Site site);
    /// For kernels: lets others run, as what this thread waits for has not come.
    void poll(Site site);
    /// For kernels: what this thread waited for has come.
    void arrived();
    /// For kernels: an exchange was a shuffle.
    void shuffled() { ++threads_[current_].shuffles; }
    /// For kernels: this thread's place in its warp.
    unsigned lane() const { return static_cast<unsigned>(current_) % warp_size; }
    /// For kernels: the block's shared memory.
    SharedMemory& shared() { return shared_; }
    /// For kernels: this thread's asynchronous copies.
    AsyncCopies& copies() { return threads_[current_].copies; }

    static constexpr unsigned warp_size = 32;

  private:
    enum class State : std::uint8_t { fresh, ready, at_barrier, in_warp, polling, ended };

    struct Thread {
        Index index;
        State state = State::fresh;
        Fiber* fiber = nullptr;
        Site site;
        unsigned mask = 0;
        std::uint64_t brought = 0;
        std::uint64_t published = 0;
        std::uint64_t published_round = 0;
        std::uint64_t shuffles = 0, messages = 0;
        AsyncCopies copies;
    };

    void enter();
    void leave(bool ended);
    Turn until_waiting();
    bool round();
    void serve();
    void resume(std::size_t thread);
    void wait(Thread& thread, State state, Site site);
    bool open_barrier();
    bool open_warps();
    bool complete(std::size_t first, const Thread& caller) const;
    void tell_meetings() const;
    std::string stuck() const;

    FiberPool& pool_;
    const Grid* grid_ = nullptr;
    Index index_;
    SharedMemory shared_;
    std::vector<Thread> threads_;
    std::vector<std::uint16_t> order_;
    Random random_{0};
    std::uint64_t round_ = 0;
    std::size_t next_ = 0;
    std::size_t current_ = 0;
    std::size_t ended_ = 0;
    std::size_t at_barrier_ = 0;
    std::size_t in_warp_ = 0;
    std::size_t polling_ = 0;
    std::uint64_t barriers_ = 0;
    bool progress_ = false;
    std::exception_ptr failure_;
    bool abandoning_ = false;
};

}  // namespace gridmark::launch::executor
