#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace gridmark::harness {

/// Doubles that no page stands behind yet, so that the thread that first writes one decides where it lies;
/// huge pages where the system gives them, else page tables take a share of the bandwidth.
class LargeArray {
  public:
    explicit LargeArray(std::size_t count) {
        const std::size_t bytes = (count * sizeof(double) + alignment - 1) / alignment * alignment;
        data_.reset(static_cast<double*>(std::aligned_alloc(alignment, bytes)));
        if (data_ == nullptr) throw std::bad_alloc();
        (void)madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish
    }

    double* data() { return data_.get(); }

  private:
    static constexpr std::size_t alignment = std::size_t{2} << 20;
    struct Free {
        void operator()(double* memory) const { std::free(memory); }
    };
    std::unique_ptr<double, Free> data_;
};

}  // namespace gridmark::harness
