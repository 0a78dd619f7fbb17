#pragma once

#include <memory>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/run/rows.hpp"
#include "kernels/launch/device.hpp"

/// What every study plans, on a machine that has all that one can ask for. Nothing of it is run.
namespace gridmark::studies_tests {

using nlohmann::json;

constexpr std::size_t plenty = std::size_t{1} << 50;

/// The plan of a preset; the host stands in for a GPU.
inline harness::Plan planned(const harness::Experiment& experiment, harness::Preset preset,
                             int threads = 16) {
    static const auto device = launch::host_device();
    return experiment.plan({preset, threads, 1, device.get(), "", plenty, plenty, {}});
}

/// The plan's rows as a file would hold them, all measured.
inline std::vector<json> rows_of(const std::string& id, const harness::Plan& plan) {
    std::vector<json> rows;
    for (const auto& group : plan.groups)
        for (const auto& point : group.points)
            for (const auto& series : point.series)
                rows.push_back(harness::row_without_time(id, point, series, "ok", ""));
    for (const auto& difference : plan.differences)
        rows.push_back(harness::quantity_row(id, difference, "ok", nullptr));
    for (const auto& point : plan.profiled)
        for (const auto& metric : point.metrics)
            rows.push_back(harness::profiled_row(id, point, metric, "ok", ""));
    return rows;
}

}  // namespace gridmark::studies_tests
