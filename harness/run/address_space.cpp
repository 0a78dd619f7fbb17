#include "harness/run/address_space.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

namespace gridmark::harness {

void limit_address_space([[maybe_unused]] std::size_t room) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    const rlim_t most = std::numeric_limits<rlim_t>::max() - used;
    // The soft limit alone: it may be raised again once it is known how much is needed.
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, used + std::min<rlim_t>(room, most));
    ::setrlimit(RLIMIT_AS, &limit);
#endif
}

void forbid_core_dumps() {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

}  // namespace gridmark::harness
