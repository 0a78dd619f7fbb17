#include "harness/papi/papi_counters.hpp"

#if GRIDMARK_HAS_PAPI
#include <papi.h>
#endif
#include <pthread.h>

#include <cstdint>

namespace gridmark::harness {
#if GRIDMARK_HAS_PAPI
namespace {

std::string initialise() {
    const int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT) {
        return version < 0 ? std::string("PAPI does not start: ") + PAPI_strerror(version)
                           : "the PAPI found is not the one that this program was built for";
    }
    // Counters then belong to the thread that starts them.
    if (PAPI_thread_init(pthread_self) != PAPI_OK) return "PAPI does not know this system's threads";
    return {};
}

/// Initialises PAPI once for the process; why that failed, or nothing.
const std::string& papi_failure() {
    static const std::string failure = initialise();
    return failure;
}

std::string failure(const char* doing, int error) {
    const char* text = PAPI_strerror(error);
    return std::string("PAPI, ") + doing + ": " + (text != nullptr ? text : "error " + std::to_string(error));
}

// PAPI answers a disabled component with "event does not exist"; what disabled it says more.
std::string why_disabled() {
    const int component = PAPI_get_component_index("perf_event");
    const PAPI_component_info_t* info = component >= 0 ? PAPI_get_component_info(component) : nullptr;
    if (info == nullptr || info->disabled == PAPI_OK) return {};
    return " (perf_event is disabled: " + std::string(static_cast<const char*>(info->disabled_reason)) + ")";
}

/// Counts one event of PAPI around one run of something, by the whole sequence create, add, start, read,
/// stop: on many machines an event exists by name and fails only when it is started.
class CounterPass {
  public:
    explicit CounterPass(const char* papi_name);
    CounterPass(const CounterPass&) = delete;
    CounterPass& operator=(const CounterPass&) = delete;
    ~CounterPass();

    /// The count of one run of `body` by the calling thread. Where it cannot be counted, `body` is not run.
    Expected<std::int64_t> count(const std::function<void()>& body);

  private:
    std::string reason_;  ///< why it cannot be counted, as far as is known before it is started
    int event_set_;
};

CounterPass::CounterPass(const char* papi_name) : reason_(papi_failure()), event_set_(PAPI_NULL) {
    if (!reason_.empty()) return;
    if (const int error = PAPI_create_eventset(&event_set_); error != PAPI_OK) {
        reason_ = failure("creating an event set", error);
        return;
    }
    const int error = PAPI_add_named_event(event_set_, papi_name);
    if (error != PAPI_OK) reason_ = failure(papi_name, error) + why_disabled();
}

CounterPass::~CounterPass() {
    if (event_set_ == PAPI_NULL) return;
    (void)PAPI_cleanup_eventset(event_set_);
    (void)PAPI_destroy_eventset(&event_set_);
}

Expected<std::int64_t> CounterPass::count(const std::function<void()>& body) {
    if (!reason_.empty()) return unknown<std::int64_t>(reason_);
    if (const int error = PAPI_start(event_set_); error != PAPI_OK) {
        return unknown<std::int64_t>(failure("starting to count", error) + why_disabled());
    }
    long long counted = 0;
    try {
        body();
    } catch (...) {
        (void)PAPI_stop(event_set_, &counted);
        throw;
    }
    const int read = PAPI_read(event_set_, &counted);
    long long at_stop = 0;
    const int stopped = PAPI_stop(event_set_, &at_stop);
    if (read != PAPI_OK) return unknown<std::int64_t>(failure("reading a counter", read));
    if (stopped != PAPI_OK) return unknown<std::int64_t>(failure("stopping a counter", stopped));
    return known(static_cast<std::int64_t>(counted));
}

}  // namespace

Counters count_events(const std::function<void()>& body) {
    Counters counters;
    for (const auto& event : counted_events) {
        const auto count = CounterPass(event.papi_name).count(body);
        if (count)
            counters.counts[event.key] = *count.value;
        else
            counters.reasons[event.key] = count.reason;
    }
    return counters;
}

Expected<std::string> read_papi_version() {
    if (!papi_failure().empty()) return unknown<std::string>(papi_failure());
    const int version = PAPI_get_opt(PAPI_LIB_VERSION, nullptr);
    return known(std::to_string(PAPI_VERSION_MAJOR(version)) + "." +
                 std::to_string(PAPI_VERSION_MINOR(version)) + "." +
                 std::to_string(PAPI_VERSION_REVISION(version)));
}

#else
namespace {

constexpr const char* no_papi = "built without PAPI";

}  // namespace

Counters count_events(const std::function<void()>&) {
    Counters counters;
    for (const auto& event : counted_events)
        counters.reasons[event.key] = no_papi;
    return counters;
}

Expected<std::string> read_papi_version() {
    return unknown<std::string>(no_papi);
}

#endif

}  // namespace gridmark::harness
