#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gridmark::harness {

/// How long a run will take: from what each of its experiments is said to take (study.json, `seconds`),
/// corrected by the pace that this machine shows; and from what comes before and after all of them, which
/// that pace does not change. Seconds; `elapsed` counts from the run's begin and never falls.
class Schedule {
  public:
    /// `seconds` of each experiment, in the order in which they run.
    explicit Schedule(std::vector<double> seconds, double before = 0, double after = 0)
        : seconds_(std::move(seconds)), before_(before), after_(after) {}

    /// The next experiment begins, of which a share between 0 and 1 was done by an earlier run.
    void begin(double elapsed, double done_before);
    /// This share of what was left of the present experiment is done; what is measured now ends at `next`.
    void reach(double elapsed, double share, double next);

    /// What everything takes as declared.
    double total() const { return before_ + experiments() + after_; }
    /// The declared pace counts as a twentieth of the experiments that has been seen already, so that the
    /// first rows do not swing the answer.
    double left(double elapsed) const;
    /// The share of the whole that is done, between 0 and 1. What is measured now counts as it goes on.
    double share(double elapsed) const;

  private:
    double experiments() const;
    double reached() const;
    double pace() const;
    double done(double elapsed) const;

    std::vector<double> seconds_;
    double before_, after_;
    std::size_t begun_ = 0;        ///< experiments
    double first_ = 0;             ///< when the first one began
    double at_ = 0;                ///< when the last word came
    double share_ = 0, next_ = 0;  ///< of the present experiment
};

/// "0:07", "12:30".
std::string minutes(double seconds);

}  // namespace gridmark::harness
