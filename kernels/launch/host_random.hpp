#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace gridmark::launch::executor {

/// splitmix64: a random order must be the same on every machine and with any number of workers.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t operator()() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    /// A number below `bound`, which is below 2^32.
    std::uint64_t below(std::uint64_t bound) { return ((*this)() >> 32) * bound >> 32; }

    /// Puts `values` in a random order.
    template <class T>
    void shuffle(std::span<T> values) {
        for (std::size_t left = values.size(); left > 1; --left)
            std::swap(values[left - 1], values[below(left)]);
    }

  private:
    std::uint64_t state_;
};

}  // namespace gridmark::launch::executor
