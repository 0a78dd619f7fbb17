#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiment.hpp"

/// Making and joining the rows of a result file (harness/result.schema.json).
namespace gridmark::harness {

/// "kernel", "step" or "wall".
const char* to_string(Series::Clock clock);

/// Name of the row that a point's series fills: the point's name and "/kernel/hot", "/kernel/cold",
/// "/step/stream", "/step/graph", "/step/own" or "/wall".
std::string row_name(const Point& point, const Series& series);

/// A row of a point without any number, `status` skipped or failed with its reason.
Row row_without_time(const std::string& experiment, const Point& point, const Series& series, Status status,
                     const std::string& reason);

/// Name of the row that a profiled quantity fills: the point's name and "/" and the quantity.
std::string row_name(const ProfiledPoint& point, const Metric& metric);
/// Its row without any number.
Row profiled_row(const std::string& experiment, const ProfiledPoint& point, const Metric& metric,
                 Status status, const std::string& reason);

/// What a timeline's rows tell apart, in their order; the value of their parameter `activity`.
constexpr std::array<const char*, 3> timeline_activities{"upload", "kernels", "download"};

/// Name of the row that an activity of a timeline fills: the timeline's name and "/" and the activity.
std::string row_name(const Timeline& timeline, const std::string& activity);
/// Its row without any number.
Row timeline_row(const std::string& experiment, const Timeline& timeline, const std::string& activity,
                 Status status, const std::string& reason);

/// The row of one value, by its own name, without any number.
Row quantity_row(const std::string& experiment, const Difference& difference, Status status,
                 const std::string& reason);
Row quantity_row(const std::string& experiment, const Computed& computed, Status status,
                 const std::string& reason);
Row quantity_row(const std::string& experiment, const Derived& derived, Status status,
                 const std::string& reason);

/// All rows of a plan before anything is measured, in the order of a result file: skipped, for the reason why
/// they cannot run here or, where they can, an empty one.
std::vector<Row> blank_rows(const std::string& experiment, const Plan& plan);

/// Names of all rows of a plan, in the order of a result file.
std::vector<std::string> row_names(const Plan& plan);

/// How a metric's value is made of the profiler's counters: "100 hits.sum / loads.sum".
std::string formula_of(const Metric& metric);

/// Puts one process's samples (in the row's unit; times with seven significant digits) into a row without
/// time, which becomes `ok`.
void set_samples(Row& row, std::vector<double> samples);

/// Puts an exact value into a row without one, which becomes `ok` and is no estimate, for all that it is a
/// single sample.
void set_exact_value(Row& row, double value);

/// `later`, a row of one more process, joined to what earlier processes gave: samples appended, processes
/// counted, the worse verification kept. A row without numbers on either side is the answer, the failed one
/// before the other.
Row join_processes(const Row& earlier, const Row& later);

/// What makes a row only an estimate.
struct Standards {
    Preset preset;
    int processes;
    bool release_build;
};

/// Sets median, interval, outliers, times, share of the limit and whether the row is `ok` or an `estimate`,
/// from its samples. Rows without numbers stay as they are.
void finish_row(Row& row, const Standards& standards);

}  // namespace gridmark::harness
