#include "harness/run/rows.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "harness/elapsed.hpp"
#include "harness/results/row.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

const char* clock_name(Series::Clock clock) {
    return clock == Series::Clock::kernel ? "kernel" : clock == Series::Clock::step ? "step" : "wall";
}

const char* launch_name(Series::Launch launch) {
    return launch == Series::Launch::graph ? "graph" : launch == Series::Launch::own ? "own" : "stream";
}

json empty_row(const std::string& experiment, const std::string& name, const std::string& variant,
               const json& parameters, const std::string& status, const json& reason) {
    return {{"name", name},
            {"run_type", "aggregate"},
            {"iterations", 0},
            {"real_time", nullptr},
            {"cpu_time", nullptr},
            {"time_unit", nullptr},
            {"experiment", experiment},
            {"variant", variant},
            {"parameters", parameters},
            {"quantity", "time"},
            {"unit", "us"},
            {"clock", nullptr},
            {"samples", json::array()},
            {"pair", nullptr},
            {"stopped", nullptr},
            {"median", nullptr},
            {"interval", nullptr},
            {"status", status},
            {"reason", reason},
            {"verification", nullptr},
            {"bytes", nullptr},
            {"flops", nullptr},
            {"limit", nullptr},
            {"kernel", nullptr},
            {"counters", nullptr}};
}

/// What stands as the reason why the sampling of an exact row stopped.
constexpr const char* exact = "exact";

/// A row of one quantity other than a time by a clock, as `planned` declares it.
template <class Planned>
json row_of_quantity(const std::string& experiment, const Planned& planned, const std::string& unit,
                     const std::string& status, const json& reason) {
    json row = empty_row(experiment, planned.name, planned.variant, planned.parameters, status, reason);
    row["quantity"] = planned.quantity;
    row["unit"] = unit;
    return row;
}

/// A sample with the digits that it is stored with: two samples differ by far more than a ten-millionth, and
/// a result file of a thousand rows stays small enough to be kept under version control.
double rounded(double sample) {
    return std::strtod(fmt::format("{:.7g}", sample).c_str(), nullptr);
}

/// Too little for a verdict of its own, in words; empty if nothing is lacking.
std::string shortcomings(const json& row, const Standards& standards) {
    if (row["stopped"] == exact) return {};
    std::vector<std::string> found;
    if (standards.preset == Preset::quick) found.emplace_back("preset quick");
    if (!standards.release_build) found.emplace_back("not a release build");
    const std::size_t launches = launches_of(row).size(), wanted = standards.process_launches;
    if (row["quantity"] == "time" && launches < wanted)
        found.push_back(fmt::format("{} of {} process launches", launches, wanted));
    if (row["samples"].size() < 9)
        found.push_back(fmt::format("{} samples, fewer than 9", row["samples"].size()));
    return fmt::format("{}", fmt::join(found, "; "));
}

}  // namespace

std::string row_name(const Point& point, const Series& series) {
    std::string name = point.name + "/" + clock_name(series.clock);
    if (series.clock == Series::Clock::kernel) name += series.cold ? "/cold" : "/hot";
    if (series.clock == Series::Clock::step) name += std::string("/") + launch_name(series.launch);
    return name;
}

json row_without_time(const std::string& experiment, const Point& point, const Series& series,
                      const std::string& status, const std::string& reason) {
    json parameters = point.parameters;
    if (series.clock == Series::Clock::kernel) parameters["cache"] = series.cold ? "cold" : "hot";
    if (series.clock == Series::Clock::step) parameters["launch"] = launch_name(series.launch);
    json row = empty_row(experiment, row_name(point, series), point.variant, parameters, status, reason);
    row["clock"] = clock_name(series.clock);
    if (point.steps > 1) row["parameters"]["steps"] = point.steps;
    row["bytes"] = point.bytes;
    row["flops"] = point.flops;
    return row;
}

std::string row_name(const ProfiledPoint& point, const Metric& metric) {
    return point.name + "/" + metric.quantity;
}

json profiled_row(const std::string& experiment, const ProfiledPoint& point, const Metric& metric,
                  const std::string& status, const std::string& reason) {
    json row =
        empty_row(experiment, row_name(point, metric), point.variant, point.parameters, status, reason);
    row["quantity"] = metric.quantity;
    row["unit"] = metric.unit;
    return row;
}

