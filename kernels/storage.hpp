#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "kernels/launch/host_sanitizer.hpp"
#include "kernels/pages.hpp"

namespace gridmark {

/// An allocator of memory aligned to a cache line, that leaves numbers uninitialised: who writes them first
/// decides where the pages lie. Arrays of 8 KiB and more lie where pages.hpp puts them.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t count) {
        if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
        const std::size_t bytes = count * sizeof(T);
        return static_cast<T*>(has_pages(bytes) ? allocate_pages(bytes) : ::operator new(bytes, alignment));
    }
    void deallocate(T* memory, std::size_t count) {
        if (has_pages(count * sizeof(T)))
            free_pages(memory, count * sizeof(T));
        else
            ::operator delete(memory, alignment);
    }
    template <class U, class... Args>
    void construct(U* at, Args&&... args) {
        if constexpr (sizeof...(Args) == 0)
            ::new (static_cast<void*>(at)) U;
        else
            ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
    }
    bool operator==(const AlignedAllocator&) const { return true; }

  private:
    /// AddressSanitizer watches the bounds of what comes from the heap only.
    static constexpr bool has_pages(std::size_t bytes) {
        return !launch::executor::address_sanitizer && bytes >= least_paged_bytes;
    }
};

template <class T>
using Storage = std::vector<T, AlignedAllocator<T>>;

}  // namespace gridmark
