#include "harness/run/rows.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "harness/elapsed.hpp"
#include "harness/results/ratio.hpp"

namespace gridmark::harness {
namespace {

const char* launch_name(Series::Launch launch) {
    return launch == Series::Launch::graph ? "graph" : launch == Series::Launch::own ? "own" : "stream";
}

/// Without a number.
Row empty_row(const std::string& experiment, const Planned& planned, const std::string& name, Status status,
              const std::string& reason) {
    return {.name = name,
            .experiment = experiment,
            .variant = planned.variant,
            .parameters = planned.parameters,
            .status = status,
            .reason = reason};
}

/// What stands as the reason why the sampling of an exact row stopped.
constexpr const char* exact = "exact";

/// A row of one quantity other than a time by a clock, as `planned` declares it.
template <class Planned>
Row row_of_quantity(const std::string& experiment, const Planned& planned, const std::string& unit,
                    Status status, const std::string& reason) {
    Row row = empty_row(experiment, planned, planned.name, status, reason);
    row.quantity = planned.quantity;
    row.unit = unit;
    return row;
}

/// A sample with the digits that it is stored with: two samples differ by far more than a ten-millionth, and
/// a result file of a thousand rows stays small enough to be kept under version control.
double rounded(double sample) {
    return std::strtod(fmt::format("{:.7g}", sample).c_str(), nullptr);
}

/// Too little for a verdict of its own, in words; empty if nothing is lacking.
std::string shortcomings(const Row& row, const Standards& standards) {
    std::vector<std::string> found;
    if (auto why = row.why_unfit(); !why.empty()) found.push_back(std::move(why));
    if (row.stopped == exact) return fmt::format("{}", fmt::join(found, "; "));
    if (standards.preset == Preset::quick) found.emplace_back("preset quick");
    if (!standards.release_build) found.emplace_back("not a release build");
    const std::size_t processes = row.samples_by_process().size(), wanted = standards.processes;
    if (row.is_time() && processes < wanted)
        found.push_back(fmt::format("{} of {} processes", processes, wanted));
    if (row.samples.size() < 9) found.push_back(fmt::format("{} samples, fewer than 9", row.samples.size()));
    return fmt::format("{}", fmt::join(found, "; "));
}

}  // namespace

std::string formula_of(const Metric& metric) {
    if (!metric.whole.empty())
        return fmt::format("{}{:.6g} {} / {}", metric.rest ? "100 - " : "", 100 * metric.scale,
                           metric.counter, metric.whole);
    return metric.scale == 1 ? metric.counter : fmt::format("{:.6g} {}", metric.scale, metric.counter);
}

const char* to_string(Series::Clock clock) {
    return clock == Series::Clock::kernel ? "kernel" : clock == Series::Clock::step ? "step" : "wall";
}

std::string row_name(const Point& point, const Series& series) {
    std::string name = point.name + "/" + to_string(series.clock);
    if (series.clock == Series::Clock::kernel) name += series.cold ? "/cold" : "/hot";
    if (series.clock == Series::Clock::step) name += std::string("/") + launch_name(series.launch);
    return name;
}

Row row_without_time(const std::string& experiment, const Point& point, const Series& series, Status status,
                     const std::string& reason) {
    Row row = empty_row(experiment, point, row_name(point, series), status, reason);
    if (series.clock == Series::Clock::kernel) row.parameters["cache"] = series.cold ? "cold" : "hot";
    if (series.clock == Series::Clock::step) row.parameters["launch"] = launch_name(series.launch);
    if (point.steps > 1) row.parameters["steps"] = std::int64_t{point.steps};
    row.clock = to_string(series.clock);
    row.memory = point.memory;
    row.bytes = point.bytes;
    row.flops = point.flops;
    return row;
}

std::string row_name(const ProfiledPoint& point, const Metric& metric) {
    return point.name + "/" + metric.quantity;
}

Row profiled_row(const std::string& experiment, const ProfiledPoint& point, const Metric& metric,
                 Status status, const std::string& reason) {
    Row row = empty_row(experiment, point, row_name(point, metric), status, reason);
    row.quantity = metric.quantity;
    row.unit = metric.unit;
    row.counted_by = formula_of(metric);
    return row;
}

std::string row_name(const Timeline& timeline, const std::string& activity) {
    return timeline.name + "/" + activity;
}

Row timeline_row(const std::string& experiment, const Timeline& timeline, const std::string& activity,
                 Status status, const std::string& reason) {
    Row row = empty_row(experiment, timeline, row_name(timeline, activity), status, reason);
    row.parameters["activity"] = activity;
    row.memory = timeline.memory;
    row.quantity = "busy";
    return row;
}

Row quantity_row(const std::string& experiment, const Difference& difference, Status status,
                 const std::string& reason) {
    return row_of_quantity(experiment, difference, "us", status, reason);
}

Row quantity_row(const std::string& experiment, const Computed& computed, Status status,
                 const std::string& reason) {
    return row_of_quantity(experiment, computed, computed.unit, status, reason);
}

Row quantity_row(const std::string& experiment, const Derived& derived, Status status,
                 const std::string& reason) {
    return row_of_quantity(experiment, derived, derived.unit, status, reason);
}

std::vector<Row> blank_rows(const std::string& experiment, const Plan& plan) {
    std::vector<Row> rows;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series)
                rows.push_back(
                    row_without_time(experiment, point, series, Status::skipped, point.unavailable));
    for (const Difference& difference : plan.differences)
        rows.push_back(quantity_row(experiment, difference, Status::skipped, ""));
    for (const Computed& computed : plan.computed)
        rows.push_back(quantity_row(experiment, computed, Status::skipped, computed.unavailable));
    for (const Derived& derived : plan.derived)
        rows.push_back(quantity_row(experiment, derived, Status::skipped, ""));
    for (const Timeline& timeline : plan.timelines)
        for (const char* activity : timeline_activities)
            rows.push_back(
                timeline_row(experiment, timeline, activity, Status::skipped, timeline.unavailable));
    for (const ProfiledPoint& point : plan.profiled)
        for (const Metric& metric : point.metrics)
            rows.push_back(profiled_row(experiment, point, metric, Status::skipped, point.unavailable));
    return rows;
}

