#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/statistics/statistics.hpp"

/// Rows and result documents made by hand.
namespace gridmark::tests {

using nlohmann::json;

/// A measured time of kernel clock; `changes` replaces or adds keys.
inline json timed_row(const std::string& name, const std::vector<double>& samples,
                      const json& changes = json::object()) {
    const double median = harness::median(samples);
    const auto interval = harness::median_interval(samples);
    json row{{"name", name},
             {"iterations", 10},
             {"experiment", "jacobi"},
             {"variant", "gpu_shared"},
             {"parameters", {{"nx", 512}, {"tile", "32x32"}, {"block", "32x8"}}},
             {"quantity", "time"},
             {"unit", "us"},
             {"clock", "kernel"},
             {"samples", samples},
             {"process_samples", {samples.size()}},
             {"group", nullptr},
             {"stopped", "interval"},
             {"median", median},
             {"interval", {interval.low, interval.high}},
             {"outliers", 0},
             {"status", "ok"},
             {"reason", nullptr},
             {"verification", {{"against", "reference"}, {"error", 1e-7}, {"tolerance", 1e-6}, {"steps", 3}}},
             {"bytes", 1000},
             {"flops", 700},
             {"limit", nullptr},
             {"kernel", nullptr},
             {"counters", nullptr}};
    row.update(changes);
    return row;
}

/// A row without a number.
inline json row_without_time(const std::string& name, const std::string& status, const std::string& reason,
                             const json& changes = json::object()) {
    json row = timed_row(name, {1},
                         {{"samples", json::array()},
                          {"median", nullptr},
                          {"interval", nullptr},
                          {"status", status},
                          {"reason", reason},
                          {"verification", nullptr}});
    row.erase("process_samples");
    row.update(changes);
    return row;
}

/// A number from a paper: a median alone.
inline json published_row(const std::string& name, double median, const json& changes = json::object()) {
    json row = timed_row(name, {median},
                         {{"samples", json::array()}, {"interval", nullptr}, {"verification", nullptr}});
    row.erase("process_samples");
    row.update(changes);
    return row;
}

inline json context(const std::string& experiment = "jacobi") {
    return {{"experiment", experiment},
            {"machine", "Some GPU"},
            {"preset", "paper"},
            {"complete", true},
            {"build", json::object()},
            {"cpu", {{"model", "Some CPU"}}},
            {"gpu", {{"name", "Some GPU"}}},
            {"ceilings", json::array()},
            {"reasons", json::object()}};
}

inline json document(const json& rows, const std::string& experiment = "jacobi") {
    return {{"schema_version", 2}, {"context", context(experiment)}, {"rows", rows}};
}

/// `value`, `value` + step, ...: `count` samples.
inline std::vector<double> samples_from(double value, double step, int count = 9) {
    std::vector<double> samples;
    for (int k = 0; k < count; ++k)
        samples.push_back(value + k * step);
    return samples;
}

/// `count` samples about `value`, the same a thousandth below and above: an interval narrower than 0.2 %.
inline std::vector<double> about(double value, int count = 27) {
    std::vector<double> samples;
    for (int k = 0; k < count; ++k)
        samples.push_back(value * (1 + 0.001 * (k % 3 - 1)));
    return samples;
}

}  // namespace gridmark::tests
