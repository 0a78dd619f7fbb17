#include "harness/cli/sizes.hpp"

#include <charconv>
#include <cmath>

#include "harness/usage_error.hpp"

namespace gridmark::harness {

std::size_t parse_memory_size(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string unit(end, text.data() + text.size());
    if (unit.size() == 3 && unit.ends_with("iB"))
        unit.resize(unit.size() - 2);
    else if (unit.ends_with("B"))
        unit.resize(unit.size() - 1);
    const std::string prefixes = "KMGT";
    const std::size_t power = unit.empty() ? 0 : prefixes.find(unit) + 1;
    const bool known = unit.empty() || (unit.size() == 1 && power > 0);
    const double bytes = value * std::pow(1024.0, static_cast<double>(power));
    if (error != std::errc() || !known || !(bytes >= 1) || bytes > 0x1p60)
        throw UsageError(text + ": not a size such as 8GiB or 512M");
    return static_cast<std::size_t>(bytes);
}

}  // namespace gridmark::harness
