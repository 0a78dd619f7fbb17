#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <list>
#include <memory>
#include <tuple>

#include "harness/os/limits.hpp"
#include "kernels/launch/device.hpp"

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

/// Value(args...), made once and kept as long as memory is plenty; `bytes`: what it takes.
template <class Value, class... Args>
std::shared_ptr<const Value> shared(double bytes, const Args&... args) {
    struct Kept {
        std::tuple<Args...> args;
        Value value;
    };
    static Cache<Kept> cache;
    const auto kept = cache.get([&](const Kept& other) { return other.args == std::tie(args...); }, bytes,
                                [&] {
                                    return std::shared_ptr<const Kept>(new Kept{{args...}, Value(args...)});
                                });
    return {kept, &kept->value};
}

/// Value(device, host), which has a member `host`; the last two are kept. Never destroyed: when the program
/// ends the device may be gone, and the memory with it.
template <class Value, class Host>
std::shared_ptr<const Value> shared_on_device(launch::Device& device,
                                              const std::shared_ptr<const Host>& host) {
    static auto& cache = *new Cache<Value>(2);
    return cache.get([&](const Value& other) { return other.host == host; }, 0,
                     [&] { return std::make_shared<const Value>(device, host); });
}

}  // namespace gridmark::harness
