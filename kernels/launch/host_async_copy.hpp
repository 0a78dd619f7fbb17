#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace gridmark::launch::executor {

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

}  // namespace gridmark::launch::executor
