#include "harness/run/progress.hpp"

#include <fmt/format.h>

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

void Progress::row(const nlohmann::json& row) {
    ++done_;
    if (terminal_)
        say(fmt::format("[{}/{}] {}{}", done_, std::max(done_, expected_), describe_row(row), time_left()));
    else if (row["status"] == "failed")
        say(describe_row(row));
}

void Progress::say(const std::string& line) const {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

std::string Progress::time_left() const {
    if (done_ >= expected_) return "";
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const int left =
        static_cast<int>(elapsed / static_cast<double>(done_) * static_cast<double>(expected_ - done_));
    return fmt::format("; {}:{:02} left", left / 60, left % 60);
}

}  // namespace gridmark::harness
