#pragma once

#include <memory>
#include <utility>

namespace gridmark::harness {

/// The last two things made, newest first. Large starts take gigabytes and seconds, and a run comes back to
/// the large one after the small one.
template <class Value>
class LastTwo {
  public:
    /// The kept value that `matches`, or what `make` makes; the older one goes first, to free its memory.
    template <class Matches, class Make>
    std::shared_ptr<const Value> get(Matches matches, Make make) {
        if (kept_[1] && matches(*kept_[1])) std::swap(kept_[0], kept_[1]);
        if (!kept_[0] || !matches(*kept_[0])) {
            kept_[1].reset();
            kept_[1] = std::exchange(kept_[0], nullptr);
            kept_[0] = make();
        }
        return kept_[0];
    }

  private:
    std::shared_ptr<const Value> kept_[2];
};

}  // namespace gridmark::harness
