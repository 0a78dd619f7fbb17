// Stands in for papi_counters.cpp where PAPI was not found at build time.

#include "harness/papi/papi_counters.hpp"

namespace gridmark::harness {
namespace {

constexpr const char* no_papi = "built without PAPI";

}  // namespace

Counters count_events(const std::function<void()>&) {
    Counters counters;
    for (const auto& event : counted_events) {
        counters.counts[event.key] = std::nullopt;
        counters.reasons[event.key] = no_papi;
    }
    return counters;
}

Expected<std::string> read_papi_version() {
    return unknown<std::string>(no_papi);
}

}  // namespace gridmark::harness
