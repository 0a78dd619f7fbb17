#include <fmt/format.h>

#include <algorithm>

#include "harness/export/export.hpp"
#include "harness/usage_error.hpp"

/// Formats of services that follow a project from commit to commit: Bencher (its Metric Format, version 0)
/// and github-action-benchmark (customSmallerIsBetter).
namespace gridmark::harness {
namespace {

using nlohmann::json;

constexpr std::size_t longest_benchmark = 1024, longest_measure = 64;  // Bencher's, in characters

void refuse_longer(const std::string& text, std::size_t longest, const char* what, const Row& row) {
    if (text.size() > longest)
        throw UsageError(
            fmt::format("{}: {} has {} bytes, and Bencher takes {}", row.name, what, text.size(), longest));
}

/// Bencher knows units by the measure alone: its own "latency" is in nanoseconds, others carry theirs in the
/// name.
std::string measure_of(const Row& row) {
    if (row.is_time() && nanoseconds_in(row.unit)) return "latency";
    std::string name = row.quantity;
    if (row.unit != "1" && !row.unit.empty()) name += fmt::format(" ({})", row.unit);
    refuse_longer(name, longest_measure, "its quantity with its unit", row);
    return name;
}

json metric_of(const Row& row) {
    const double factor = row.is_time() ? nanoseconds_in(row.unit).value_or(1) : 1;
    json metric{{"value", scaled(*row.median, factor, row)}};
    if (row.interval) {
        metric["lower_value"] = scaled(row.interval->low, factor, row);
        metric["upper_value"] = scaled(row.interval->high, factor, row);
    }
    return metric;
}

/// What the service shows beside a value.
std::string extra_of(const Row& row) {
    std::string extra = fmt::format("{} clock", row.clock.empty() ? "no" : row.clock);
    if (row.interval)
        extra += fmt::format("\n90 % interval [{}, {}] {}", row.interval->low, row.interval->high, row.unit);
    if (!row.samples.empty())
        extra +=
            fmt::format("\n{} samples, {} processes", row.samples.size(), row.samples_by_process().size());
    if (row.status == Status::estimate) extra += "\nestimate: " + row.reason;
    return extra;
}

json point_of(const Row& row) {
    json point{{"name", row.name}, {"unit", row.unit}, {"value", *row.median}, {"extra", extra_of(row)}};
    // The service reads a range only as "± number": the interval's longer side holds all of it.
    if (row.interval)
        point["range"] = fmt::format(
            "± {}",
            scaled(std::max(row.interval->high - *row.median, *row.median - row.interval->low), 1, row));
    return point;
}

}  // namespace

Exported to_bencher(const ResultSet& set) {
    Exported exported;
    json metrics = json::object();
    for (const auto& [experiment, file] : set.files)
        for (const Row& row : file.rows) {
            if (!row.measured()) {
                ++exported.without_number;
                continue;
            }
            refuse_longer(row.name, longest_benchmark, "its name", row);
            metrics[row.name][measure_of(row)] = metric_of(row);
        }
    if (!metrics.empty()) exported.text = metrics.dump(1) + '\n';
    return exported;
}

Exported to_github_action_benchmark(const ResultSet& set) {
    Exported exported;
    json points = json::array();
    for (const auto& [experiment, file] : set.files)
        for (const Row& row : file.rows)
            if (!row.measured())
                ++exported.without_number;
            else if (!row.is_time())
                ++exported.other_than_time;
            else
                points.push_back(point_of(row));
    if (!points.empty()) exported.text = points.dump(1) + '\n';
    return exported;
}

}  // namespace gridmark::harness
