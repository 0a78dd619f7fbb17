#include "harness/papi/papi_counters.hpp"

#include "harness/papi/counter_pass.hpp"
#include "harness/papi/events.hpp"

namespace gridmark::harness {

nlohmann::json count_events(const std::function<void()>& body) {
    nlohmann::json counters = nlohmann::json::object();
    nlohmann::json reasons = nlohmann::json::object();
    for (const auto& event : counted_events) {
        put(counters, reasons, event.key, CounterPass(event.papi_name).count(body));
    }
    counters["reasons"] = std::move(reasons);
    return counters;
}

}  // namespace gridmark::harness
