#include "kernels/launch/host_fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <boost/context/detail/fcontext.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "kernels/launch/error.hpp"
#include "kernels/launch/host_sanitizer.hpp"
#include "kernels/launch/host_thread_sanitizer.hpp"

// The bare context switch below Boost's fiber classes: Debian builds those without AddressSanitizer's hooks.

namespace gridmark::launch::executor {
namespace context = boost::context::detail;
namespace {

// Frames are several times larger under AddressSanitizer. Only the pages that are touched cost memory.
constexpr std::size_t stack_bytes = (address_sanitizer ? 256 : 64) * 1024;

std::size_t guard_bytes() {
    static const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return page;
}

// Stacks grow down, towards the guard page: an overflow is a crash at once, not a wrong number somewhere
// else.
void* map_stack() {
    const std::size_t bytes = guard_bytes() + stack_bytes;
    const Unwatched creation;
    void* const mapping =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED)
        throw OutOfMemory(std::string("cannot map a stack for a kernel thread: ") + std::strerror(errno));
    if (mprotect(mapping, guard_bytes(), PROT_NONE) != 0) {
        const int error = errno;
        munmap(mapping, bytes);
        throw OutOfMemory(std::string("cannot guard the stack of a kernel thread: ") + std::strerror(error));
    }
    return mapping;
}

}  // namespace

struct Fiber::Entry {
    static char* bottom(const Fiber& fiber) { return static_cast<char*>(fiber.mapping_) + guard_bytes(); }

    // The first frame of the stack; it is never left.
    static void run(context::transfer_t from) {
        Fiber& fiber = *static_cast<Fiber*>(from.data);
        finish_switch(nullptr, &fiber.caller_bottom_, &fiber.caller_bytes_);
        fiber.caller_ = from.fctx;
        for (;;) {
            fiber.work_(fiber.argument_);
            fiber.ended_ = true;
            fiber.suspend();
        }
    }
};

Fiber::Fiber(std::size_t number) : mapping_(map_stack()), history_(make_history()) {
    const std::size_t usable = stack_bytes - number % 32 * 128;
    context_ = context::make_fcontext(Entry::bottom(*this) + usable, usable, &Entry::run);
}

Fiber::~Fiber() {
    drop_history(history_);
    permit(Entry::bottom(*this), stack_bytes);
    munmap(mapping_, guard_bytes() + stack_bytes);
}

void Fiber::assign(Work work, void* argument) {
    work_ = work;
    argument_ = argument;
}

bool Fiber::resume() {
    ended_ = false;
    void* keep = nullptr;
    start_switch(&keep, Entry::bottom(*this), stack_bytes);
    caller_history_ = this_history();
    go_unseeing(history_);
    context_ = context::jump_fcontext(context_, this).fctx;
    finish_switch(keep, nullptr, nullptr);
    return ended_;
}

void Fiber::suspend() {
    void* keep = nullptr;
    start_switch(&keep, caller_bottom_, caller_bytes_);
    go_seen(caller_history_);
    caller_ = context::jump_fcontext(caller_, nullptr).fctx;
    finish_switch(keep, &caller_bottom_, &caller_bytes_);
}

Fiber& FiberPool::take() {
    if (idle_.empty()) {
        all_.push_back(std::make_unique<Fiber>(all_.size()));
        return *all_.back();
    }
    Fiber& fiber = thread_sanitizer ? *idle_.front() : *idle_.back();
    thread_sanitizer ? idle_.pop_front() : idle_.pop_back();
    return fiber;
}

void FiberPool::rotate(std::size_t fibers) {
    while (all_.size() < fibers) {
        all_.push_back(std::make_unique<Fiber>(all_.size()));
        give(*all_.back());
    }
}

}  // namespace gridmark::launch::executor
