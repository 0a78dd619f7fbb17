#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace gridmark::harness {

/// One line a row on a terminal: place, value, interval, share of the limit, time left. Elsewhere only what
/// failed.
class Progress {
  public:
    explicit Progress(bool terminal) : terminal_(terminal) {}

    /// `rows` are to be done from now on.
    void expect(std::size_t rows) { expected_ = done_ + rows; }
    void row(const nlohmann::json& row);
    /// A line that always shows.
    void say(const std::string& line) const;

  private:
    std::string time_left() const;

    bool terminal_;
    std::size_t done_ = 0, expected_ = 0;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// "jacobi/...: 1.92 us [1.91, 1.93], 45 % of gpu_l2_bandwidth", or the status with its reason.
std::string describe_row(const nlohmann::json& row);

}  // namespace gridmark::harness
