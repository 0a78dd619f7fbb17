#include "harness/run/profile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/gpu/ncu.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {
namespace {

using Values = std::vector<double>;

Expected<Values> counted(const std::string& counter, const std::string& ncu_output) {
    Values values = parse_ncu_csv(ncu_output, counter);
    if (!values.empty()) return known(std::move(values));
    const std::string error = ncu_error(ncu_output);
    return unknown<Values>(
        fmt::format("ncu gave no values of {}{}{}", counter, error.empty() ? "" : ": ", error));
}

/// Every counter that the metrics need, each once.
std::vector<std::string> counters_of(const std::vector<Metric>& metrics) {
    std::vector<std::string> counters;
    for (const Metric& metric : metrics)
        for (const std::string& counter : {metric.counter, metric.whole})
            if (!counter.empty() && std::find(counters.begin(), counters.end(), counter) == counters.end())
                counters.push_back(counter);
    return counters;
}

}  // namespace

Expected<Values> metric_values(const Metric& metric, const std::string& ncu_output) {
    auto values = counted(metric.counter, ncu_output);
    if (!values) return values;
    if (metric.whole.empty()) {
        for (double& value : *values.value)
            value *= metric.scale;
        return values;
    }
    auto wholes = counted(metric.whole, ncu_output);
    if (!wholes) return wholes;
    if (wholes.value->size() != values.value->size())
        return unknown<Values>(fmt::format("ncu gave {} values of {} and {} of {}", values.value->size(),
                                           metric.counter, wholes.value->size(), metric.whole));
    for (std::size_t k = 0; k < wholes.value->size(); ++k) {
        const double whole = (*wholes.value)[k];
        if (whole == 0) return unknown<Values>(metric.whole + " is 0: there is nothing to have a share of");
        double& value = (*values.value)[k];
        value *= 100 * metric.scale / whole;
        if (metric.rest) value = 100 - value;
    }
    return values;
}

std::vector<Row> profile_rows(const std::string& experiment, const ProfiledPoint& point, int device) {
    const auto output = run_ncu(counters_of(point.metrics), point.kernel, point.solve, device);
    std::vector<Row> rows;
    for (const Metric& metric : point.metrics) {
        if (output && lacks_a_counter(*output.value) && point.metrics.size() > 1) {
            ProfiledPoint alone = point;
            alone.metrics = {metric};
            rows.push_back(profile_rows(experiment, alone, device).front());
            continue;
        }
        const auto values = output ? metric_values(metric, *output.value) : unknown<Values>(output.reason);
        rows.push_back(profiled_row(experiment, point, metric, Status::skipped, values.reason));
        if (values) set_samples(rows.back(), *values.value);
    }
    return rows;
}

}  // namespace gridmark::harness
