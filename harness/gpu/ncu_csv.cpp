#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <sstream>
#include <utility>

#include "harness/gpu/ncu.hpp"

namespace gridmark::harness {
namespace {

/// The fields of one CSV line whose fields stand in double quotes, as ncu writes it; no escapes occur.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> result;
    std::string field;
    bool quoted = false;
    for (char c : line) {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            result.push_back(std::exchange(field, {}));
        else
            field += c;
    }
    result.push_back(field);
    return result;
}

/// A finite number, its thousands separated by commas or not; the whole text must be one.
std::optional<double> number(std::string text) {
    std::erase(text, ',');
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace

std::vector<double> parse_ncu_csv(const std::string& output, const std::string& metric) {
    std::vector<double> values;
    std::istringstream lines(output);
    std::size_t column = 0, columns = 0;
    for (std::string line; std::getline(lines, line);) {
        const auto row = fields(line);
        if (columns == 0) {
            const auto found = std::find(row.begin(), row.end(), metric);
            if (found == row.end()) continue;
            column = static_cast<std::size_t>(found - row.begin());
            columns = row.size();
            continue;
        }
        // The line of units has no number here; a kernel's name may hold commas, but it is quoted.
        if (row.size() != columns) continue;
        if (const auto value = number(row[column])) values.push_back(*value);
    }
    return values;
}

std::string ncu_error(const std::string& output) {
    const std::string mark = "==ERROR== ";
    const auto at = output.rfind(mark);
    if (at == std::string::npos) return "";
    return output.substr(at + mark.size(), output.find('\n', at) - at - mark.size());
}

bool lacks_a_counter(const std::string& output) {
    // Before the program starts, or at the first launch.
    return output.find("==ERROR== Failed to find metric") != std::string::npos ||
           output.find("==ERROR== Failed to access the following") != std::string::npos;
}

}  // namespace gridmark::harness
