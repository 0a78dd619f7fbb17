// A clock that goes back: by a day when gridmark_faults_turn_clock_back() is called, or, from the first look
// on, by an hour at each look. GRIDMARK_FAULT_CLOCK says which, `monotonic` or `realtime`, and
// GRIDMARK_FAULT_FALLING=1 the latter.
#include <sys/time.h>

#include <atomic>
#include <ctime>

#include "preload.hpp"

namespace {

using namespace gridmark::faults;

std::atomic<long> seconds_back = 0;

bool goes_wrong(clockid_t clock) {
    const auto which = setting("GRIDMARK_FAULT_CLOCK");
    return (clock == CLOCK_MONOTONIC && which == "monotonic") ||
           (clock == CLOCK_REALTIME && which == "realtime");
}

/// How far a clock is behind at this look.
long lag() {
    if (setting("GRIDMARK_FAULT_FALLING") == "1" && is_meant()) seconds_back += 3600;
    return seconds_back;
}

}  // namespace

extern "C" {

void gridmark_faults_turn_clock_back() {
    seconds_back += 86400;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    const int result = GRIDMARK_NEXT(clock_gettime)(clock, time);
    if (result == 0 && goes_wrong(clock)) time->tv_sec -= lag();
    return result;
}

int gettimeofday(timeval* time, void* zone) noexcept {
    const int result = GRIDMARK_NEXT(gettimeofday)(time, zone);
    if (result == 0 && goes_wrong(CLOCK_REALTIME)) time->tv_sec -= lag();
    return result;
}

std::time_t time(std::time_t* to) noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    if (to != nullptr) *to = now.tv_sec;
    return now.tv_sec;
}
}
