#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// Initialises PAPI once for the process; why that failed, or nothing.
const std::string& papi_failure();

/// Counts one event of PAPI around one run of something, by the whole sequence create, add, start, read,
/// stop: on many machines an event exists by name and fails only when it is started.
class CounterPass {
  public:
    explicit CounterPass(const char* papi_name);
    CounterPass(const CounterPass&) = delete;
    CounterPass& operator=(const CounterPass&) = delete;
    ~CounterPass();

    /// Why the event cannot be counted, as far as is known before it is started; empty where it can.
    const std::string& reason() const { return reason_; }

    /// The count of one run of `body` by the calling thread. Where it cannot be counted, `body` is not run.
    Expected<std::int64_t> count(const std::function<void()>& body);

  private:
    std::string reason_;
    int event_set_;
};

}  // namespace gridmark::harness
