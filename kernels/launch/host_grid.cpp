#include "kernels/launch/host_grid.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <mutex>
#include <numeric>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/launch/host_device.hpp"
#include "kernels/launch/host_thread_sanitizer.hpp"

namespace gridmark::launch::executor {
namespace {

// A block of 1024 waiting threads holds 2048 memory mappings (stacks and their guard pages), and Linux allows
// a process 65,530.
constexpr int most_workers = 16;

// Threads of blocks that are alive at once, a fiber each. (ThreadSanitizer knows some 8000 threads in all.)
constexpr int resident_threads = 4096;

std::mutex limits_mutex;
std::unordered_map<const void*, std::size_t>& limits() {
    static std::unordered_map<const void*, std::size_t> allowed;
    return allowed;
}

void check_dynamic(const void* kernel, std::size_t bytes) {
    std::size_t limit = default_shared_limit;
    {
        const std::lock_guard lock(limits_mutex);
        if (const auto found = limits().find(kernel); found != limits().end()) limit = found->second;
    }
    if (bytes > limit)
        throw Error("cannot launch a kernel with " + std::to_string(bytes) +
                    " bytes of dynamic shared memory: it may use " + std::to_string(limit) +
                    "; see allow_dynamic_shared");
}

// Maps 0, 1, 2, ... to the order in which blocks start. Random: a step that has no factor in common with the
// count.
class BlockOrder {
  public:
    BlockOrder(const HostOptions& options, std::uint64_t count) : order_(options.order), count_(count) {
        if (order_ != HostOptions::Order::random) return;
        Random random(options.seed);
        first_ = random() % count;
        step_ = 1 + random.below(std::min<std::uint64_t>(count, 0xffffffffu));
        while (std::gcd(step_, count) != 1)
            ++step_;
    }
    std::uint64_t operator()(std::uint64_t i) const {
        if (order_ == HostOptions::Order::reverse) return count_ - 1 - i;
        if (order_ == HostOptions::Order::forward) return i;
        // A grid may have 2^63 blocks: the product needs more than 64 bits.
        return static_cast<std::uint64_t>((static_cast<unsigned __int128>(i) * step_ + first_) % count_);
    }

  private:
    HostOptions::Order order_;
    std::uint64_t count_;
    std::uint64_t first_ = 0;
    std::uint64_t step_ = 1;
};

// What an operating system thread keeps between launches: mapping stacks takes longer than most kernels.
struct Worker {
    FiberPool fibers;
    Block block{fibers};
};

Worker& worker() {
    thread_local Worker mine;
    return mine;
}

void run_blocks(const Grid& grid) {
    const std::uint64_t count = volume(grid.shape.grid);
    const BlockOrder order(grid.options, count);
    const int workers = static_cast<int>(
        std::min<std::uint64_t>(count, static_cast<unsigned>(std::min(omp_get_max_threads(), most_workers))));
    std::atomic<bool> failed{false};
    std::exception_ptr failure;

#pragma omp parallel num_threads(workers)
    {
        try {
            Block& block = worker().block;
            block.start_launch(grid);
            // In turns, and relaxed: neighbours run on different threads, and nothing but the end of the
            // launch orders them, so that ThreadSanitizer sees what one block reads and another writes.
            const auto stride = static_cast<std::uint64_t>(omp_get_num_threads());
            for (auto i = static_cast<std::uint64_t>(omp_get_thread_num());
                 i < count && !failed.load(std::memory_order_relaxed); i += stride)
                block.run(order(i));
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

// Where those blocks wait that are left, the first few by name.
std::string deadlock(const std::vector<Block*>& left) {
    constexpr std::size_t named = 3;
    std::string text = "blocks wait for each other: ";
    for (std::size_t i = 0; i < std::min(left.size(), named); ++i)
        text += (i > 0 ? ", " : "") + left[i]->waiting();
    if (left.size() > named) text += " and " + std::to_string(left.size() - named) + " more";
    return text;
}

// Every block in turns as far as it can go, so that some are as far ahead of others as they ever get.
void take_turns(const Grid& grid, std::vector<Block*> left) {
    Random random(grid.options.seed);
    while (!left.empty()) {
        if (grid.options.order == HostOptions::Order::random) random.shuffle(std::span(left));
        bool went_on = false;
        std::erase_if(left, [&](Block* block) {
            const Block::Turn turn = block->turn();
            went_on |= turn != Block::Turn::waits;
            return turn == Block::Turn::ended;
        });
        const bool may_go_on = went_on || (grid.memory != nullptr && grid.memory->is_late());
        if (!may_go_on && !left.empty()) throw Error(deadlock(left));
    }
}

void run_together(const Grid& grid) {
    const std::uint64_t count = volume(grid.shape.grid);
    const BlockOrder order(grid.options, count);
    if constexpr (thread_sanitizer) worker().fibers.rotate(count * volume(grid.shape.block));
    std::deque<Block> blocks;
    std::vector<Block*> left;
    try {
        for (std::uint64_t i = 0; i < count; ++i) {
            Block& block = blocks.emplace_back(worker().fibers);
            block.start_launch(grid);
            block.start(order(i));
            left.push_back(&block);
        }
        take_turns(grid, left);
    } catch (...) {
        for (Block* block : left)
            block->abandon();
        throw;
    }
}

// Both ways of running a grid, once the launch is known to be allowed.
template <class Run>
void run_on_device(Stream stream, const Shape& shape, const void* kernel, Call call, Run run) {
    check_host(stream);
    if (Block::current() != nullptr) throw Error("a kernel cannot launch a kernel");
    check_geometry(shape);
    check_dynamic(kernel, shape.shared_bytes);
    auto& device = static_cast<HostDevice&>(*stream.device);
    device.met({.blocks = volume(shape.grid)});
    device.launch(call, [&] {
        run({.shape = shape, .call = call, .options = device.next_options(), .device = &device}, device);
    });
}

}  // namespace

void check_host(Stream stream) {
    if (stream.device == nullptr || stream.device->executor() != Executor::host)
        throw Error("a kernel compiled for the host executor was launched on a GPU");
}

void allow_dynamic_shared(const void* kernel, std::size_t bytes) {
    if (bytes > largest_shared_limit)
        throw Error("cannot allow a kernel " + std::to_string(bytes) + " bytes of dynamic shared memory: " +
                    std::to_string(largest_shared_limit) + " are the most");
    const std::lock_guard lock(limits_mutex);
    limits()[kernel] = bytes;
}

void run_grid(Stream stream, const Shape& shape, const void* kernel, Call call) {
    run_on_device(stream, shape, kernel, call, [](const Grid& grid, HostDevice&) { run_blocks(grid); });
}

void run_grid_together(Stream stream, const Shape& shape, const void* kernel, Call call) {
    run_on_device(stream, shape, kernel, call, [](Grid grid, HostDevice& device) {
        check_resident(grid.shape, resident_blocks(static_cast<unsigned>(volume(grid.shape.block))));
        grid.memory = device.between_blocks();
        run_together(grid);
    });
}

int resident_blocks(unsigned threads) {
    return std::max(1, resident_threads / static_cast<int>(threads));
}

}  // namespace gridmark::launch::executor
