#include "harness/papi/papi_library.hpp"

#include <papi.h>
#include <pthread.h>

#include "harness/papi/papi_counters.hpp"

namespace gridmark::harness {
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

}  // namespace

const std::string& papi_failure() {
    static const std::string failure = initialise();
    return failure;
}

Expected<std::string> read_papi_version() {
    if (!papi_failure().empty()) return unknown<std::string>(papi_failure());
    const int version = PAPI_get_opt(PAPI_LIB_VERSION, nullptr);
    return known(std::to_string(PAPI_VERSION_MAJOR(version)) + "." +
                 std::to_string(PAPI_VERSION_MINOR(version)) + "." +
                 std::to_string(PAPI_VERSION_REVISION(version)));
}

}  // namespace gridmark::harness