std::string row_name(const Timeline& timeline, const std::string& activity) {
    return timeline.name + "/" + activity;
}

json timeline_row(const std::string& experiment, const Timeline& timeline, const std::string& activity,
                  const std::string& status, const std::string& reason) {
    json parameters = timeline.parameters;
    parameters["activity"] = activity;
    json row =
        empty_row(experiment, row_name(timeline, activity), timeline.variant, parameters, status, reason);
    row["quantity"] = "busy";
    return row;
}

json quantity_row(const std::string& experiment, const Difference& difference, const std::string& status,
                  const json& reason) {
    return row_of_quantity(experiment, difference, "us", status, reason);
}

json quantity_row(const std::string& experiment, const Computed& computed, const std::string& status,
                  const json& reason) {
    return row_of_quantity(experiment, computed, computed.unit, status, reason);
}

json quantity_row(const std::string& experiment, const Derived& derived, const std::string& status,
                  const json& reason) {
    return row_of_quantity(experiment, derived, derived.unit, status, reason);
}

std::vector<json> blank_rows(const std::string& experiment, const Plan& plan) {
    std::vector<json> rows;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series)
                rows.push_back(row_without_time(experiment, point, series, "skipped", point.unavailable));
    for (const Difference& difference : plan.differences)
        rows.push_back(quantity_row(experiment, difference, "skipped", ""));
    for (const Computed& computed : plan.computed)
        rows.push_back(quantity_row(experiment, computed, "skipped", computed.unavailable));
    for (const Derived& derived : plan.derived)
        rows.push_back(quantity_row(experiment, derived, "skipped", ""));
    for (const Timeline& timeline : plan.timelines)
        for (const char* activity : timeline_activities)
            rows.push_back(timeline_row(experiment, timeline, activity, "skipped", timeline.unavailable));
    for (const ProfiledPoint& point : plan.profiled)
        for (const Metric& metric : point.metrics)
            rows.push_back(profiled_row(experiment, point, metric, "skipped", point.unavailable));
    return rows;
}

std::vector<std::string> row_names(const Plan& plan) {
    std::vector<std::string> names;
    for (const json& row : blank_rows("", plan))
        names.push_back(row["name"]);
    return names;
}

void set_samples(json& row, std::vector<double> samples) {
    if (row["quantity"] == "time")
        for (double& microseconds : samples) {
            positive_time(1e-6 * microseconds);
            microseconds = rounded(microseconds);
        }
    row["samples"] = samples;
    row["launches"] = {samples.size()};
    row["status"] = "ok";
    row["reason"] = nullptr;
    row["median"] = median(samples);
    if (row["quantity"] == "time") {
        row["run_type"] = "iteration";
        row["time_unit"] = row["unit"];
    }
}

void set_exact_value(json& row, double value) {
    set_samples(row, {value});
    row["stopped"] = exact;
}

json join_launches(const json& earlier, const json& later) {
    if (earlier["status"] == "failed") return earlier;
    if (!is_measured(later)) return later;
    if (!is_measured(earlier)) return earlier;
    json joined = later;
    joined["samples"] = earlier["samples"];
    for (const json& sample : later["samples"])
        joined["samples"].push_back(sample);
    joined["launches"] = launches_of(earlier);
    for (std::size_t n : launches_of(later))
        joined["launches"].push_back(n);
    if (earlier["verification"].is_object() &&
        earlier["verification"]["error"] > later["verification"]["error"])
        joined["verification"] = earlier["verification"];
    if (joined["counters"].is_null()) joined["counters"] = earlier["counters"];
    return joined;
}

void finish_row(json& row, const Standards& standards) {
    if (!is_measured(row)) return;
    const auto samples = samples_of(row);
    const Interval interval = row_interval(row);
    row["median"] = median(samples);
    row["interval"] = {interval.low, interval.high};
    row["outliers"] = count_outliers(samples);
    if (row["quantity"] == "time") row["real_time"] = row["cpu_time"] = row["median"];
    for (const char* limit : {"limit", "stepwise_limit"})
        if (const auto found = row.find(limit); found != row.end() && found->is_object())
            (*found)["share"] = (*found)["value"].get<double>() / row["median"].get<double>();
    const std::string lacking = shortcomings(row, standards);
    row["status"] = lacking.empty() ? "ok" : "estimate";
    row["reason"] = lacking.empty() ? json() : json(lacking);
}

}  // namespace gridmark::harness
