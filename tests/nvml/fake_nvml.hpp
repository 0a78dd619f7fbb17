#pragma once

#include <dlfcn.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gridmark::tests {

/// What the library that stands in for the driver's says of its one GPU.
struct FakeNvml {
    std::vector<unsigned> compute, graphics, mps;  ///< process numbers
    std::map<unsigned, unsigned> busy;             ///< % by process
    std::map<unsigned, unsigned> busy_before;      ///< the same in a sample at the time that is asked from
    unsigned utilization = 0;                      ///< %
    unsigned long long used = 0;                   ///< bytes
    unsigned desktop = 0;
    std::map<unsigned, unsigned long long> fields;  ///< nanoseconds by field number
    std::map<int, unsigned long long> policies;     ///< nanoseconds by policy
    unsigned sm_mhz = 1980;
    std::map<std::string, unsigned> numbers;  ///< what its other functions give, by their names
    std::string driver;                       ///< its version; empty: it does not say
    unsigned long long reasons = 0;           ///< what limits the clocks
    std::set<std::string> refused;            ///< functions that this GPU does not support
};

/// Its state, as new. The first call loads the library, before anybody asks for the driver's.
inline FakeNvml& fake_nvml() {
    static void* const library = dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
    auto* const state = reinterpret_cast<FakeNvml* (*)()>(dlsym(library, "fake_nvml_state"))();
    *state = FakeNvml();
    return *state;
}

constexpr const char *fake_uuid = "GPU-00", *fake_pci_address = "0000:3b:00.0";

}  // namespace gridmark::tests
