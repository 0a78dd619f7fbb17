#pragma once

#include <algorithm>
#include <list>
#include <memory>

#include "harness/machine/cpu.hpp"

namespace gridmark::harness {

/// Bytes of host memory that can be had now; 0 where nobody says.
inline double free_host_memory() {
    const auto free = read_available_memory();
    return free ? static_cast<double>(*free.value) : 0;
}

/// What was made and may be asked for again, as long as memory is plenty: a run comes back to each size for
/// every clock, and a large start with its reference takes seconds.
template <class Value>
class Kept {
  public:
    /// `free` says how many bytes can be had.
    explicit Kept(double (*free)() = free_host_memory) : free_(free) {}

    /// The kept value that `matches`, or what `make` makes. Before it makes one, those that were not asked
    /// for the longest go until three times its `bytes` are free: for itself, and for what works on it.
    template <class Matches, class Make>
    std::shared_ptr<const Value> get(Matches matches, double bytes, Make make) {
        const auto found =
            std::find_if(kept_.begin(), kept_.end(), [&](const auto& value) { return matches(*value); });
        if (found != kept_.end()) {
            kept_.splice(kept_.begin(), kept_, found);
            return kept_.front();
        }
        while (!kept_.empty() && free_() < 3 * bytes)
            kept_.pop_back();
        kept_.push_front(make());
        return kept_.front();
    }

  private:
    double (*free_)();
    std::list<std::shared_ptr<const Value>> kept_;  // the last one asked for comes first
};

}  // namespace gridmark::harness
