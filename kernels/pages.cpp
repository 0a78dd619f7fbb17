#include "kernels/pages.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <new>

namespace gridmark {
namespace {

constexpr std::size_t page = std::size_t{2} << 20;
/// Where an array may begin: not at any line, since a core that prefetches takes lines by pairs, and the pair
/// at the border of two threads' parts would be shared or not by turns.
constexpr std::size_t unit = 512;

/// Units from one array's start to the next one's, within a page: near the golden ratio of its units, and of
/// the 8 units of 4 KiB, so that a handful of arrays keep apart in both; odd, so that none comes back early.
constexpr std::size_t stagger = 2531;

/// What is mapped for an array: its bytes, wherever in the first page they begin.
constexpr std::size_t mapped(std::size_t bytes) {
    return (bytes + page - 1) / page * page + page;
}

}  // namespace

void* allocate_pages(std::size_t bytes) {
    static std::atomic<std::size_t> arrays{0};
    if (bytes > static_cast<std::size_t>(-1) - 3 * page) throw std::bad_alloc();
    const std::size_t size = mapped(bytes);
    void* const found =
        mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (found == MAP_FAILED) throw std::bad_alloc();
    char* const from = static_cast<char*>(found);
    const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(from) % page) % page;
    if (before > 0) munmap(from, before);
    if (before < page) munmap(from + before + size, page - before);
    madvise(from + before, size, MADV_HUGEPAGE);  // refused, it only costs speed
    return from + before + arrays++ * stagger * unit % page;
}

void free_pages(void* memory, std::size_t bytes) noexcept {
    char* const at = static_cast<char*>(memory);
    munmap(at - reinterpret_cast<std::uintptr_t>(at) % page, mapped(bytes));
}

}  // namespace gridmark
