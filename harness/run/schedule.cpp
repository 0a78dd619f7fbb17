#include "harness/run/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridmark::harness {

void Schedule::begin(double elapsed, double done_before) {
    if (begun_ == 0) first_ = elapsed;
    seconds_.at(begun_) *= 1 - done_before;
    ++begun_;
    reach(elapsed, 0, 0);
}

void Schedule::reach(double elapsed, double share, double next) {
    at_ = elapsed;
    share_ = share;
    next_ = std::max(share, next);
}

double Schedule::left(double elapsed) const {
    if (begun_ == 0) return std::max(before_ - elapsed, 0.0) + experiments() + after_;
    return (experiments() - done(elapsed)) * pace() + after_;
}

double Schedule::share(double elapsed) const {
    const double past = begun_ == 0 ? std::min(elapsed, before_) : before_ + done(elapsed);
    return total() > 0 ? past / total() : 0;
}

double Schedule::experiments() const {
    return std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
}

/// Declared seconds of what is measured.
double Schedule::reached() const {
    double sum = 0;
    for (std::size_t k = 0; k < begun_; ++k)
        sum += seconds_[k] * (k + 1 < begun_ ? 1 : share_);
    return sum;
}

/// Seconds that a declared one takes.
double Schedule::pace() const {
    const double known = experiments() / 20;
    return known > 0 ? (at_ - first_ + known) / (reached() + known) : 1;
}

/// The same as reached(), and of what is measured now as much as the pace allows, but never all of it.
double Schedule::done(double elapsed) const {
    const double present = seconds_[begun_ - 1] * (next_ - share_);
    return reached() + std::min((elapsed - at_) / pace(), 0.9 * present);
}

std::string minutes(double seconds) {
    const auto whole = std::lround(seconds);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace gridmark::harness
