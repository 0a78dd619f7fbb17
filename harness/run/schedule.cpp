#include "harness/run/schedule.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace gridmark::harness {

void Schedule::begin(double done_before) {
    seconds_.at(begun_) *= 1 - done_before;
    ++begun_;
    share_ = 0;
}

double Schedule::total() const {
    return std::accumulate(seconds_.begin(), seconds_.end(), 0.0);
}

double Schedule::left(double elapsed) const {
    double done = 0;
    for (std::size_t k = 0; k < begun_; ++k)
        done += seconds_[k] * (k + 1 < begun_ ? 1 : share_);
    const double known = total() / 20;
    if (!(done + known > 0)) return 0;
    return (total() - done) * (elapsed + known) / (done + known);
}

std::string minutes(double seconds) {
    const auto whole = std::lround(seconds);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace gridmark::harness
