#include "harness/papi/papi_counters.hpp"

#include "harness/papi/counter_pass.hpp"

namespace gridmark::harness {

Counters count_events(const std::function<void()>& body) {
    Counters counters;
    for (const auto& event : counted_events) {
        const auto count = CounterPass(event.papi_name).count(body);
        counters.counts[event.key] = count.value;
        if (!count) counters.reasons[event.key] = count.reason;
    }
    return counters;
}

}  // namespace gridmark::harness
