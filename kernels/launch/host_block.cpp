#include "kernels/launch/host_block.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/launch/host_device.hpp"
#include "kernels/launch/host_thread_sanitizer.hpp"

namespace gridmark::launch::executor {

thread_local constinit Index threadIdx;
thread_local constinit Index blockIdx;
thread_local constinit Dim3 blockDim;
thread_local constinit Dim3 gridDim;

namespace {

thread_local constinit Block* current_block = nullptr;

// Thrown into waiting threads of a block that has failed, so that their stacks unwind. Not a std::exception:
// no handler in a kernel should hold it.
struct Abandoned {};

bool same(const Site& a, const Site& b) {
    return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

std::string to_string(const Site& site) {
    return std::string(site.file) + ":" + std::to_string(site.line);
}

std::string to_string(const Index& index) {
    return launch::to_string(Dim3{index.x, index.y, index.z});
}

}  // namespace

Block* Block::current() {
    return current_block;
}

void Block::order(std::memory_order order) {
    if (current_block != nullptr && current_block->grid_->memory != nullptr)
        current_block->grid_->memory->order(*current_block, order);
}

void Block::start_launch(const Grid& grid) {
    grid_ = &grid;
    const Dim3 size = grid.shape.block;
    threads_.assign(volume(size), {});
    auto thread = threads_.begin();
    for (unsigned z = 0; z < size.z; ++z)
        for (unsigned y = 0; y < size.y; ++y)
            for (unsigned x = 0; x < size.x; ++x)
                (thread++)->index = {x, y, z};
    order_.resize(threads_.size());
    std::iota(order_.begin(), order_.end(), std::uint16_t{0});
    if (grid.options.order == HostOptions::Order::reverse) std::reverse(order_.begin(), order_.end());
    shared_.start_launch(grid.shape.shared_bytes);
    if constexpr (thread_sanitizer) pool_.rotate(threads_.size());
}

void Block::run(std::uint64_t number) {
    start(number);
    try {
        if (turn() == Turn::ended) return;
        throw Error(
            "a thread waits for another block, which need not run at all: only launch_cooperative "
            "runs all blocks at once: " +
            waiting());
    } catch (...) {
        abandon();
        throw;
    }
}

void Block::start(std::uint64_t number) {
    const Dim3 grid = grid_->shape.grid;
    index_ = {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
              static_cast<unsigned>(number / grid.x / grid.y)};
    random_ = Random(grid_->options.seed ^ (number + 1) * 0x9e3779b97f4a7c15u);
    for (Thread& thread : threads_) {
        thread.state = State::fresh;
        thread.shuffles = thread.messages = 0;
        thread.copies.clear();
    }
    barriers_ = 0;
    ended_ = at_barrier_ = in_warp_ = polling_ = 0;
    shared_.start_block();
    show(&threads_);
}

// What the block's threads find about themselves, which other blocks of this operating system thread change.
void Block::enter() {
    current_block = this;
    blockIdx = index_;
    blockDim = grid_->shape.block;
    gridDim = grid_->shape.grid;
    if (grid_->memory != nullptr) grid_->memory->enter(*this);
}

void Block::leave(bool ended) {
    if (grid_->memory != nullptr) grid_->memory->leave(*this, ended);
    current_block = nullptr;
}

Block::Turn Block::turn() {
    enter();
    try {
        const Turn result = until_waiting();
        if (result == Turn::ended) {
            shared_.check();
            tell_meetings();
        }
        leave(result == Turn::ended);
        return result;
    } catch (const std::exception& error) {
        leave(true);
        throw Error(std::string(error.what()) + ", in block " + to_string(index_));
    } catch (...) {
        leave(true);
        throw;
    }
}

Block::Turn Block::until_waiting() {
    for (Turn result = Turn::waits;; result = Turn::went_on) {
        if (round()) return Turn::ended;
        if (open_barrier() || open_warps() || progress_) continue;
        if (polling_ == 0) throw Error(stuck());
        return result;
    }
}

// Lets every thread that can go on do so, in the order asked for; true when all have ended.
bool Block::round() {
    if (grid_->options.order == HostOptions::Order::random) random_.shuffle(std::span(order_));
    ++round_;
    progress_ = false;
    for (next_ = 0; next_ < order_.size() && !failure_;) {
        const std::size_t thread = order_[next_];
        if (threads_[thread].state == State::fresh) {
            Fiber& fiber = pool_.take();
            fiber.assign([](void* block) { static_cast<Block*>(block)->serve(); }, this);
            threads_[thread].fiber = &fiber;
            resume(thread);
        } else {
            ++next_;
            if (threads_[thread].state == State::ready) {
                resume(thread);
            } else if (threads_[thread].state == State::polling) {
                --polling_;
                resume(thread);
            }
        }
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return ended_ == threads_.size();
}

void Block::resume(std::size_t thread) {
    current_ = thread;
    threadIdx = threads_[thread].index;
    Fiber& fiber = *threads_[thread].fiber;
    if (fiber.resume()) pool_.give(fiber);
}

// The work of a fiber: fresh threads one after another. The thread that comes to a barrier keeps the fiber,
// so a kernel without barriers needs one fiber for all its threads. (ThreadSanitizer takes a fiber for a
// thread.)
void Block::serve() {
    Fiber* fiber = threads_[current_].fiber;
    bool more = true;
    while (more && next_ < order_.size() && !failure_ && threads_[order_[next_]].state == State::fresh) {
        more = !thread_sanitizer;
        current_ = order_[next_++];
        Thread& thread = threads_[current_];
        thread.fiber = fiber;
        threadIdx = thread.index;
        see(&threads_);
        try {
            grid_->call.invoke(grid_->call.arguments);
        } catch (const Abandoned&) {
        } catch (const std::exception& error) {
            failure_ = std::make_exception_ptr(
                Error(std::string(error.what()) + ", in thread " + to_string(thread.index)));
        } catch (...) {
            failure_ = std::make_exception_ptr(
                Error("a kernel threw something unknown, in thread " + to_string(thread.index)));
        }
        thread.state = State::ended;
        ++ended_;
    }
}

void Block::wait(Thread& thread, State state, Site site) {
    thread.state = state;
    thread.site = site;
    thread.fiber->suspend();
    if (abandoning_) throw Abandoned{};
}

void Block::barrier(Site site) {
    ++at_barrier_;
    wait(threads_[current_], State::at_barrier, site);
    see(&threads_);
}

bool Block::open_barrier() {
    if (at_barrier_ != threads_.size()) return false;
    const Site site = threads_.front().site;
    for (const Thread& thread : threads_)
        if (!same(thread.site, site)) return false;
    for (Thread& thread : threads_)
        thread.state = State::ready;
    at_barrier_ = 0;
    ++barriers_;
    show(&threads_);
    return true;
}

void Block::poll(Site site) {
    ++polling_;
    wait(threads_[current_], State::polling, site);
}

void Block::arrived() {
    progress_ = true;
    ++threads_[current_].messages;
}

void Block::tell_meetings() const {
    Meetings met{.barriers = barriers_};
    for (const Thread& thread : threads_) {
        met.shuffles = std::max(met.shuffles, thread.shuffles);
        met.messages = std::max(met.messages, thread.messages);
    }
    grid_->device->met(met);
}

std::uint64_t Block::exchange(unsigned mask, std::uint64_t value, unsigned source, Site site) {
    Thread& thread = threads_[current_];
    const std::size_t first = current_ / warp_size * warp_size;
    if ((mask >> (current_ - first) & 1u) == 0)
        throw Error("a warp operation at " + to_string(site) + " whose mask leaves out its own thread");
    thread.mask = mask;
    thread.brought = value;
    ++in_warp_;
    show(&threads_[first]);
    wait(thread, State::in_warp, site);
    see(&threads_[first]);
    // CUDA leaves open what a lane outside the mask, or one that has ended, brings: all bits set shows as a
    // NaN.
    constexpr std::uint64_t nothing = ~std::uint64_t{0};
    if ((mask >> source & 1u) == 0 || first + source >= threads_.size()) return nothing;
    const Thread& from = threads_[first + source];
    return from.published_round == thread.published_round ? from.published : nothing;
}

// All threads that the caller's mask names, except those that have ended, wait where the caller does.
bool Block::complete(std::size_t first, const Thread& caller) const {
    const std::size_t last = std::min(first + warp_size, threads_.size());
    for (std::size_t i = first; i < last; ++i) {
        const Thread& other = threads_[i];
        if ((caller.mask >> (i - first) & 1u) == 0 || other.state == State::ended) continue;
        if (other.state != State::in_warp || other.mask != caller.mask || !same(other.site, caller.site))
            return false;
    }
    return true;
}

bool Block::open_warps() {
    if (in_warp_ == 0) return false;
    bool opened = false;
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        if (threads_[i].state != State::in_warp) continue;
        const std::size_t first = i / warp_size * warp_size;
        if (!complete(first, threads_[i])) continue;
        const unsigned mask = threads_[i].mask;
        for (std::size_t j = i; j < std::min(first + warp_size, threads_.size()); ++j) {
            Thread& member = threads_[j];
            if ((mask >> (j - first) & 1u) == 0 || member.state != State::in_warp) continue;
            member.state = State::ready;
            // A copy: a thread may bring its next value before its neighbours have read this one.
            member.published = member.brought;
            member.published_round = round_;
            --in_warp_;
        }
        opened = true;
    }
    return opened;
}

void Block::abandon() noexcept {
    enter();
    abandoning_ = true;
    next_ = order_.size();
    for (std::size_t i = 0; i < threads_.size(); ++i)
        if (threads_[i].state != State::fresh && threads_[i].state != State::ended) resume(i);
    abandoning_ = false;
    failure_ = nullptr;
    leave(true);
}

std::string Block::waiting() const {
    const auto polls = [](const Thread& thread) { return thread.state == State::polling; };
    const auto found = std::find_if(threads_.begin(), threads_.end(), polls);
    return "block " + to_string(index_) + " at " + to_string(found->site);
}

std::string Block::stuck() const {
    const auto waits = [](const Thread& thread) { return thread.state != State::ended; };
    const Thread& first = *std::find_if(threads_.begin(), threads_.end(), waits);
    std::size_t here = 0;
    const Thread* elsewhere = nullptr;
    for (const Thread& thread : threads_) {
        if (waits(thread) && thread.state == first.state && same(thread.site, first.site))
            ++here;
        else if (waits(thread) && elsewhere == nullptr)
            elsewhere = &thread;
    }
    std::string text = first.state == State::at_barrier ? "the barrier at " : "the warp operation at ";
    text += to_string(first.site) + " was reached by " + std::to_string(here) + " of " +
            std::to_string(threads_.size()) + " threads";
    if (ended_ > 0) text += ", " + std::to_string(ended_) + " had returned";
    if (elsewhere != nullptr)
        text += ", thread " + to_string(elsewhere->index) + " waits at " + to_string(elsewhere->site);
    return text;
}

}  // namespace gridmark::launch::executor
