#pragma once

#include <chrono>
#include <limits>
#include <string>

#include "harness/elapsed.hpp"

namespace gridmark::harness {

/// How often one ceiling is repeated.
struct Repetitions {
    int fewest = 5;
    int most = 400;
    double budget_seconds = 0.2;  ///< after the fewest, stop when this much time has passed
};

/// The best repetition and how many there were.
struct Best {
    double seconds = std::numeric_limits<double>::infinity();
    int repetitions = 0;
};

/// Repeats `timed`, which returns the seconds that one repetition took, after one that does not count. A
/// ceiling is what the machine can do, so the best counts, where a result would be a median.
template <class Timed>
Best best_of(const Repetitions& repetitions, Timed timed) {
    using Clock = std::chrono::steady_clock;
    (void)timed();
    const auto start = Clock::now();
    Best best;
    while (best.repetitions < repetitions.most) {
        const std::chrono::duration<double> spent = Clock::now() - start;
        if (best.repetitions >= repetitions.fewest && spent.count() > repetitions.budget_seconds) break;
        const double seconds = positive_time(timed());
        if (seconds < best.seconds) best.seconds = seconds;
        ++best.repetitions;
    }
    return best;
}

/// "; best of 12", to end a ceiling's `how`.
inline std::string best_text(const Best& best) {
    return "; best of " + std::to_string(best.repetitions);
}

}  // namespace gridmark::harness
