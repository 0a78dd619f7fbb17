#include "harness/settings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/read_number.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// The whole text as a number, or nothing.
template <class T>
bool parse(const std::string& text, T& value) {
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::map<std::string, std::string> parse_settings(const std::vector<std::string>& words) {
    std::map<std::string, std::string> set;
    for (const std::string& word : words) {
        const auto equals = word.find('=');
        if (equals == std::string::npos || equals == 0)
            throw UsageError(fmt::format("--set {}: not of the form KEY=VALUE", word));
        set[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return set;
}

Settings::Settings(std::map<std::string, std::string> values, const std::set<std::string>& known,
                   std::string option)
    : values_(std::move(values)), option_(std::move(option)) {
    for (const auto& [key, value] : values_)
        if (!known.contains(key))
            throw UsageError(known.empty()
                                 ? fmt::format("{} {}: no such key; this study has none here", option_, key)
                                 : fmt::format("{} {}: no such key; this study knows {}", option_, key,
                                               fmt::join(known, ", ")));
}

std::int64_t Settings::integer(const std::string& key, std::int64_t otherwise, std::int64_t least,
                               std::int64_t most) const {
    const auto found = values_.find(key);
    if (found == values_.end()) return otherwise;
    std::int64_t value = 0;
    if (!parse(found->second, value))
        throw UsageError(fmt::format("{} {}={}: not a whole number", option_, key, found->second));
    if (value < least || value > most)
        throw UsageError(
            fmt::format("{} {}={}: must lie between {} and {}", option_, key, value, least, most));
    return value;
}

double Settings::number(const std::string& key, double otherwise) const {
    const auto found = values_.find(key);
    if (found == values_.end()) return otherwise;
    double value = 0;
    if (!parse(found->second, value) || !std::isfinite(value))
        throw UsageError(fmt::format("{} {}={}: not a finite number", option_, key, found->second));
    return value;
}

std::string Settings::text(const std::string& key, const std::string& otherwise) const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
}

std::string Settings::word(const std::string& key, const std::string& otherwise,
                           const std::set<std::string>& words) const {
    std::string value = text(key, otherwise);
    if (!words.contains(value))
        throw UsageError(
            fmt::format("{} {}={}: must be one of {}", option_, key, value, fmt::join(words, ", ")));
    return value;
}

void Settings::refuse(const std::set<std::string>& keys, const std::string& because) const {
    for (const std::string& key : keys)
        if (values_.contains(key))
            throw UsageError(fmt::format("{} {}: has no meaning beside {}", option_, key, because));
}

std::size_t device_values_of(const Settings& settings, std::size_t value_bytes, std::int64_t otherwise) {
    if (!settings.has("budget_mib"))
        return static_cast<std::size_t>(settings.integer("device_values", otherwise, 1, 1LL << 40));
    settings.refuse({"device_values"}, "budget_mib");
    const double budget = settings.number("budget_mib", 0);
    const double values = budget * 0x1p20 / static_cast<double>(value_bytes);
    if (!(values >= 1 && values <= 0x1p40))
        throw UsageError(fmt::format("--set budget_mib={:g}: must hold a value, and at most 2^40", budget));
    return static_cast<std::size_t>(values);
}

std::size_t parse_memory_size(const std::string& text) {
    double value = 0;
    const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
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
