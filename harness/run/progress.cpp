#include "harness/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace gridmark::harness {

std::string describe_row(const nlohmann::json& row) {
    const auto name = row["name"].get<std::string>();
    if (!row["median"].is_number())
        return fmt::format("{}: {}: {}", name, row["status"].get<std::string>(),
                           row["reason"].get<std::string>());
    std::string text =
        fmt::format("{}: {:.4g} {}", name, row["median"].get<double>(), row["unit"].get<std::string>());
    if (row["interval"].is_array())
        text += fmt::format(" [{:.4g}, {:.4g}]", row["interval"][0].get<double>(),
                            row["interval"][1].get<double>());
    if (row["limit"].is_object())
        text += fmt::format(", {:.0f} % of {}", 100 * row["limit"]["share"].get<double>(),
                            row["limit"]["ceiling"].get<std::string>());
    return text;
}

void Progress::experiment(const std::string& name, double done_before) {
    if (name_.empty()) start_ = std::chrono::steady_clock::now();
    name_ = name;
    done_before_ = done_before;
    schedule_.begin(done_before);
}

void Progress::process(int number, int of, std::size_t rows) {
    number_ = number;
    of_ = of;
    done_ = 0;
    expected_ = rows;
    if (!terminal_ && rows > 0) say(fmt::format("{}: process {} of {}; {}", name_, number, of, time_left()));
}

void Progress::row(const nlohmann::json& row) {
    ++done_;
    expected_ = std::max(expected_, done_);
    const double share = (number_ - 1 + static_cast<double>(done_) / static_cast<double>(expected_)) / of_;
    if (share > done_before_) schedule_.reach((share - done_before_) / (1 - done_before_));
    if (terminal_)
        say(fmt::format("[{}/{} {}/{}] {}; {}", number_, of_, done_, expected_, describe_row(row),
                        time_left()));
    else if (row["status"] == "failed")
        say(describe_row(row));
}

void Progress::say(const std::string& line) const {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

std::string Progress::time_left() const {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    return minutes(schedule_.left(elapsed)) + " left";
}

}  // namespace gridmark::harness
