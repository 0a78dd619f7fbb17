#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gridmark::harness {

/// How long a run will take: from what each of its experiments is said to take (study.json, `seconds`),
/// corrected by the pace that this machine shows.
class Schedule {
  public:
    /// `seconds` of each experiment, in the order in which they run.
    explicit Schedule(std::vector<double> seconds) : seconds_(std::move(seconds)) {}

    /// The next experiment begins, of which a share between 0 and 1 was done by an earlier run.
    void begin(double done_before);
    /// This share of what was left of the present experiment is done.
    void reach(double share) { share_ = share; }

    /// Seconds that everything takes as declared.
    double total() const;
    /// Seconds left after `elapsed` ones. The declared pace counts as a twentieth of the whole that has been
    /// seen already, so that the first rows do not swing the answer.
    double left(double elapsed) const;

  private:
    std::vector<double> seconds_;
    std::size_t begun_ = 0;  ///< experiments
    double share_ = 0;
};

/// "0:07", "12:30".
std::string minutes(double seconds);

}  // namespace gridmark::harness