std::vector<std::string> row_names(const Plan& plan) {
    std::vector<std::string> names;
    for (const Row& row : blank_rows("", plan))
        names.push_back(row.name);
    return names;
}

void set_samples(Row& row, std::vector<double> samples) {
    if (row.is_time())
        for (double& microseconds : samples) {
            positive_time(1e-6 * microseconds);
            microseconds = rounded(microseconds);
        }
    row.process_samples = {samples.size()};
    row.status = Status::ok;
    row.reason.clear();
    row.median = median(samples);
    row.samples = std::move(samples);
}

void set_exact_value(Row& row, double value) {
    set_samples(row, {value});
    row.stopped = exact;
}

Row join_processes(const Row& earlier, const Row& later) {
    if (earlier.status == Status::failed) return earlier;
    if (!later.measured()) return later;
    if (!earlier.measured()) return earlier;
    Row joined = later;
    joined.samples = earlier.samples;
    joined.samples.insert(joined.samples.end(), later.samples.begin(), later.samples.end());
    joined.process_samples = earlier.samples_by_process();
    for (std::size_t n : later.samples_by_process())
        joined.process_samples.push_back(n);
    if (earlier.verification && later.verification && earlier.verification->error > later.verification->error)
        joined.verification = earlier.verification;
    if (!joined.counters) joined.counters = earlier.counters;
    joined.disturbed = earlier.disturbed;
    if (later.disturbed) joined.disturb(*later.disturbed);
    return joined;
}

void finish_row(Row& row, const Standards& standards) {
    if (!row.measured()) return;
    const auto samples = row.values();
    row.median = median(samples);
    row.interval = row_interval(row);
    row.outliers = count_outliers(samples);
    row.set_shares();
    row.reason = shortcomings(row, standards);
    row.status = row.reason.empty() ? Status::ok : Status::estimate;
}

}  // namespace gridmark::harness
