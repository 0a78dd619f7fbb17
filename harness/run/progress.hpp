#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/run/schedule.hpp"

namespace gridmark::harness {

/// On a terminal one line a row: place, value, interval, share of the limit, time left in all. Elsewhere one
/// line a process, and what failed.
class Progress {
  public:
    Progress(bool terminal, Schedule schedule) : terminal_(terminal), schedule_(std::move(schedule)) {}

    /// The next experiment begins; a share between 0 and 1 of it was done by an earlier run.
    void experiment(const std::string& name, double done_before);
    /// The number-th (from 1) of the experiment's processes begins, which is to report `rows` rows.
    void process(int number, int of, std::size_t rows);
    void row(const nlohmann::json& row);
    /// A line that always shows.
    void say(const std::string& line) const;

  private:
    std::string time_left() const;

    bool terminal_;
    Schedule schedule_;
    std::string name_;
    double done_before_ = 0;
    int number_ = 1, of_ = 1;
    std::size_t done_ = 0, expected_ = 0;          // rows of the present process
    std::chrono::steady_clock::time_point start_;  // of the first experiment
};

/// "jacobi/...: 1.92 us [1.91, 1.93], 45 % of gpu_l2_bandwidth", or the status with its reason.
std::string describe_row(const nlohmann::json& row);

}  // namespace gridmark::harness
