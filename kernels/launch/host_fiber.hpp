#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace gridmark::launch::executor {

/// A stack of its own on which work can stop in the middle and go on later, always on the same operating
/// system thread. It serves one piece of work after another, so its stack is mapped once.
class Fiber {
  public:
    using Work = void (*)(void* argument);

    /// `number` shifts the stack's top: stacks that all start at one page offset would share a few cache
    /// sets.
    explicit Fiber(std::size_t number);
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// What the next resume() starts. `work` must not throw.
    void assign(Work work, void* argument);
    /// Runs until the work suspends or ends; true if it ended.
    bool resume();
    /// Called by the work: back to whoever called resume().
    void suspend();

  private:
    struct Entry;

    void* mapping_;
    void* context_;
    void* caller_ = nullptr;
    void* history_;
    void* caller_history_ = nullptr;
    const void* caller_bottom_ = nullptr;
    std::size_t caller_bytes_ = 0;
    Work work_ = nullptr;
    void* argument_ = nullptr;
    bool ended_ = false;
};

/// Fibers of one operating system thread that have no work.
class FiberPool {
  public:
    /// A fiber without work, a new one if none is left. The last that was given back: its stack is in the
    /// cache.
    Fiber& take();
    /// For ThreadSanitizer: from here on take() hands out at least so many in turns, so that the threads of a
    /// block, or of blocks that are alive at once, have each a stack and a history of its own even where they
    /// run one after another.
    void rotate(std::size_t fibers);
    /// Gives a fiber back once its work has ended.
    void give(Fiber& fiber) { idle_.push_back(&fiber); }

  private:
    std::vector<std::unique_ptr<Fiber>> all_;
    std::deque<Fiber*> idle_;
};

}  // namespace gridmark::launch::executor
