#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace gridmark::harness {

/// An array that no page stands behind yet, so that the thread that first writes an element decides where it
/// lies; huge pages where the system gives them, else page tables take a share of the bandwidth.
template <class T>
class LargeArray {
  public:
    explicit LargeArray(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
        data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
        if (data_ == nullptr) throw std::bad_alloc();
        (void)madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish
    }

    T* data() { return data_.get(); }

  private:
    static constexpr std::size_t alignment = std::size_t{2} << 20;
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    std::unique_ptr<T, Free> data_;
};

}  // namespace gridmark::harness
