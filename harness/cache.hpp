#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <list>
#include <memory>

#include "harness/os/limits.hpp"

namespace gridmark::harness {

/// Bytes of host memory that can be had now; 0 where nobody says.
inline double free_host_memory() {
    const auto free = read_available_memory();
    return free ? static_cast<double>(*free.value) : 0;
}

/// What was made and may be asked for again: a run comes back to each size for every clock, and a large start
/// with its reference takes seconds.
template <class Value>
class Cache {
  public:
    /// Holds `most` values, fewer where memory is short; `free` says how many bytes can be had.
    explicit Cache(std::size_t most = std::numeric_limits<std::size_t>::max(),
                   double (*free)() = free_host_memory)
        : most_(most), free_(free) {}

    /// The value that `matches`, or what `make` makes. Before it makes one, those that were not asked for the
    /// longest go until three times its `bytes` are free: for itself, and for what works on it.
    template <class Matches, class Make>
    std::shared_ptr<const Value> get(Matches matches, double bytes, Make make) {
        const auto found =
            std::find_if(values_.begin(), values_.end(), [&](const auto& value) { return matches(*value); });
        if (found != values_.end()) {
            values_.splice(values_.begin(), values_, found);
            return values_.front();
        }
        while (!values_.empty() && (values_.size() >= most_ || free_() < 3 * bytes))
            values_.pop_back();
        values_.push_front(make());
        return values_.front();
    }

  private:
    std::size_t most_;
    double (*free_)();
    std::list<std::shared_ptr<const Value>> values_;  // the last one asked for comes first
};

}  // namespace gridmark::harness
