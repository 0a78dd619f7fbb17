// Stands in for kernel_clock.cpp where there is no CUDA toolkit or no CUPTI header.

#include "harness/gpu/kernel_clock.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {

Expected<std::string> read_cupti_version() {
    return unknown<std::string>("built without the CUDA toolkit or its CUPTI");
}

KernelClock& KernelClock::instance() {
    static KernelClock clock;
    return clock;
}

void KernelClock::load() {
    loaded_ = true;
    reason_ = "built without the CUDA toolkit or its CUPTI";
}

bool KernelClock::available() {
    load();
    return false;
}

std::string KernelClock::reason() {
    load();
    return reason_;
}

std::vector<KernelRecord> KernelClock::record(const std::function<void()>&) {
    throw launch::Unavailable(reason());
}

Activities KernelClock::record_activities(const std::function<void()>&) {
    throw launch::Unavailable(reason());
}

}  // namespace gridmark::harness
