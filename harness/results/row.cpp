#include "harness/results/row.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridmark::harness {
namespace {

Interval widened(Interval interval, double value) {
    return {std::min(interval.low, value), std::max(interval.high, value)};
}

bool same_pair(const nlohmann::json& a, const nlohmann::json& b) {
    return a.value("pair", nlohmann::json()).is_string() && a["pair"] == b.value("pair", nlohmann::json()) &&
           a["samples"].size() == b["samples"].size() && launches_of(a) == launches_of(b);
}

/// False where a quotient that row_ratio may form is no finite number above 0, as of a sample of 1e300 and
/// one of 1e-300, or of a pair of which one is 0 although its median is not.
bool quotients_are_numbers(const nlohmann::json& numerator, const nlohmann::json& denominator) {
    const Interval n = row_interval(numerator), d = row_interval(denominator);
    if (!std::isfinite(n.high / d.low) || !(n.low / d.high > 0)) return false;
    if (!same_pair(numerator, denominator)) return true;
    const auto above = samples_of(numerator), below = samples_of(denominator);
    for (std::size_t i = 0; i < above.size(); ++i)
        if (!std::isfinite(above[i] / below[i])) return false;
    return true;
}

bool agrees(const std::string& key, const nlohmann::json& wanted, const nlohmann::json& row) {
    if (wanted.is_array())
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](const nlohmann::json& one) { return agrees(key, one, row); });
    if (key == "status" && wanted == "measured") return is_measured(row);
    return selected_value(row, key) == wanted;
}

}  // namespace

std::vector<double> samples_of(const nlohmann::json& row) {
    auto samples = row["samples"].get<std::vector<double>>();
    if (samples.empty() && row["median"].is_number()) samples.push_back(row["median"].get<double>());
    return samples;
}

std::vector<std::size_t> launches_of(const nlohmann::json& row) {
    if (row.contains("launches") && !row["launches"].empty())
        return row["launches"].get<std::vector<std::size_t>>();
    return {samples_of(row).size()};
}

bool is_measured(const nlohmann::json& row) {
    return row["status"] == "ok" || row["status"] == "estimate";
}

nlohmann::json selected_value(const nlohmann::json& row, const std::string& key) {
    for (const char* field : {"variant", "quantity", "clock", "status", "experiment"})
        if (key == field) return row[field];
    return row["parameters"].value(key, nlohmann::json());
}

bool matches(const nlohmann::json& selector, const nlohmann::json& row) {
    return std::all_of(selector.items().begin(), selector.items().end(),
                       [&](const auto& item) { return agrees(item.key(), item.value(), row); });
}

std::vector<nlohmann::json> select_rows(const nlohmann::json& rows,
                                        const std::vector<nlohmann::json>& selectors) {
    std::vector<nlohmann::json> result;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result), [&](const nlohmann::json& row) {
        return std::all_of(selectors.begin(), selectors.end(),
                           [&](const auto& s) { return matches(s, row); });
    });
    return result;
}

Ratio row_ratio(const nlohmann::json& numerator, const nlohmann::json& denominator, Runs runs) {
    const bool paired = runs == Runs::same && same_pair(numerator, denominator);
    const auto n = samples_of(numerator), d = samples_of(denominator);
    if (const auto a = launches_of(numerator), b = launches_of(denominator);
        runs == Runs::different && a.size() == b.size() && a.size() >= 3)
        return launch_ratio(n, a, d, b);
    Ratio ratio = paired ? paired_ratio(n, d) : independent_ratio(n, d);
    ratio.value = median(n) / median(d);
    ratio.interval = widened(ratio.interval, ratio.value);
    const auto n_launches = launch_medians(n, launches_of(numerator));
    const auto d_launches = launch_medians(d, launches_of(denominator));
    for (std::size_t i = 0; i < n_launches.size(); ++i) {
        // Launch by launch where both sets were measured together; else every pair.
        if (paired)
            ratio.interval = widened(ratio.interval, n_launches[i] / d_launches[i]);
        else
            for (double base : d_launches)
                ratio.interval = widened(ratio.interval, n_launches[i] / base);
    }
    return ratio;
}

std::string why_no_ratio(const nlohmann::json& numerator, const nlohmann::json& denominator) {
    for (const nlohmann::json* row : {&numerator, &denominator})
        if (!(row_interval(*row).low > 0))
            return (*row)["name"].get<std::string>() + " may be 0 or below, which has no ratio";
    if (!quotients_are_numbers(numerator, denominator))
        return fmt::format("{} and {} are too far apart for a ratio", numerator["name"].get<std::string>(),
                           denominator["name"].get<std::string>());
    return {};
}

Interval row_interval(const nlohmann::json& row) {
    const auto samples = samples_of(row);
    Interval interval = median_interval(samples);
    for (double m : launch_medians(samples, launches_of(row)))
        interval = widened(interval, m);
    return interval;
}

}  // namespace gridmark::harness
